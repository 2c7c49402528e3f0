// SPDX-License-Identifier: Apache-2.0
// Arrays of some nodes in a task of these: what all nodes made together becomes something that these can use alone.
#include "seen_arrays.hpp"

#include "arrays.hpp"
#include "mappings.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace sode::xmp {
namespace {

// In the order in which they are made.
struct view {
    sode_nodes* nodes = nullptr;
    sode_grid* over = nullptr;
    seen_array seen;

    view() = default;
    view(view const&) = delete;
    view& operator=(view const&) = delete;
    ~view() {
        sode_array_destroy(seen.array);
        sode_grid_destroy(seen.grid);
        sode_grid_destroy(over);
        sode_nodes_destroy(nodes);
    }
};

using array_and_job = std::pair<sode_xmp_array_state const*, sode_runtime*>;

std::map<array_and_job, view>& views() {
    static auto* const all = new std::map<array_and_job, view>; // gone with their arrays
    return *all;
}

bool has_all(std::vector<int> const& nodes, std::vector<int> const& some) {
    return std::ranges::all_of(some, [&](int rank) { return std::ranges::find(nodes, rank) != nodes.end(); });
}

} // namespace

bool is_within(sode_xmp_array_state const& array, sode_xmp_set const& nodes) {
    auto const& onto = *array.along->onto;
    return has_all(nodes.ranks, onto.ranks) && has_all(onto.within->ranks, nodes.ranks);
}

seen_array seen_by(char const* at, sode_xmp_set& nodes, sode_xmp_array_state& array) {
    auto* const job = process::here().job_of(at, nodes);
    if (array.job == job) return {array.grid, array.array};
    auto const [found, is_new] = views().try_emplace({&array, job});
    auto& v = found->second;
    if (!is_new) return v.seen;
    auto const& t = *array.along;
    std::vector<int> ranks;
    for (int const rank : t.onto->ranks)
        ranks.push_back(static_cast<int>(std::ranges::find(nodes.ranks, rank) - nodes.ranks.begin()));
    check(at, sode_nodes_of_ranks(job, t.onto->dims, t.onto->extents.data(), ranks.data(), &v.nodes), job);
    std::array<std::int64_t, most_dims> extents{};
    for (std::size_t d = 0; d < most_dims; ++d) extents[d] = t.upper[d] - t.lower[d];
    check(at, sode_grid_distribute(v.nodes, t.dims, extents.data(), t.formats.data(), &v.over), job);
    check(at, sode_grid_align(v.over, array.dims, array.extents.data(), array.targets.data(), array.offsets.data(), &v.seen.grid),
          job);
    void* base = nullptr;
    std::array<std::int64_t, most_dims> strides{}, lower{};
    check(at, sode_array_view(array.array, &base, strides.data(), lower.data(), nullptr), array.job);
    std::int64_t before = 0;
    for (std::size_t d = 0; d < static_cast<std::size_t>(array.dims); ++d) before += lower[d] * strides[d];
    auto* const first = base ? static_cast<char*>(base) + before * static_cast<std::int64_t>(array.type >> 8) : nullptr;
    check(at,
          sode_array_attach(v.seen.grid, first, array.type, strides.data(), array.shadow.data(), array.name.c_str(), &v.seen.array),
          job);
    return v.seen;
}

void forget_seen(sode_xmp_array_state const& array) {
    std::erase_if(views(), [&](auto const& entry) { return entry.first.first == &array; });
}

} // namespace sode::xmp
