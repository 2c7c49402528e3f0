// SPDX-License-Identifier: Apache-2.0
#include <sode/error.hpp>
#include <sode/geometry.hpp>
#include <sode/nodes.hpp>

#include "array/machine_blocks.hpp"
#include "model/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace sode {
using namespace internal;

int node_grid::size() const noexcept {
    int n = 1;
    for (int d = 0; d < dims; ++d) n *= extent[static_cast<std::size_t>(d)];
    return n;
}

int node_grid::rank_of(std::array<int, max_dims> const& coordinates) const {
    std::size_t k = 0;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d)
        k = k * static_cast<std::size_t>(extent[d]) + static_cast<std::size_t>(coordinates[d]);
    return mapping.empty() ? static_cast<int>(k) : mapping[k];
}

std::vector<int> node_grid::ranks() const {
    if (!mapping.empty()) return {mapping.begin(), mapping.end()};
    std::vector<int> list(static_cast<std::size_t>(size()));
    std::iota(list.begin(), list.end(), 0);
    return list;
}

std::array<int, max_dims> node_grid::coordinates(int rank) const {
    std::array<int, max_dims> result{};
    auto k = static_cast<std::ptrdiff_t>(rank);
    if (!mapping.empty()) k = mapping.node_of(rank);
    if (k < 0 || k >= size()) {
        result.fill(-1);
        return result;
    }
    for (auto d = static_cast<std::size_t>(dims); d-- > 0; k /= extent[d]) result[d] = static_cast<int>(k % extent[d]);
    return result;
}

namespace {

using extents = std::array<int, max_dims>;

std::string text(std::span<node_extent const> list) {
    std::string result;
    for (auto const& e : list)
        result += (result.empty() ? "" : " x ") + (e.open() ? std::string{"any"} : std::to_string(e.value()));
    return result;
}

// Prime factors go, largest first, to the open dimension that has least so far; then the larger products come first.
void factorise(int ranks, std::span<node_extent const> list, extents& result) {
    std::vector<int> primes;
    for (int p = 2; p * p <= ranks; ++p)
        for (; ranks % p == 0; ranks /= p) primes.push_back(p);
    if (ranks > 1) primes.push_back(ranks);

    std::vector<int> parts(static_cast<std::size_t>(std::count_if(list.begin(), list.end(), [](auto e) { return e.open(); })), 1);
    for (auto p = primes.rbegin(); p != primes.rend(); ++p) *std::min_element(parts.begin(), parts.end()) *= *p;
    std::sort(parts.begin(), parts.end(), std::greater{});

    auto next = parts.begin();
    for (std::size_t d = 0; d < list.size(); ++d)
        if (list[d].open()) result[d] = *next++;
}

void check_mapping(std::vector<int> const& mapping, int size, int ranks) {
    if (static_cast<int>(mapping.size()) != size)
        throw error{error_kind::usage, fmt::format("a mapping of {} ranks does not fit a grid of {} nodes", mapping.size(), size),
                    "a mapping lists the rank of each node in row-major order", "pass one rank for each node, or no mapping"};
    std::vector<bool> seen(static_cast<std::size_t>(ranks));
    for (int const r : mapping) {
        if (r < 0 || r >= ranks)
            throw error{error_kind::usage, fmt::format("the mapping contains rank {}", r), fmt::format("there are {} ranks", ranks),
                        "count ranks from 0"};
        if (seen[static_cast<std::size_t>(r)])
            throw error{error_kind::usage, fmt::format("the mapping contains rank {} twice", r),
                        "a rank can be only one node of a grid", "list each rank at most once"};
        seen[static_cast<std::size_t>(r)] = true;
    }
}

} // namespace

node_grid detail::make_node_grid(int ranks, std::span<node_extent const> list, std::vector<int> mapping) {
    node_grid grid;
    grid.dims = static_cast<int>(list.size());
    index_t fixed = 1;
    bool open = false;
    for (std::size_t d = 0; d < list.size(); ++d) {
        open = open || list[d].open();
        if (list[d].open()) continue;
        if (list[d].value() < 1)
            throw error{error_kind::usage, fmt::format("a grid cannot have {} nodes", text(list)),
                        fmt::format("dimension {} has no node", d), "pass 1 or more nodes for each dimension"};
        grid.extent[d] = list[d].value();
        fixed *= grid.extent[d];
        if (fixed > ranks)
            throw error{error_kind::usage, fmt::format("a grid of {} nodes needs more ranks", text(list)),
                        fmt::format("the job has {} ranks", ranks), "start more ranks, or write sode::any for one of the extents"};
    }
    if (open) {
        if (ranks % fixed != 0)
            throw error{error_kind::usage, fmt::format("{} ranks do not fill a grid of {} nodes", ranks, text(list)),
                        fmt::format("{} is not a multiple of {}", ranks, fixed),
                        "start another number of ranks, or change the extents"};
        factorise(ranks / static_cast<int>(fixed), list, grid.extent);
    }
    if (!mapping.empty()) check_mapping(mapping, grid.size(), ranks);
    grid.mapping = std::move(mapping);
    return grid;
}

node_grid detail::make_node_grid(place const& where, std::span<node_extent const> list, node_order const& order,
                                 std::span<double const> face_costs) {
    auto grid = make_node_grid(where.ranks, list, order.ranks());
    if (order.automatic()) grid.mapping = order_by_machine(grid, machines_of(where), face_costs);
    return grid;
}

std::vector<int> internal::machines_of(detail::place const& where) {
    if (!where.job) return where.machines ? *where.machines : std::vector<int>{};
    auto const& machines = where.job->ranks->machines();
    return machines.one() ? std::vector<int>{} : machines.list();
}

node_grid detail::make_sub_grid(node_grid const& from, std::span<index_t const> lower, std::span<index_t const> upper, int dims) {
    node_grid grid;
    std::vector<int> ranks;
    grid.dims = dims;
    int superfluous = from.dims - dims, next = 0;
    std::array<int, max_dims> at{};
    for (std::size_t d = 0; d < lower.size(); ++d) {
        if (lower[d] < 0 || upper[d] > from.extent[d] || lower[d] >= upper[d])
            throw error{error_kind::usage,
                        fmt::format("nodes {} to {} cannot be a part of dimension {} of a grid", lower[d], upper[d] - 1, d),
                        fmt::format("the dimension has nodes 0 to {}", from.extent[d] - 1), "choose at least one of these nodes"};
        at[d] = static_cast<int>(lower[d]);
        if (upper[d] - lower[d] == 1 && superfluous > 0)
            --superfluous;
        else if (next < dims)
            grid.extent[static_cast<std::size_t>(next++)] = static_cast<int>(upper[d] - lower[d]);
        else
            throw error{error_kind::usage, fmt::format("a part of a grid has more than {} dimensions", dims),
                        fmt::format("there are several nodes in dimension {}", d),
                        "select one node in this dimension, or keep more dimensions"};
    }
    for (auto d = lower.size(); d > 0;) {
        ranks.push_back(from.rank_of(at));
        for (d = lower.size(); d > 0; --d) {
            if (++at[d - 1] < upper[d - 1]) break;
            at[d - 1] = static_cast<int>(lower[d - 1]);
        }
    }
    grid.mapping = std::move(ranks);
    return grid;
}

} // namespace sode
