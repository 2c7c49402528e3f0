// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "datatypes/ping_pong.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sode::internal::bench {

/// What a message touches at either end, in cache lines.
struct touched {
    std::int64_t source = 0, target = 0;
};

/// The limit of an exchange of messages (support/limit.hpp): contiguous copies of as many cache lines as the layouts of source and
/// target touch. Partners copy the messages between them together, each a half, in whole lines; where one end touches more lines
/// than the other, the lines that are left are only read, or only written. What a rank sends itself it copies alone.
///
/// The memory is the ranks' own where they are tasks, which reach it, else a shared window.
struct limit_case {
    touched message; ///< from each rank to its partner
    touched self;
    bool by_turns; ///< the one message follows the other, as in a ping-pong; else both are copied at the same time
};

/// By the C library's memcpy, "limit:memcpy", or in steps of a cache line, "limit:lines", which keeps even long copies in the
/// caches; or each message by its receiver alone, "limit:receiver", which is faster where stores into the other's cache are dear.
/// Throws std::invalid_argument for other names. Collective.
[[nodiscard]] std::unique_ptr<communication> limit_of(limit_case const& c, std::string const& name, pair_world const& w);

/// Whether limit_of() knows the name.
[[nodiscard]] bool is_limit(std::string const& name) noexcept;
[[nodiscard]] std::vector<std::string> limit_names();

} // namespace sode::internal::bench
