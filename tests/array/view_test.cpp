// SPDX-License-Identifier: Apache-2.0
// Views fold lower bounds and strides into the address, and at() refuses what is not there.
#include <sode/box.hpp>
#include <sode/view.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace {

using sode::index_t;
using sode::view;

static_assert(std::is_trivially_copyable_v<view<double, 3>> && std::is_default_constructible_v<view<double, 3>>);
static_assert(std::is_same_v<view<float const, 2>::value_type, float> && view<float, 2>::rank() == 2);
static_assert(std::is_convertible_v<view<int, 2>, view<int const, 2>> && !std::is_convertible_v<view<int const, 2>, view<int, 2>>);
static_assert(std::is_invocable_r_v<int const&, view<int const, 2> const, int, unsigned long>);

TEST(View, FoldsTheLowerBoundsIntoThePointer) {
    std::vector<int> memory(3 * 4 * 5);
    std::iota(memory.begin(), memory.end(), 0);
    view<int, 3> const v{memory.data(), {10, -2, 7}, {3, 4, 5}};
    int expected = 0;
    for (auto const& at : sode::box<3>{{10, -2, 7}, {13, 2, 12}}) {
        EXPECT_EQ(v(at[0], at[1], at[2]), expected);
        EXPECT_EQ(&v.at(static_cast<int>(at[0]), at[1], at[2]), &memory[static_cast<std::size_t>(expected)]);
        ++expected;
    }
    v(11, -1, 8) = -5;
    EXPECT_EQ(memory[20 + 5 + 1], -5);
    EXPECT_EQ(v.lower(1), -2);
    EXPECT_EQ(v.upper(1), 2);
    EXPECT_EQ(v.extent(2), 5);
    EXPECT_EQ(v.strides(), (std::array<index_t, 3>{20, 5, 1}));
    EXPECT_EQ(v.data_handle(), memory.data());
}

TEST(View, ReachesThroughStrides) {
    std::vector<double> memory(6 * 16);
    view<double, 2> const v{memory.data() + 3, {0, 1}, {6, 8}, {16, 1}};
    v(5, 8) = 1;
    EXPECT_EQ(memory[3 + 5 * 16 + 7], 1);
    view<double const, 2> const read = v;
    EXPECT_EQ(&read(5, 8), &v(5, 8));
    EXPECT_EQ(read.data_handle(), v.data_handle());
}

TEST(View, AtRefusesWhatIsNotThere) {
    std::vector<int> memory(12);
    view<int, 2> const v{memory.data(), {4, 0}, {3, 4}};
    EXPECT_NO_THROW(v.at(6, 3));
    for (auto [i, j] : {std::pair{3, 0}, {7, 0}, {4, -1}, {4, 4}}) {
        try {
            v.at(i, j);
            ADD_FAILURE() << i << ' ' << j;
        } catch (sode::error const& e) {
            EXPECT_EQ(e.kind(), sode::error_kind::usage);
            EXPECT_THAT(e.what(), testing::HasSubstr("[4:7, 0:4)"));
        }
    }
}

TEST(View, OfNothing) {
    view<int, 2> const v{nullptr, {5, 5}, {0, 0}};
    EXPECT_EQ(v.data_handle(), nullptr);
    EXPECT_THROW(v.at(5, 5), sode::error);
    EXPECT_EQ((view<int, 2>{}.data_handle()), nullptr);
}

// The shape of std::mdspan with layout_stride, which this standard library does not have.
template <class T, std::size_t N> struct fake_mdspan {
    struct extents_type {
        std::array<index_t, N> extents;
    };
    struct mapping_type {
        extents_type extents;
        std::array<index_t, N> strides;
    };
    T* data;
    mapping_type mapping;
};

TEST(View, BecomesAnMdspan) {
    std::vector<int> memory(6 * 16);
    view<int, 2> const v{memory.data(), {4, 7}, {6, 8}, {16, 1}};
    fake_mdspan<int, 2> const m = v;
    EXPECT_EQ(m.data, memory.data());
    EXPECT_EQ(m.mapping.extents.extents, (std::array<index_t, 2>{6, 8}));
    EXPECT_EQ(m.mapping.strides, (std::array<index_t, 2>{16, 1}));
}

} // namespace
