// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/proof/content.hpp"
#include "plan/proof/job.hpp"

#include <unordered_map>

namespace sode::internal::proof {

/// What is known of one granule: a piece of memory so small that no access takes only part of it.
struct cell {
    content held{};                      ///< whose data it holds
    content expected{};                  ///< whose data the deliveries want there
    std::uint32_t written = 0;           ///< event of the last write, 0 = none
    std::array<std::uint32_t, 2> read{}; ///< events of reads since then; if there are more, all are in memory::crowd
    std::uint8_t marks = 0;
    std::uint8_t copies = 0; ///< how often the plans wrote it in this epoch

    static constexpr std::uint8_t owned = 1, readable = 2, delivered = 4, early = 8, unread = 16, crowded = 32, borrowed = 64,
                                  awaited = 128;
};

/// All memory that the plans of a job touch, and no more. A *region* is an instance of an array, or a rank's stage, its scratch, or
/// its counter lines. Offsets are bytes from the start of the region.
class memory {
public:
    explicit memory(job const& all);

    [[nodiscard]] std::int64_t granule() const noexcept { return granule_; }

    struct place {
        std::uint32_t region = 0;
        std::int64_t offset = 0;
    };
    /// Where an instance of a buffer lies.
    [[nodiscard]] place locate(buffer const& b, std::uint32_t instance) const;
    [[nodiscard]] std::uint32_t array_region(std::size_t rank, std::uint32_t ordinal, std::uint32_t half) const;
    [[nodiscard]] bool is_array(std::uint32_t region) const noexcept { return regions_[region].role == buffer_role::array; }

    /// The cells of `bytes` bytes at `offset`: part of a row of some descriptor, or of some delivery's target.
    [[nodiscard]] std::span<cell> cells(std::uint32_t region, std::int64_t offset, std::int64_t bytes);
    /// Calls f(offset, cells) for every touched run of a region, ascending.
    template <class F> void for_each_run(std::uint32_t region, F&& f) {
        auto& g = regions_[region];
        for (auto const& r : g.runs) f(r.begin * granule_, std::span{g.cells}.subspan(r.first, ix(r.end - r.begin)));
    }
    /// The readers of a crowded cell.
    [[nodiscard]] std::vector<std::uint32_t>& crowd(cell const& c) { return crowds_[&c]; }

    /// "array 0 of rank 2, bytes [64, 72)".
    [[nodiscard]] std::string describe(std::uint32_t region, std::int64_t offset, std::int64_t bytes) const;

private:
    struct run {
        std::int64_t begin = 0, end = 0; // granules
        std::size_t first = 0;           // cell of `begin`
    };
    struct bank { // a region's cells
        std::int32_t host = 0;
        buffer_role role = buffer_role::array;
        std::uint32_t ordinal = 0;
        std::vector<run> runs{};
        std::vector<cell> cells{};
        std::size_t hint = 0; // accesses mostly ascend
    };

    void number_regions();
    void touch_rows(std::size_t rank);
    void touch(place at, std::int64_t bytes);
    static void settle(bank& g);
    void set_constants(std::size_t rank);
    void mark(std::size_t rank, array_model const& a, layout const& l, std::uint8_t what);

    job const& job_;
    std::int64_t granule_ = 1;
    std::vector<bank> regions_;
    std::vector<std::uint32_t> first_region_; // by rank
    std::unordered_map<cell const*, std::vector<std::uint32_t>> crowds_;
};

/// The greatest common divisor of all offsets, blocks and strides in the job.
[[nodiscard]] std::int64_t granule_of(job const& all);

} // namespace sode::internal::proof
