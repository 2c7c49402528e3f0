// SPDX-License-Identifier: Apache-2.0
#include "plan/proof/clock.hpp"

#include <algorithm>

namespace sode::internal::proof {
namespace {

auto find(clock const& c, std::uint32_t rank) noexcept {
    return std::lower_bound(c.known.begin(), c.known.end(), rank, [](clock::entry e, std::uint32_t r) { return e.rank < r; });
}

} // namespace

std::uint32_t clock_pool::at(clock const& c, std::uint32_t actor) const noexcept {
    auto const rank = job_.rank_of(actor);
    auto const e = find(c, rank);
    return e == c.known.end() || e->rank != rank ? 0 : values_[e->row + job_.place_of(actor)];
}

void clock_pool::set(clock& c, std::uint32_t actor, std::uint32_t time) {
    auto const rank = job_.rank_of(actor);
    auto const width = job_.actors(rank);
    auto const fresh = static_cast<row>(values_.size());
    values_.resize(values_.size() + width);
    auto const e = c.known.begin() + (find(c, rank) - c.known.cbegin());
    if (e != c.known.end() && e->rank == rank) {
        std::copy_n(values_.begin() + e->row, width, values_.begin() + fresh);
        e->row = fresh;
    } else {
        c.known.insert(e, {rank, fresh});
    }
    values_[fresh + job_.place_of(actor)] = time;
}

template <class Choose> clock_pool::row clock_pool::combined(std::uint32_t rank, row a, row b, Choose choose) {
    auto const width = job_.actors(rank);
    auto const fresh = static_cast<row>(values_.size());
    values_.resize(values_.size() + width);
    for (std::uint32_t i = 0; i < width; ++i) values_[fresh + i] = choose(values_[a + i], values_[b + i]);
    return fresh;
}

clock_pool::row clock_pool::joined(std::uint32_t rank, row a, row b) {
    if (a == b) return a;
    bool a_knows_all = true, b_knows_all = true;
    for (std::uint32_t i = 0; i < job_.actors(rank); ++i) {
        a_knows_all &= values_[a + i] >= values_[b + i];
        b_knows_all &= values_[a + i] <= values_[b + i];
    }
    if (a_knows_all) return a;
    if (b_knows_all) return b;
    return combined(rank, a, b, [](auto x, auto y) { return std::max(x, y); });
}

void clock_pool::join(clock& into, clock const& other) {
    auto& mine = into.known;
    std::size_t i = 0;
    for (auto const& theirs : other.known) {
        while (i < mine.size() && mine[i].rank < theirs.rank) ++i;
        if (i < mine.size() && mine[i].rank == theirs.rank)
            mine[i].row = joined(theirs.rank, mine[i].row, theirs.row);
        else
            mine.insert(mine.begin() + static_cast<std::ptrdiff_t>(i), theirs);
    }
}

clock clock_pool::meet(clock const& a, clock const& b) {
    clock result;
    for (auto const& e : a.known) {
        auto const f = find(b, e.rank);
        if (f == b.known.end() || f->rank != e.rank) continue;
        result.known.push_back(
            {e.rank, e.row == f->row ? e.row : combined(e.rank, e.row, f->row, [](auto x, auto y) { return std::min(x, y); })});
    }
    return result;
}

} // namespace sode::internal::proof
