// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/space.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace sode::internal {

/// How far apart two ranks' cores are *now*. Virtual machines move cores: the same pair flips between near and far every few tens
/// of seconds (research on halo exchange, section 0), so a distance is a measurement and not a property.
struct pair_distance {
    /// A cache line goes there and back within one core group in 80-115 ns, between groups in 370-430 ns (Zen 5). `unknown`: not
    /// measured, because the two did not run at the same time (they share a core, or one was late).
    enum class regime : std::uint8_t { near, between, far, unknown };

    double round_trip_ns = 0; ///< of one cache line each way, the median; 0 if unknown
    regime kind = regime::unknown;
};
[[nodiscard]] std::string_view to_string(pair_distance::regime kind) noexcept;

/// Round trips of near and of far cores, in nanoseconds (docs/profile.md).
inline constexpr double near_below_ns = 180;
inline constexpr double far_above_ns = 250;

/// Unknown from 2 us on: no cache line takes that long, so what was measured is the scheduler.
[[nodiscard]] pair_distance classify(double round_trip_ns) noexcept;

/// One line of shared memory in each rank's own arena; a pair is probed through that of its lower rank.
struct probe_lines {
    std::uint64_t own = 0;  ///< offset of 128 bytes in the arena of this rank
    std::uint64_t peer = 0; ///< and in that of the peer
};

/// Both ranks of a pair call this at about the same time; each returns within about `limit`, also if the other never comes.
/// Measures a few hundred round trips (near: 40 us, far: 150 us); both ranks return the same number, except that one may return
/// unknown alone if it gives up while the other finishes.
///
/// `turn` must be equal on both, positive, and larger than in any earlier call with the same lines (numbers never go back; zeroed
/// lines start at turn 1).
[[nodiscard]] pair_distance probe_pair(space const& memory, int rank, int peer, probe_lines lines, std::uint64_t turn,
                                       std::chrono::microseconds limit = std::chrono::milliseconds{5});

/// What is known of one pair, low < high.
struct measured_pair {
    std::int32_t low = 0;
    std::int32_t high = 0;
    pair_distance distance;
};

/// The pairs of a space that were measured: equal on all its ranks, so that both ends of an edge decide alike. Copies share them.
class distance_table {
public:
    explicit distance_table(std::vector<measured_pair> pairs = {});

    /// `unknown` for a pair that was not measured.
    [[nodiscard]] pair_distance of(int a, int b) const noexcept;
    [[nodiscard]] std::vector<measured_pair> const& pairs() const noexcept { return known_->pairs; }
    /// The round trip of the farthest pair, in nanoseconds; 0 if none was measured.
    [[nodiscard]] double farthest_ns() const noexcept { return known_->farthest_ns; }

private:
    struct known {
        std::vector<measured_pair> pairs; ///< by low, then high
        double farthest_ns = 0;
    };
    std::shared_ptr<known const> known_;
};

/// Collective. Measures each rank with up to three others of its space, in rounds: those whose number within the space differs in
/// bit 0, bit 1, bit 2. All pairs of a round work at the same time. Bounded: 5 ms a round, beside what the three collectives take.
/// Tells of the pairs of this space. Errors: those of the bootstrap, and of space::allocate.
[[nodiscard]] distance_table probe_job(bootstrap& boot, space& memory);

} // namespace sode::internal
