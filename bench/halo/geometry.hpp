// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sode::internal::bench {

using extent3 = std::array<std::int64_t, 3>;
using direction = std::array<int, 3>;

/// The 26 directions, in row-major order.
[[nodiscard]] std::vector<direction> const& directions();
[[nodiscard]] constexpr direction opposite(direction d) noexcept {
    return {-d[0], -d[1], -d[2]};
}

/// Elements of a rank's allocated block, halo included; x first, z contiguous.
struct box {
    extent3 from{}, size{};
    [[nodiscard]] std::int64_t elements() const noexcept { return size[0] * size[1] * size[2]; }
};

/// One benchmark case: doubles on a grid of equal blocks.
struct halo_case {
    std::string name;
    extent3 n{};     ///< owned elements of each rank; n[0] = 1 in two dimensions
    extent3 width{}; ///< halo on each side; 0 where n is 1
    int fields = 1;
    std::array<int, 3> grid{1, 1, 1}; ///< ranks along x, y, z
    bool periodic = false;            ///< in every dimension that has a halo

    /// Reads `3d64_x`, `3d64_h3_y`, `3d64_f8_z_per`, `2d1024_z`, `3d16_422`: dimensions and elements a rank, halo width, fields,
    /// rank grid. `x y z` puts all `ranks` along one dimension; in two dimensions x is the slow one and z the contiguous one.
    /// Throws std::invalid_argument, also where the grid does not have `ranks` ranks.
    [[nodiscard]] static halo_case parse(std::string_view name, int ranks);
};

/// One rank's block of a case.
class rank_block {
public:
    rank_block(halo_case const& c, int rank);

    [[nodiscard]] halo_case const& shape() const noexcept { return *case_; }
    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] extent3 const& allocated() const noexcept { return allocated_; }
    [[nodiscard]] std::int64_t elements() const noexcept { return allocated_[0] * allocated_[1] * allocated_[2]; }

    /// Who owns what lies in direction `d`; itself, possibly, where periodic.
    [[nodiscard]] std::optional<int> neighbour(direction d) const;
    /// Neighbours other than itself, by first appearance.
    [[nodiscard]] std::vector<int> peers() const;

    [[nodiscard]] box halo(direction d) const noexcept; ///< what is received from direction d
    [[nodiscard]] box edge(direction d) const noexcept; ///< what is sent to direction d
    [[nodiscard]] box interior() const noexcept;        ///< all that is owned

    /// The global index of allocated element `at`, wrapped around.
    [[nodiscard]] extent3 global(extent3 const& at) const noexcept;

private:
    halo_case const* case_;
    int rank_;
    std::array<int, 3> at_;
    extent3 allocated_;
};

/// The sizes of a case in numbers, for its report; "bytes" are what the busiest rank receives from others, "messages" from how many
/// directions.
[[nodiscard]] std::vector<std::pair<std::string, double>> sizes(halo_case const& c);

} // namespace sode::internal::bench
