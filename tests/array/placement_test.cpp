// SPDX-License-Identifier: Apache-2.0
// Where arrays lie modulo 4 KiB.
#include "array/placement.hpp"

#include "array/lonely.hpp"

#include <sode/array.hpp>
#include <sode/buffered.hpp>
#include <sode/bundle.hpp>
#include <sode/grid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace sode::internal {
namespace {

TEST(Placement, ComesToEveryLineOnceBeforeItComesToOneTwice) {
    std::set<std::size_t> lines;
    for (unsigned k = 0; k < 64; ++k) {
        auto const free = free_before(0, 0, k);
        EXPECT_EQ(free % 64, 0U);
        EXPECT_LT(free, std::size_t{cache_reach});
        lines.insert(free);
    }
    EXPECT_EQ(lines.size(), 64U);
}

TEST(Placement, DoesNotDependOnTheAddressThatIsFound) {
    for (std::uintptr_t const address : {0x7f0000000000U, 0x7f0000000080U, 0x7f0000001f80U})
        for (std::size_t const first : {0U, 8U, 8232U, 1040408U})
            EXPECT_EQ((address + free_before(address, first, 5) + first) % std::uintptr_t{cache_reach}, free_before(0, 0, 5));
}

TEST(Placement, KeepsArraysThatFollowEachOtherApart) {
    auto const distance = [](unsigned a, unsigned b) {
        auto const d = static_cast<index_t>(free_before(0, 0, a)) - static_cast<index_t>(free_before(0, 0, b));
        return std::min((d + cache_reach) % cache_reach, (cache_reach - d) % cache_reach);
    };
    for (unsigned k = 0; k < 64; ++k)
        for (unsigned near = 1; near < 5; ++near) EXPECT_GE(distance(k, k + near), 704) << k << ' ' << near;
}

// Whatever their sizes, and with any shadow: the first element that is the rank's own.
TEST(Placement, IsThatOfTheFirstElementOfARank) {
    runtime rt{std::make_unique<testing::lonely>()};
    grid<2> const g{rt, {60, 61}};
    array<double, 2> a{g}, b{g, shadow{1}};
    array<char, 2> const small{grid<2>{rt, {3, 3}}}; // has no place of its own
    buffered<double, 2> c{g, shadow{{2, 1}, {0, 3}}};
    bundle<float, 2, 3> d{g, {1.F, 2.F, 3.F}, shadow{1}};
    array<double, 2> e{g};
    auto const place = [begin = &(*a)(0, 0)](void const* p) {
        return static_cast<index_t>((reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(begin)) %
                                    std::uintptr_t{cache_reach});
    };
    auto const number = [](index_t n) { return n * from_array_to_array % cache_reach; };
    EXPECT_EQ(place(&(*b)(0, 0)), number(1));
    EXPECT_EQ(place(&c.now()(0, 0)), number(2));
    EXPECT_EQ(place(&c.next()(0, 0)), number(3));
    for (index_t k : {0, 1, 2}) EXPECT_EQ(place(&(*d)(k, 0, 0)), (number(4) + k * from_component_to_component) % cache_reach);
    EXPECT_EQ(place(&(*e)(0, 0)), number(7)); // components count
    for (void const* p : {static_cast<void const*>(&(*a)(0, 0)), static_cast<void const*>(small.view().data_handle())})
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 64, 0U);
}

} // namespace
} // namespace sode::internal
