// SPDX-License-Identifier: Apache-2.0
// The order of a time tile, proven on random shapes by keeping for each element of both halves which step it holds: every step
// finds what the one before has left, finds its own element as it was two steps ago, and is done once everywhere. Also where a part
// of it is done while the exchange is under way: that part reads no halo and writes nothing that neighbours read.
#include "array/random_halo.hpp"

#include <sode/detail/tile_order.hpp>

#include <gtest/gtest.h>

#include <map>

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
