// SPDX-License-Identifier: Apache-2.0
#include "elements.hpp"

#include "process.hpp"
#include "shares.hpp"
#include <algorithm>

namespace sode::xmp {

elements::elements(char const* at, xmp_desc_t descriptor) : array_(array_of(descriptor)) {
    if (!array_ || !array_->state->array)
        fail(at, "the argument is not a distributed array with memory", "pass aligned arrays: x[:], or xmp_desc_of(x)");
    auto const& s = state();
    check(at, sode_array_view(s.array, nullptr, strides_.data(), nullptr, nullptr), s.job);
    for (std::size_t d = 0; d < static_cast<std::size_t>(s.dims); ++d) {
        check(at, sode_grid_dimension(s.grid, static_cast<int>(d), &shares_[d]), s.job);
        count_ *= s.extents[d];
    }
}

std::array<int, most_dims> elements::coordinates(std::int64_t number) const {
    auto const& s = state();
    auto const& nodes = *s.along->onto;
    std::array<int, most_dims> at{};
    for (std::size_t d = 0; d < static_cast<std::size_t>(nodes.dims); ++d) at[d] = std::max(nodes.coordinates[d], 0);
    for (auto d = static_cast<std::size_t>(s.dims); d-- > 0; number /= s.extents[d]) {
        if (s.targets[d] < 0) continue;
        auto const t = static_cast<std::size_t>(s.targets[d]);
        auto const& is = s.along->shares[t];
        if (is.node_dimension < 0) continue;
        auto const i = number % s.extents[d] + s.offsets[d];
        auto const& f = s.along->formats[t];
        std::int64_t c = 0;
        if (f.kind == SODE_CYCLIC)
            c = i / is.chunk % is.nodes;
        else if (f.kind == SODE_BLOCK)
            c = i / block_width(*s.along, t);
        else
            for (auto end = f.widths[0]; i >= end; end += f.widths[c]) ++c;
        at[static_cast<std::size_t>(is.node_dimension)] = static_cast<int>(c);
    }
    return at;
}

int elements::rank_at(std::array<int, most_dims> const& coordinates) const {
    auto const& nodes = *state().along->onto;
    std::size_t k = 0;
    for (std::size_t d = 0; d < static_cast<std::size_t>(nodes.dims); ++d)
        k = k * static_cast<std::size_t>(nodes.extents[d]) + static_cast<std::size_t>(coordinates[d]);
    auto const& all = nodes.within->ranks;
    return static_cast<int>(std::ranges::find(all, nodes.ranks[k]) - all.begin());
}

int elements::owner(std::int64_t number) const {
    return rank_at(coordinates(number));
}

void elements::each_owner(std::int64_t number, std::function<void(int)> const& act) const {
    auto const& s = state();
    auto const& nodes = *s.along->onto;
    std::array<bool, most_dims> followed{};
    for (std::size_t d = 0; d < static_cast<std::size_t>(s.dims); ++d)
        if (s.targets[d] >= 0)
            if (auto const k = s.along->shares[static_cast<std::size_t>(s.targets[d])].node_dimension; k >= 0)
                followed[static_cast<std::size_t>(k)] = true;
    auto const all = static_cast<std::size_t>(nodes.dims);
    auto at = coordinates(number);
    for (std::size_t d = 0; d < all; ++d)
        if (!followed[d]) at[d] = 0;
    for (;;) {
        act(rank_at(at));
        auto d = all;
        while (d-- > 0) {
            if (followed[d]) continue;
            if (++at[d] < nodes.extents[d]) break;
            at[d] = 0;
        }
        if (d == static_cast<std::size_t>(-1)) return;
    }
}

char* elements::place(std::int64_t number) const {
    auto const& s = state();
    std::int64_t at = 0;
    for (auto d = static_cast<std::size_t>(s.dims); d-- > 0; number /= s.extents[d]) {
        auto const i = number % s.extents[d];
        at += (shares_[d].chunk > 0 ? sode_xmp_place(array_, static_cast<int>(d), i) : i) * strides_[d];
    }
    return static_cast<char*>(array_->base) + at * static_cast<std::int64_t>(bytes());
}

void elements::each_owned(std::function<void(std::int64_t, char*)> const& act) const {
    auto const& s = state();
    std::vector<std::vector<std::int64_t>> mine(static_cast<std::size_t>(s.dims));
    for (std::size_t d = 0; d < mine.size(); ++d) {
        auto const& is = shares_[d];
        if (is.coordinate < 0) return;
        for (std::int64_t i = is.chunk > 0 ? 0 : is.lower; i < (is.chunk > 0 ? is.extent : is.upper); ++i)
            if (owned(is, i)) mine[d].push_back(i);
        if (mine[d].empty()) return;
    }
    std::vector<std::size_t> at(mine.size(), 0);
    for (;;) {
        std::int64_t number = 0;
        for (std::size_t d = 0; d < mine.size(); ++d) number = number * s.extents[d] + mine[d][at[d]];
        act(number, place(number));
        auto d = mine.size();
        while (d-- > 0) {
            if (++at[d] < mine[d].size()) break;
            at[d] = 0;
        }
        if (d == static_cast<std::size_t>(-1)) return;
    }
}

std::int64_t elements::number(char const* at, std::vector<std::int64_t> const& indices) const {
    auto const& s = state();
    std::int64_t number = 0;
    for (std::size_t d = 0; d < indices.size(); ++d) {
        if (indices[d] < 0 || indices[d] >= s.extents[d])
            fail(at,
                 "index " + std::to_string(indices[d]) + " of array \"" + s.name + "\" does not exist (dimension " +
                     std::to_string(d) + " has " + std::to_string(s.extents[d]) + ")",
                 "count indices from 0");
        number = number * s.extents[d] + indices[d];
    }
    return number;
}

void require_made_by_caller(char const* at, sode_xmp_array_state const& array) {
    if (process::here().job_of(at, process::here().executing()) != array.job)
        fail(at, "array \"" + array.name + "\" was created on other nodes than the nodes that call this function",
             "call the function outside of the task, or create the array inside the task");
}

void run_once(char const* at, sode_runtime* job, sode_collective* plan) {
    check(at, sode_collective_start(plan), job);
    check(at, sode_collective_wait(plan), job);
    sode_collective_destroy(plan);
}

std::vector<std::vector<char>> exchanged(char const* at, sode_runtime* job, std::vector<std::vector<char>> const& to_each) {
    auto const all = to_each.size();
    auto const swap = [&](std::vector<sode_piece> const& given, std::vector<sode_piece> const& got) {
        sode_collective* plan = nullptr;
        check(at, sode_alltoall_init(job, given.data(), got.data(), &plan), job);
        run_once(at, job, plan);
    };
    std::vector<std::int64_t> sent(all), coming(all);
    std::vector<sode_piece> given(all), got(all);
    for (std::size_t k = 0; k < all; ++k) {
        sent[k] = static_cast<std::int64_t>(to_each[k].size());
        given[k] = {&sent[k], sizeof(std::int64_t)};
        got[k] = {&coming[k], sizeof(std::int64_t)};
    }
    swap(given, got);
    std::vector<std::vector<char>> from_each(all);
    for (std::size_t k = 0; k < all; ++k) {
        from_each[k].resize(static_cast<std::size_t>(coming[k]));
        given[k] = {const_cast<char*>(to_each[k].data()), to_each[k].size()};
        got[k] = {from_each[k].data(), from_each[k].size()};
    }
    swap(given, got);
    return from_each;
}

} // namespace sode::xmp
