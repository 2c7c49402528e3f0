// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace sode::internal {

enum class executor_kind : std::uint8_t {
    caller, ///< the thread that the rank is, or whoever runs plans in its place: the one kind that is no claim
    thread, ///< a thread that runs plans
    queue,  ///< a queue that issues what is in it by itself, one descriptor behind the other
    block,  ///< a block of a kernel that runs on a device
    proxy   ///< a thread of the host that issues for a device
};
[[nodiscard]] std::string_view to_string(executor_kind kind);

/// Who issues the descriptors of a stream. `caller` leaves it to the engine; every other is a claim, and an engine that has no such
/// executor refuses the plan. All but queues go round among their streams; a queue has one.
struct executor {
    executor_kind kind = executor_kind::caller;
    std::uint32_t number = 0; ///< among those of its kind; 0 for the caller
    friend bool operator==(executor const&, executor const&) = default;
};
/// "caller", "thread 2".
[[nodiscard]] std::string describe(executor const& e);

/// Whether messages may be begun there: what carries them is called by the host.
[[nodiscard]] constexpr bool can_message(executor_kind kind) noexcept {
    return kind == executor_kind::caller || kind == executor_kind::proxy;
}

} // namespace sode::internal
