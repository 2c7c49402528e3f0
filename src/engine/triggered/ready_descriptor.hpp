// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/bound_step.hpp"
#include "engine/row_operators.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sode::internal {

/// What a queue holds: all that issuing takes, addresses and numbers of this epoch and iteration. Nothing is looked up.
struct alignas(64) ready_descriptor {
    enum class kind : std::uint8_t {
        nothing, ///< but its signal
        copy,
        put,    ///< handed to a channel for direct access to memory: the queue goes on, and the signal is given when that is over
        assist, ///< a reduction, which no network interface of this kind can do: its processor does it
        branch, ///< a packet to the queue itself: the part behind it may begin when its arrival has come, too
        end
    };
    copy_kernel kernel = nullptr;
    copy_program const* program = nullptr;
    std::byte* target = nullptr;
    std::byte const* source = nullptr;
    std::byte const* first = nullptr;             ///< of a reduction: its first operand
    std::atomic<std::uint64_t>* signal = nullptr; ///< null: none
    std::uint64_t value = 0;
    std::uint32_t descriptor = 0; ///< of the plan
    std::uint16_t covers = 0;     ///< descriptors of the plan that are done with this one: itself, and loops before it
    kind does = kind::nothing;
    bool adds = false; ///< the signal is a sum

    void publish() const noexcept {
        if (!signal) return;
        if (adds)
            signal->fetch_add(value, std::memory_order_acq_rel);
        else
            signal->store(value, std::memory_order_release);
    }
};
static_assert(sizeof(ready_descriptor) == 64);

/// An arrival that a queue expects: when the counter has come to the threshold, its scheduling pointer advances by `step`. What
/// travels is the counter's value; the step that it stands for is written down here, by who reads it, since readers of one counter
/// may differ in it.
struct expected_arrival {
    std::atomic<std::uint64_t> const* counter = nullptr; ///< null: the doorbell, or what has come before
    std::int64_t threshold = 0;
    std::uint64_t branch = 0; ///< so many branch packets must have come, too
    std::uint32_t step = 0;

    [[nodiscard]] bool has_come(std::uint64_t branches) const noexcept {
        return branches >= branch && (!counter || static_cast<std::int64_t>(counter->load(std::memory_order_acquire)) >= threshold);
    }
};

} // namespace sode::internal
