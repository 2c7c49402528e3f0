// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/trace.hpp"
#include "plan/plan.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace sode::internal {

/// What a plan's descriptors come to for somebody who looks at a trace: "pack", "pull from rank 3". Neighbours in a stream that
/// come to the same thing are one piece of work.
struct traced_work {
    enum class verb : std::uint8_t { pack, put, pull, store, unpack, get, self, other };
    verb what = verb::other;
    operation op = operation::copy;
    int peer = -1;
    friend bool operator==(traced_work const&, traced_work const&) = default;
};

/// nullopt for what only waits or signals.
[[nodiscard]] std::optional<traced_work> work_of(schedule const& p, descriptor const& d, int stream_peer);
[[nodiscard]] trace_subject subject_of(plan const& p, traced_work const& w, std::int64_t bytes);
/// The same without what the plan notes of its edges.
[[nodiscard]] trace_subject subject_of(traced_work const& w, std::int64_t bytes);
/// An epoch of the whole plan.
[[nodiscard]] trace_subject subject_of(plan const& p);

inline constexpr std::uint32_t no_work = UINT32_MAX, work_as_before = UINT32_MAX - 1;
/// Tells the log of all work of a plan, as `describe` does. Returns by descriptor: the subject that it is part of, or one of these.
[[nodiscard]] std::vector<std::uint32_t>
add_work(trace_log& log, schedule const& p, std::function<trace_subject(traced_work const&, std::int64_t bytes)> const& describe);

} // namespace sode::internal
