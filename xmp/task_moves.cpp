// SPDX-License-Identifier: Apache-2.0
// `gmove` in a task, of arrays that also lie on other nodes: what it names must be on the executing ones.
#include "task_moves.hpp"

#include "elements.hpp"
#include "named_elements.hpp"
#include "process.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

namespace sode::xmp {
namespace {

// An array's job counts other ranks than the executing set.
int rank_of(elements const& all, int owner) {
    return all.state().along->onto->within->ranks[static_cast<std::size_t>(owner)];
}

[[noreturn]] void is_elsewhere(char const* at, elements const& all, std::vector<std::int64_t> const& indices, int rank,
                               std::string const& mode, bool written) {
    auto name = all.state().name;
    for (auto const i : indices) name += "[" + std::to_string(i) + "]";
    auto const where = name + ", which is on rank " + std::to_string(rank);
    if (mode.empty())
        fail(at, "gmove names " + where + " (a gmove without `in` or `out` moves elements among the nodes that execute it)",
             std::string{"write `gmove "} + (written ? "out" : "in") + "`, or execute the gmove on that rank, too");
    fail(at, "gmove" + mode + (written ? " writes " : " reads ") + where + " (that rank does not execute it)",
         "execute the gmove on that rank, too");
}

// One side: nothing but its own memory, or an array.
struct side_at_work {
    side_at_work(char const* at, sode_xmp_side const& side)
        : named(side), all(side.array ? std::make_unique<elements>(at, side.array) : nullptr) {}

    named_elements named;
    std::unique_ptr<elements> all;
};

} // namespace

std::vector<std::size_t> executing_owners(elements const& all, std::int64_t number) {
    auto const& executing = process::here().executing().ranks;
    std::vector<std::size_t> owners;
    all.each_owner(number, [&](int owner) {
        auto const found = std::ranges::find(executing, rank_of(all, owner));
        if (found != executing.end()) owners.push_back(static_cast<std::size_t>(found - executing.begin()));
    });
    std::ranges::sort(owners);
    return owners;
}

void require_named_here(char const* at, sode_xmp_side const& side, bool written, char const* mode) {
    if (!side.array) return;
    elements const all(at, side.array);
    named_elements const named(side);
    auto const& executing = process::here().executing().ranks;
    for (std::int64_t k = 0; k < named.count(); ++k) {
        auto const indices = named.indices(k);
        int here = 0, elsewhere = -1;
        all.each_owner(all.number(at, indices), [&](int owner) {
            auto const rank = rank_of(all, owner);
            if (std::ranges::find(executing, rank) != executing.end())
                ++here;
            else
                elsewhere = rank;
        });
        if (here == 0 || (written && elsewhere >= 0)) is_elsewhere(at, all, indices, elsewhere, mode, written);
    }
}

void move_among(char const* at, sode_xmp_side const& to, sode_xmp_side const& from) {
    auto& nodes = process::here().executing();
    auto* const job = process::here().job_of(at, nodes);
    require_named_here(at, from, false, "");
    require_named_here(at, to, true, "");
    side_at_work const source(at, from), target(at, to);
    auto const count = source.named.count();
    auto const bytes = static_cast<std::size_t>(from.type >> 8);
    auto const mine = static_cast<std::size_t>(nodes.mine);
    std::vector<std::size_t> everyone(nodes.ranks.size());
    std::iota(everyone.begin(), everyone.end(), std::size_t{0});
    // act(k, giver, taker) for each copy of an element, in an order that is the same on all nodes.
    auto const each = [&](auto const& act) {
        for (std::int64_t k = 0; k < count; ++k) {
            auto const owners =
                source.all ? executing_owners(*source.all, source.all->number(at, source.named.indices(k))) : everyone;
            auto const takers =
                target.all ? executing_owners(*target.all, target.all->number(at, target.named.indices(k))) : everyone;
            for (auto const taker : takers) act(k, std::ranges::binary_search(owners, taker) ? taker : owners.front(), taker);
        }
    };
    auto const place_in = [&](side_at_work const& side, std::int64_t k) {
        return side.all ? side.all->place(side.all->number(at, side.named.indices(k))) : side.named.local(k);
    };
    std::vector<std::vector<char>> given(everyone.size());
    each([&](std::int64_t k, std::size_t giver, std::size_t taker) {
        if (giver != mine) return;
        auto const* const value = place_in(source, k);
        given[taker].insert(given[taker].end(), value, value + bytes);
    });
    auto const got = exchanged(at, job, given);
    std::vector<std::size_t> taken(everyone.size(), 0);
    each([&](std::int64_t k, std::size_t giver, std::size_t taker) {
        if (taker != mine) return;
        std::copy_n(got[giver].data() + taken[giver], bytes, place_in(target, k));
        taken[giver] += bytes;
    });
    if (to.array && to.array->state->watched) to.array->state->watched->replaced(at, "gmove");
}

} // namespace sode::xmp
