// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/schedule.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal {

/// What a stream must keep to be what a network interface can hold: a queue whose one scheduling pointer is advanced by arrivals,
/// each by the step that it carries, and by nothing else (paper P3, section 3.1.1).
enum class lowering_rule : std::uint8_t {
    one_counter,       ///< all of it waits for one counter: a pointer cannot tell whose arrival advanced it
    rising_thresholds, ///< what it waits for never falls: descriptors are issued in the order in which they lie
    equal_steps,       ///< if several ranks add to the counter, each arrival lets go of as many descriptors as any other
    no_messages,       ///< messages, and puts that messages carry, are begun by the host
    no_functions       ///< functions of the program are called by its own thread
};
/// As messages and explain() say it: "one counter".
[[nodiscard]] std::string_view to_string(lowering_rule rule);

/// What became of a stream.
struct lowered_stream {
    /// The first rule that it breaks, and where. Of the first three each place takes a *branch packet*: the part behind it waits,
    /// like a queue of its own, for that packet, which the part before it sends when it is issued, and for the arrival. Of the
    /// others the caller runs the stream.
    std::optional<lowering_rule> broken{};
    std::uint32_t at = 0;                  ///< index of the descriptor
    std::string why{};                     ///< "descriptor 7 waits for counter 3, those before it for counter 2"
    std::vector<std::uint32_t> branches{}; ///< descriptors before which a branch packet is sent, ascending

    [[nodiscard]] bool by_caller() const noexcept {
        return broken == lowering_rule::no_messages || broken == lowering_rule::no_functions;
    }
};

/// Of all streams of a plan. `carried`: whether messages carry that put or landing. Pure. Cost: O(descriptors), more in deep loops:
/// of each loop at most four iterations are looked at, as what loops add is linear.
[[nodiscard]] std::vector<lowered_stream> lower(schedule const& p, std::function<bool(descriptor const&)> const& carried);

/// Why streams that claim a queue (executor_kind::queue) cannot be one: the first that breaks a rule, by name. Empty: all can.
[[nodiscard]] std::string refused_queue(schedule const& p, std::vector<lowered_stream> const& streams);

} // namespace sode::internal
