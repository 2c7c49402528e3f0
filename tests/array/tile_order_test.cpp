// SPDX-License-Identifier: Apache-2.0
// The order of a time tile, proven on random shapes by keeping for each element of both halves which step it holds: every step
// finds what the one before has left, finds its own element as it was two steps ago, and is done once everywhere. Also where a part
// of it is done while the exchange is under way: that part reads no halo and writes nothing that neighbours read. And where ranks
// hand each other rows: then each step is done once everywhere by all of them together.
#include "array/random_halo.hpp"

#include <sode/detail/tile_order.hpp>

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace sode::internal::testing {
namespace {

template <int N> void prove_order(generator& g, int& inside) {
    detail::tile_shape shape;
    shape.steps = pick(g, 1, 6);
    shape.rows = pick(g, 1, 5);
    box<N> owned, bounds;
    for (std::size_t d = 0; d < N; ++d) {
        shape.extent[d] = pick(g, 3, N == 3 ? 12 : 40);
        shape.lower[d] = pick(g, 0, 2), shape.upper[d] = pick(g, 0, 2);
        shape.lag[d] = std::max(shape.lower[d], shape.upper[d]) + pick(g, 0, 1);
        shape.wraps[d] = chance(g, 30);
        owned.lower[d] = pick(g, 0, shape.extent[d] - 1);
        owned.upper[d] = pick(g, owned.lower[d] + 1, shape.extent[d]);
        bounds.lower[d] = shape.wraps[d] ? 0 : pick(g, 0, 2);
        bounds.upper[d] = shape.wraps[d] ? shape.extent[d] : std::max(shape.extent[d] - pick(g, 0, 2), bounds.lower[d]);
    }
    if (N > 1 && chance(g, 60)) shape.width = pick(g, 1, 7);
    bool const overlaps = chance(g, 60);
    if (overlaps) shape.under_way = shape.steps + pick(g, 0, 2);
    SCOPED_TRACE(::testing::Message() << N << " dimensions, " << shape.steps << " steps, " << shape.rows << " rows, width "
                                      << shape.width << ", owned " << to_string(owned) << ", bounds " << to_string(bounds));

    detail::tile_order<N> const order{shape, owned, bounds};
    std::array<std::map<index<N>, index_t>, 2> holds; // 0 or -1 where nothing is
    std::map<std::pair<index_t, index<N>>, int> done;
    auto const step_at = [&](index_t half, index<N> const& at) {
        auto const found = holds[static_cast<std::size_t>(half)].find(at);
        return found == holds[static_cast<std::size_t>(half)].end() ? -half : found->second;
    };
    auto const changes = [&](index<N> const& at) {
        for (std::size_t d = 0; d < N; ++d)
            if (!shape.wraps[d] && (at[d] < bounds.lower[d] || at[d] >= bounds.upper[d])) return false;
        return true;
    };
    auto const has_neighbour = [&](std::size_t d, int side) {
        return shape.wraps[d] || (side == 0 ? owned.lower[d] > 0 : owned.upper[d] < shape.extent[d]);
    };
    auto const is_halo = [&](index<N> const& at) {
        for (std::size_t d = 0; d < N; ++d)
            if ((at[d] < owned.lower[d] && has_neighbour(d, 0)) || (at[d] >= owned.upper[d] && has_neighbour(d, 1))) return true;
        return false;
    };
    auto const is_read_by_neighbours = [&](index<N> const& at) {
        for (std::size_t d = 0; d < N; ++d)
            if ((has_neighbour(d, 0) && at[d] < owned.lower[d] + shape.under_way * shape.upper[d]) ||
                (has_neighbour(d, 1) && at[d] >= owned.upper[d] - shape.under_way * shape.lower[d]))
                return true;
        return false;
    };
    auto const go_over = [&](detail::tile_part part) {
        order.for_each([&](index_t s, box<N> const& window) {
            order.pieces(part, s, window, [&](box<N> const& piece) {
                for (auto const& at : piece) {
                    ++done[{s, at}];
                    ASSERT_FALSE(part == detail::tile_part::inner && (is_halo(at) || is_read_by_neighbours(at))) << "step " << s;
                    box<N> around;
                    for (std::size_t d = 0; d < N; ++d)
                        around.lower[d] = at[d] - shape.lower[d], around.upper[d] = at[d] + shape.upper[d] + 1;
                    for (auto const& there : around)
                        ASSERT_FALSE(part == detail::tile_part::inner && is_halo(there)) << "step " << s;
                    for (auto const& there : around)
                        ASSERT_EQ(changes(there) ? step_at((s - 1) % 2, there) : s - 1, s - 1) << "step " << s;
                    ASSERT_EQ(step_at(s % 2, at), s - 2) << "step " << s;
                    holds[static_cast<std::size_t>(s % 2)][at] = s;
                }
            });
        });
    };
    if (overlaps) {
        go_over(detail::tile_part::inner);
        inside += static_cast<int>(done.size());
        go_over(detail::tile_part::rest);
    } else {
        go_over(detail::tile_part::all);
    }
    for (index_t s = 1; s <= shape.steps; ++s)
        for (auto const& at : order.computed(s)) ASSERT_EQ((done[{s, at}]), 1) << "step " << s;
    for (auto const& at : intersect(owned, bounds)) {
        ASSERT_EQ(step_at(shape.steps % 2, at), shape.steps);
        ASSERT_EQ(step_at((shape.steps - 1) % 2, at), shape.steps - 1);
    }
}

// All ranks of a column, one after the other from the top, as nothing comes from below: what they hand are copies.
template <int N> void prove_handing(generator& g, int& passed) {
    detail::tile_shape shape;
    shape.handed = true;
    shape.steps = pick(g, 2, 9);
    shape.rows = pick(g, 1, 9);
    auto const reach = pick(g, 1, 3);
    for (std::size_t d = 0; d < N; ++d) {
        shape.lower[d] = d == 0 ? reach : pick(g, 0, 2);
        shape.upper[d] = d == 0 ? reach : pick(g, 0, 2);
        shape.lag[d] = std::max(shape.lower[d], shape.upper[d]) + pick(g, 0, 1);
        shape.extent[d] = pick(g, 3, 5);
    }
    detail::handed_rows const rows{reach, shape.steps};
    auto const ranks = pick(g, 2, 4);
    std::vector<index_t> bounds{0};
    auto const least = std::max({3 * reach, shape.steps * reach, std::max(rows.below(), rows.above()) + shape.lag[0] + 1});
    for (index_t r = 0; r < ranks; ++r) bounds.push_back(bounds.back() + least + pick(g, 0, 5));
    shape.extent[0] = bounds.back();
    box<N> whole, range;
    for (std::size_t d = 0; d < N; ++d) {
        whole.upper[d] = shape.extent[d];
        range.lower[d] = pick(g, 0, 2);
        range.upper[d] = std::max(shape.extent[d] - pick(g, 0, 2), range.lower[d]);
    }
    SCOPED_TRACE(::testing::Message() << N << " dimensions, " << ranks << " ranks, " << shape.steps << " steps, " << shape.rows
                                      << " rows, reach " << reach << ", range " << to_string(range));

    constexpr index_t nothing = -9;
    using field = std::array<std::map<index<N>, index_t>, 2>;
    auto const held = [](field const& f, index_t half, index<N> const& at) {
        auto const found = f[static_cast<std::size_t>(half)].find(at);
        return found == f[static_cast<std::size_t>(half)].end() ? nothing : found->second;
    };
    auto const copy = [&](field& to, field const& from, index_t half, index_t first, index_t behind) {
        auto b = whole;
        b.lower[0] = first, b.upper[0] = behind;
        for (auto const& at : b) to[static_cast<std::size_t>(half)][at] = held(from, half, at);
    };
    std::vector<field> holds(static_cast<std::size_t>(ranks)), handed(holds.size());
    field before;
    for (auto const& at : whole) before[0][at] = 0, before[1][at] = -1;
    std::map<std::pair<index_t, index<N>>, int> done;
    for (auto r = holds.size(); r-- > 0;) {
        auto owned = whole;
        owned.lower[0] = bounds[r], owned.upper[0] = bounds[r + 1];
        bool const lowest = r == 0, highest = r + 1 == holds.size();
        for (index_t half : {0, 1}) copy(holds[r], before, half, owned.lower[0] - (lowest ? 0 : rows.needed()), owned.upper[0]);
        detail::tile_order<N> const order{shape, owned, range};
        index_t given = 0, awaited = 0;
        order.for_each([&](index_t s, box<N> const& window) {
            if (awaited < s - 1 && order.awaits(s, window)) {
                ASSERT_EQ(++awaited, s - 1);
                auto const first = owned.upper[0] + rows.shift(awaited);
                // Nothing that is read yet may lie there.
                copy(holds[r], handed[r + 1], awaited % 2, first, first + rows.handed());
            }
            order.pieces(detail::tile_part::all, s, window, [&](box<N> const& piece) {
                for (auto const& at : piece) {
                    ++done[{s, at}];
                    box<N> around;
                    for (std::size_t d = 0; d < N; ++d) {
                        around.lower[d] = at[d] - shape.lower[d];
                        around.upper[d] = at[d] + shape.upper[d] + 1;
                    }
                    for (auto const& there : intersect(around, whole)) {
                        bool changes = true;
                        for (std::size_t d = 0; d < N; ++d)
                            changes = changes && there[d] >= range.lower[d] && there[d] < range.upper[d];
                        auto const has = held(holds[r], (s - 1) % 2, there);
                        ASSERT_EQ(has, changes ? s - 1 : (s - 1) % 2 == 0 ? 0 : -1) << "step " << s;
                    }
                    ASSERT_EQ(held(holds[r], s % 2, at), s - 2) << "step " << s;
                    holds[r][static_cast<std::size_t>(s % 2)][at] = s;
                }
            });
            if (given < s && order.gives(s, window)) {
                ASSERT_EQ(++given, s);
                auto const first = owned.lower[0] + rows.shift(s);
                copy(handed[r], holds[r], s % 2, first, first + rows.handed());
            }
        });
        ASSERT_EQ(given, lowest ? 0 : shape.steps - 1);
        ASSERT_EQ(awaited, highest ? 0 : shape.steps - 1);
        passed += static_cast<int>(given);
    }
    for (auto const& at : intersect(whole, range))
        for (index_t s = 1; s <= shape.steps; ++s) ASSERT_EQ((done[{s, at}]), 1) << "step " << s;
    for (std::size_t r = 1; r < holds.size(); ++r)
        for (index_t back : {0, 1}) {
            auto const half = (shape.steps - back) % 2;
            copy(holds[r], holds[r - 1], half, bounds[r], bounds[r] + rows.above() - back * reach);
        }
    for (std::size_t r = 0; r < holds.size(); ++r)
        for (auto const& at : intersect(whole, range))
            if (at[0] >= bounds[r] && at[0] < bounds[r + 1]) {
                ASSERT_EQ(held(holds[r], shape.steps % 2, at), shape.steps) << "rank " << r;
                ASSERT_EQ(held(holds[r], (shape.steps - 1) % 2, at), shape.steps - 1) << "rank " << r;
            }
}

TEST(tile_order, ranks_that_hand_rows_compute_each_element_once) {
    generator g{20261126};
    int passed = 0;
    for (int c = 0; c < 100 && !HasFailure(); ++c) {
        prove_handing<1>(g, passed);
        if (!HasFailure() && c % 3 == 0) prove_handing<2>(g, passed);
        if (!HasFailure() && c % 20 == 0) prove_handing<3>(g, passed);
    }
    EXPECT_GT(passed, 500);
}

TEST(tile_order, each_step_finds_what_it_needs_and_is_done_once) {
    generator g{20261125};
    int inside = 0; // elements that were computed while an exchange was under way
    for (int c = 0; c < 300 && !HasFailure(); ++c) {
        prove_order<1>(g, inside);
        if (!HasFailure()) prove_order<2>(g, inside);
        if (!HasFailure() && c % 3 == 0) prove_order<3>(g, inside);
    }
    EXPECT_GT(inside, 1000);
}

} // namespace
} // namespace sode::internal::testing
