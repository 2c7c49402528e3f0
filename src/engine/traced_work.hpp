// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/trace.hpp"
#include "plan/plan.hpp"

#include <optional>

namespace sode::internal {

/// What a plan's descriptors come to for somebody who looks at a trace: "pack", "pull from rank 3". Neighbours in a stream that
/// come to the same thing are one piece of work.
struct traced_work {
    enum class verb : std::uint8_t { pack, put, pull, unpack, get, self, other };
    verb what = verb::other;
    operation op = operation::copy;
    int peer = -1;
    friend bool operator==(traced_work const&, traced_work const&) = default;
};

/// nullopt for what only waits or signals.
[[nodiscard]] std::optional<traced_work> work_of(plan const& p, descriptor const& d, int stream_peer);
[[nodiscard]] trace_subject subject_of(plan const& p, traced_work const& w, std::int64_t bytes);
/// An epoch of the whole plan.
[[nodiscard]] trace_subject subject_of(plan const& p);

} // namespace sode::internal
