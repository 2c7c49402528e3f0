// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/sode.hpp>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

/// Random distributed arrays, the values that they should hold, and what an exchange should do to them, worked out element by
/// element from the global index alone: nothing of the library's own geometry of edges is used.
namespace sode::internal::testing {

using generator = std::mt19937_64; // the same on all ranks

inline index_t pick(generator& g, index_t low, index_t high) {
    return low + static_cast<index_t>(g() % static_cast<std::uint64_t>(high - low + 1));
}
inline bool chance(generator& g, int percent) {
    return pick(g, 1, 100) <= percent;
}

/// Cuts `ranks` into `parts` factors at random.
inline std::vector<node_extent> random_factors(generator& g, int ranks, int parts) {
    std::vector<int> factors(static_cast<std::size_t>(parts), 1);
    for (int n = ranks, f = 2; n > 1; ++f)
        for (; n % f == 0; n /= f) factors[g() % factors.size()] *= f;
    return {factors.begin(), factors.end()};
}

struct random_shape {
    detail::mapping map{.place = {0, 1}, .grid = {}, .dims = 0, .axes = {}};
    std::array<index_t, max_dims> extents{};
};

/// A mapping of an array of `dims` dimensions over all ranks: block, gblock and none; permuted, collapsed or replicated alignments.
inline random_shape make_shape(generator& g, detail::place where, int dims, index_t least_block) {
    int const split = static_cast<int>(pick(g, 1, std::min(dims, 3)));
    auto const nodes = random_factors(g, where.ranks, split);
    std::vector<int> order;
    if (chance(g, 25)) {
        for (int r = 0; r < where.ranks; ++r) order.push_back(r);
        std::shuffle(order.begin(), order.end(), g);
    }
    auto const grid = detail::make_node_grid(where, nodes, order);
    std::vector<int> kinds(static_cast<std::size_t>(dims), 0);
    for (int k = 0; k < split; ++k) kinds[static_cast<std::size_t>(k)] = 1;
    std::shuffle(kinds.begin(), kinds.end(), g);

    random_shape s;
    std::vector<index_t> extents;
    std::vector<distribution_format> formats;
    index_t const room = dims <= 2 ? 40 : dims == 3 ? 16 : dims == 4 ? 9 : 6;
    int next_node_dim = 0;
    for (int d = 0; d < dims; ++d) {
        if (kinds[static_cast<std::size_t>(d)] == 0) {
            extents.push_back(pick(g, std::max<index_t>(1, least_block), std::max(least_block, dims > 4 ? 3 : room / 2)));
            formats.emplace_back(none);
            continue;
        }
        int const n = nodes[static_cast<std::size_t>(next_node_dim++)].value();
        if (chance(g, 50)) {
            std::vector<index_t> widths;
            index_t total = 0;
            for (int c = 0; c < n; ++c) {
                widths.push_back(chance(g, 15) ? 0 : pick(g, std::max<index_t>(1, least_block), least_block + 3));
                total += widths.back();
            }
            if (total == 0) total = widths[0] = std::max<index_t>(1, least_block);
            extents.push_back(total);
            formats.push_back(gblock(widths));
        } else {
            // Blocks are ceil(extent / n): a last block below least_block is possible, and must be refused, not exchanged.
            index_t const each = pick(g, std::max<index_t>(1, least_block), std::max(least_block, room / std::max(n, 2)));
            extents.push_back(each * n);
            formats.emplace_back(block);
        }
    }
    s.map = detail::distribute(where, grid, extents, formats);
    if (chance(g, 30)) {
        // The same template met in another order, perhaps with one of its dimensions replicated.
        std::vector<int> to(static_cast<std::size_t>(dims));
        for (int d = 0; d < dims; ++d) to[static_cast<std::size_t>(d)] = d;
        std::shuffle(to.begin(), to.end(), g);
        int const replicated = chance(g, 40) ? static_cast<int>(pick(g, 0, dims - 1)) : -1;
        std::vector<align_target> targets;
        std::vector<index_t> array_extents;
        for (int d = 0; d < dims; ++d) {
            int const t = to[static_cast<std::size_t>(d)];
            array_extents.push_back(extents[static_cast<std::size_t>(t)]);
            if (t == replicated)
                targets.emplace_back(none);
            else
                targets.push_back(along(t));
        }
        s.map = detail::align(s.map, array_extents, targets);
        extents = array_extents;
    }
    std::copy(extents.begin(), extents.end(), s.extents.begin());
    return s;
}

/// Bytes that belong to an element and to nothing else: of its global index, the array, the exchange.
template <class T, int N> T value_at(index<N> const& at, unsigned array, unsigned epoch) {
    std::uint64_t h = 0x9e3779b97f4a7c15ULL * (array * 1000003ULL + epoch + 1);
    for (auto i : at) h = (h ^ static_cast<std::uint64_t>(i)) * 0xff51afd7ed558ccdULL, h ^= h >> 31U;
    std::array<unsigned char, sizeof(T)> bytes{};
    for (auto& b : bytes) b = static_cast<unsigned char>(h >> 56U), h = h * 6364136223846793005ULL + 1442695040888963407ULL;
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
}

template <class T> T poison(unsigned epoch) {
    T value;
    std::memset(static_cast<void*>(&value), 0xa0 + static_cast<int>(epoch % 16), sizeof(T));
    return value;
}

/// What an exchange does: layers by side, corners, wrapping.
struct asked {
    std::array<index_t, max_dims> lower{}, upper{};
    std::array<bool, max_dims> periodic{};
    bool corners = false;
};

/// Where the value of an allocated element comes from: nullopt if no exchange brings one.
template <int N>
std::optional<index<N>> origin(index<N> at, box<N> const& owned, std::array<index_t, max_dims> const& extents, asked const& what) {
    int outside = 0;
    for (std::size_t d = 0; d < N; ++d) {
        index_t const below = owned.lower[d] - at[d], above = at[d] - owned.upper[d] + 1;
        if (below <= 0 && above <= 0) continue;
        ++outside;
        if (below > 0 ? below > what.lower[d] : above > what.upper[d]) return std::nullopt;
        if (at[d] < 0 || at[d] >= extents[d]) {
            if (!what.periodic[d]) return std::nullopt;
            at[d] = (at[d] % extents[d] + extents[d]) % extents[d]; // more than once around, if the halo is wider than the array
        }
    }
    if (outside > 1 && !what.corners) return std::nullopt;
    return at;
}

} // namespace sode::internal::testing
