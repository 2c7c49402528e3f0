// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/clock.hpp"
#include "layout/copy_program.hpp"
#include "space/space.hpp"
#include "tune/datatype_estimate.hpp"
#include "tune/estimate.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sode::internal::tools {

/// The memory of one rank in which it measures, and how it takes times.
class workplace {
public:
    /// Collective. About 45 MiB of the rank's arena, where user arrays lie too. Errors: environment, if there is no room.
    workplace(bootstrap& boot, space& memory);

    [[nodiscard]] std::byte* array(int rank) const noexcept { return memory_.at(rank, arrays_[static_cast<std::size_t>(rank)]); }
    /// What other ranks pack into and unpack from: 256 KiB, and a page.
    [[nodiscard]] std::byte* stage(int rank) const noexcept { return array(rank) + array_bytes; }
    [[nodiscard]] std::byte* own() const noexcept { return own_; }
    /// Two parts that no other rank touches.
    [[nodiscard]] std::byte* quiet(int part) const noexcept {
        return own_ + array_bytes + stage_bytes + part * tune_shapes::big.back();
    }

    /// Writes the array anew, where that layout says.
    void rewrite(layout const& where) const;

    /// Nanoseconds that `work` takes, less what it takes to look at the clock; `prepare` comes before each time, unmeasured. The
    /// median of a few.
    template <class Prepare, class Work> [[nodiscard]] double time(Prepare prepare, Work work) const {
        std::vector<double> times;
        for (int i = 0; i < repetitions; ++i) {
            prepare();
            auto const begin = now_ns();
            work();
            times.push_back(since(begin));
        }
        return median(times);
    }
    [[nodiscard]] double since(std::int64_t begin) const noexcept {
        return std::max(0.0, static_cast<double>(now_ns() - begin) - clock_ns_);
    }

    static constexpr int repetitions = 5;

private:
    static constexpr std::int64_t array_bytes =
        (std::max({tune_shapes::far_rows * tune_shapes::far_pitch, tune_shapes::short_rows* tune_shapes::short_pitch,
                   tune_shapes::rows* tune_shapes::row_pitch, tune_shapes::big.back(), copy_sample_extent}) +
         4095) /
        4096 * 4096;
    static constexpr std::int64_t stage_bytes = 4096 + (std::int64_t{256} << 10);

    space& memory_;
    std::byte* own_;
    std::vector<std::uint64_t> arrays_;
    double clock_ns_ = 0;
};

} // namespace sode::internal::tools
