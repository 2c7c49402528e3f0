// SPDX-License-Identifier: Apache-2.0
// Exchanges on rank grids that the library has laid over machines: every halo element is the one of its global index.
#include "model/job.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

index_t value_of(index_t i, index_t j, index_t rows, index_t columns) {
    return ((i + rows) % rows) * 1000 + (j + columns) % columns;
}

void expect_right_halos(grid<2> const& g) {
    auto const rows = g.extent(0), columns = g.extent(1);
    buffered<index_t, 2> u{g, shadow{1}, -1, "u"};
    auto halo = reflect_init({.corners = true, .periodic = true}, u);
    for (int step = 0; step < 3; ++step, u.flip()) {
        loop(g.all(), [&, v = u.now()](auto i, auto j) { v(i, j) = value_of(i, j, rows, columns) + step; });
        halo();
        auto const mine = g.local();
        auto const v = u.now();
        int wrong = 0;
        for (auto i = mine.lower[0] - 1; i <= mine.upper[0]; ++i)
            for (auto j = mine.lower[1] - 1; j <= mine.upper[1]; ++j)
                if (v(i, j) != value_of(i, j, rows, columns) + step) ++wrong;
        EXPECT_EQ(wrong, 0) << "step " << step;
    }
}

TEST(mapped_halo, grids_of_all_shapes) {
    auto& rt = ranks();
    for (int rows = 1; rows <= rt.size(); ++rows) {
        if (rt.size() % rows != 0) continue;
        int const columns = rt.size() / rows;
        // Once the faces across one dimension are dearer, once those across the other.
        expect_right_halos(grid<2>{rt, {4 * rows, 300}, {.nodes = {rows, columns}}});
        expect_right_halos(grid<2>{rt, {300, 4 * columns}, {.nodes = {rows, columns}}});
        expect_right_halos(grid<2>{rt, {24, 48}, {.nodes = {rows, columns}, .mapping = in_order}});
    }
}

TEST(mapped_halo, columns_on_a_machine) {
    auto& rt = ranks();
    if (rt.size() % 2 != 0) GTEST_SKIP() << "two columns of ranks";
    int const rows = rt.size() / 2;
    // Faces across dimension 0 are so much larger that ranks of a column should share memory.
    grid<2> const g{rt, {4 * rows, 1 << 16}, {.nodes = {rows, 2}}};
    array<double, 2> u{g, shadow{1}, 0.0, "u"};
    auto const text = reflect_init(u).explain();
    auto const& placed = rt.job().ranks->machines();
    auto const machines = placed.list();
    if (placed.one()) {
        EXPECT_TRUE(g.ranks().mapping.empty());
        EXPECT_THAT(text, Not(HasSubstr("mapping")));
    } else if (rows * placed.machines() == rt.size() && rows > 1) {
        EXPECT_THAT(text, HasSubstr("mapping: machines of " + std::to_string(rows) + "x1, "));
        for (int row = 0; row < rows; ++row)
            EXPECT_EQ(machines[static_cast<std::size_t>(g.ranks().rank_of({row, 0}))], machines[0]);
    } else {
        EXPECT_THAT(text, HasSubstr("mapping: "));
    }
    EXPECT_THAT(g.local().lower[0], static_cast<index_t>(4) * g.ranks().coordinates(rt.rank())[0]);
}

TEST(mapped_halo, nodes_and_sums) {
    auto& rt = ranks();
    nodes<2> const p{rt, {any, any}};
    distribution<2> const t{p, {24, 36}, {block, cyclic(2)}};
    array<index_t, 2> a{t, {}, 0, "a"};
    array<index_t, 2> b{grid<2>{rt, {24, 36}}, {}, 0, "b"};
    loop(b.all(), [v = *b](auto i, auto j) { v(i, j) = i * 36 + j; });
    copy(a, b);
    index_t wrong = 0;
    loop(a.all(), [&, v = a.cyclic_view()](auto i, auto j) { wrong += v(i, j) == i * 36 + j ? 0 : 1; });
    EXPECT_EQ(wrong, 0);
}

} // namespace
} // namespace sode::internal::testing
