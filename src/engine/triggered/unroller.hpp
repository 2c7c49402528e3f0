// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/epoch_tables.hpp"
#include "engine/stream_shape.hpp"
#include "engine/triggered/lowering.hpp"
#include "engine/triggered/ready_descriptor.hpp"

#include <vector>

namespace sode::internal {

/// Makes ready descriptors of a stream, one after another: loops are unrolled as far as there is room for what comes out, and no
/// further. What refills queues; allocates nothing.
class unroller {
public:
    /// All outlive it.
    unroller(schedule const& p, std::uint32_t stream, std::vector<std::uint32_t> const& branches);

    void begin(epoch_tables::table places, std::uint64_t epoch) noexcept;

    struct item {
        ready_descriptor ready{};
        expected_arrival arrival{}; ///< without a step; the counter is null: it waits for nothing of its own
        bool branches = false;      ///< a branch packet comes before
    };
    /// The next one. Not after the end.
    void next(item& to) noexcept;

private:
    void enter(std::size_t loop) noexcept;
    [[nodiscard]] std::size_t turn_back(std::size_t end_loop) noexcept;

    schedule const& plan_;
    std::vector<std::uint32_t> const& branches_; // descriptors before which the queue is parted
    std::uint32_t first_;
    std::vector<loop_turn> turns_;
    std::size_t depth_ = 0;
    std::size_t at_ = 0;
    epoch_tables::table places_{};
    std::int64_t epoch_ = 0;
};

} // namespace sode::internal
