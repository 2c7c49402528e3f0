// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_program.hpp"
#include "plan/schedule.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sode::internal {

/// A descriptor whose numbers have become addresses, for the slots and halves of an epoch: all that an engine needs to execute a
/// copy outside of loops, on one cache line.
struct alignas(64) bound_step {
    std::atomic<std::uint64_t> const* trigger = nullptr; ///< null: none
    copy_kernel kernel = nullptr;                        ///< null: it is no copy
    copy_program const* program = nullptr;               ///< null: it has none
    std::byte* target = nullptr;
    std::byte const* source = nullptr;
    std::atomic<std::uint64_t>* signal = nullptr; ///< null: none
    std::int32_t threshold = 0;
    std::int32_t value = 0;
    std::int32_t trigger_step = 0;                                                 ///< what an epoch adds to `threshold` …
    std::int32_t signal_step = 0;                                                  ///< … and to `value` of a flag; or `adds`
    static constexpr std::int32_t adds = std::numeric_limits<std::int32_t>::min(); ///< the signal is a sum, which grows by `value`

    [[nodiscard]] bool ready(std::int64_t epoch, std::int64_t shift) const noexcept {
        return !trigger ||
               static_cast<std::int64_t>(trigger->load(std::memory_order_acquire)) >= threshold + shift + epoch * trigger_step;
    }
    void publish(std::int64_t epoch, std::int64_t shift) const noexcept {
        if (signal_step != adds)
            signal->store(static_cast<std::uint64_t>(value + shift + epoch * signal_step), std::memory_order_release);
        else
            signal->fetch_add(static_cast<std::uint64_t>(value + shift), std::memory_order_acq_rel);
    }
};
static_assert(sizeof(bound_step) == 64);

} // namespace sode::internal
