// SPDX-License-Identifier: Apache-2.0
#include <sode/gather.hpp>

#include "model/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sode {
namespace {

using ranges = geometry::block;
using place = std::array<index_t, max_dims>;

std::size_t dims_of(geometry const& g) {
    return static_cast<std::size_t>(g.dims);
}

ranges overlap(geometry const& g, ranges a, ranges const& b) {
    for (std::size_t d = 0; d < dims_of(g); ++d) a[d] = {std::max(a[d].lower, b[d].lower), std::min(a[d].upper, b[d].upper)};
    return a;
}

index_t elements(geometry const& g, ranges const& b) {
    index_t n = 1;
    for (std::size_t d = 0; d < dims_of(g); ++d) n *= b[d].size();
    return n;
}

index_t bytes(geometry const& g, ranges const& b) {
    return elements(g, b) * g.components * g.element_bytes;
}

/// What `rank` has to give. Where several ranks hold copies, the first of them gives.
ranges share(geometry const& g, ranges const& part, int rank) {
    auto const piece = overlap(g, part, g.owned(rank));
    if (elements(g, piece) == 0) return {};
    place first{};
    for (std::size_t d = 0; d < dims_of(g); ++d) first[d] = piece[d].lower;
    return g.owner(first) == rank ? piece : ranges{};
}

/// Calls row(at) for the first index of every row of `b`.
template <class F> void for_each_row(geometry const& g, ranges const& b, F row) {
    if (elements(g, b) == 0) return;
    auto const last = dims_of(g) - 1;
    place at{};
    for (std::size_t d = 0; d <= last; ++d) at[d] = b[d].lower;
    for (;;) {
        row(at);
        auto d = last;
        while (d-- > 0) {
            if (++at[d] < b[d].upper) break;
            at[d] = b[d].lower;
        }
        if (d == static_cast<std::size_t>(-1)) return;
    }
}

std::vector<std::byte> pack(geometry const& g, ranges const& piece, int rank, std::byte const* memory) {
    std::vector<std::byte> packed(static_cast<std::size_t>(bytes(g, piece)));
    auto const row = static_cast<std::size_t>(piece[dims_of(g) - 1].size() * g.element_bytes);
    auto* to = packed.data();
    for (index_t c = 0; c < g.components; ++c)
        for_each_row(g, piece, [&](place const& at) {
            std::memcpy(to, memory + c * g.component_bytes(rank) + g.offset(rank, at), row);
            to += row;
        });
    return packed;
}

void unpack(geometry const& g, ranges const& piece, std::byte const* packed, ranges const& part, std::byte* into) {
    auto const row = static_cast<std::size_t>(piece[dims_of(g) - 1].size() * g.element_bytes);
    for (index_t c = 0; c < g.components; ++c)
        for_each_row(g, piece, [&](place const& at) {
            index_t element = c;
            for (std::size_t d = 0; d < dims_of(g); ++d) element = element * part[d].size() + at[d] - part[d].lower;
            std::memcpy(into + element * g.element_bytes, packed, row);
            packed += row;
        });
}

void require_inside(geometry const& g, ranges const& part) {
    for (std::size_t d = 0; d < dims_of(g); ++d)
        if (part[d].size() > 0 && (part[d].lower < 0 || part[d].upper > g.axes[d].extent))
            throw error{error_kind::usage, fmt::format("a part to gather is not in array \"{}\"", g.name),
                        fmt::format("indices {} to {} of dimension {}, which has {}", part[d].lower, part[d].upper - 1, d,
                                    g.axes[d].extent),
                        "indices are global and begin at 0"};
}

void require_agreement(detail::job& j, geometry const& g, ranges const& part, int root) {
    std::vector<index_t> mine{static_cast<index_t>(g.fingerprint()), root};
    for (auto const& s : part) mine.insert(mine.end(), {s.lower, s.upper});
    std::vector<index_t> all(mine.size() * static_cast<std::size_t>(j.boot->size()));
    j.boot->allgather(mine.data(), mine.size() * sizeof(index_t), all.data());
    for (std::size_t r = 0; r * mine.size() < all.size(); ++r)
        if (!std::equal(mine.begin(), mine.end(), all.begin() + static_cast<std::ptrdiff_t>(r * mine.size())))
            throw error{error_kind::usage,
                        fmt::format("ranks {} and {} do not gather the same of array \"{}\"", j.boot->rank(), r, g.name),
                        "the array's shape, the part or the root differ", "call gather() alike on every rank"};
}

} // namespace

int detail::rank_in(halo_source const& from) noexcept {
    return from.owner->boot->rank();
}

void detail::gather(halo_source const& from, geometry::block const& part, int root, std::byte* into) {
    auto& j = *from.owner;
    auto const& g = *from.shape;
    int const me = j.boot->rank();
    auto const ranks = static_cast<std::size_t>(j.boot->size());
    if (j.settings.check.collective) require_agreement(j, g, part, root);
    if (root < 0 || root >= j.boot->size())
        throw error{error_kind::usage, fmt::format("rank {} cannot gather array \"{}\"", root, g.name),
                    fmt::format("the job has ranks 0 to {}", ranks - 1), "choose another root"};
    require_inside(g, part);

    std::vector<ranges> pieces;
    index_t longest = 0;
    for (int r = 0; r < j.boot->size(); ++r) {
        pieces.push_back(share(g, part, r));
        longest = std::max(longest, bytes(g, pieces.back()));
    }
    auto const* const memory = from.memory[from.half ? static_cast<std::size_t>(*from.half) : 0].get();
    auto packed = pack(g, pieces[static_cast<std::size_t>(me)], me, memory);
    packed.resize(static_cast<std::size_t>(longest)); // allgather wants equal lengths

    constexpr std::size_t room = std::size_t{4} << 20U, page = 4096;
    auto const most = std::min(std::max(room / ranks, page), packed.size());
    std::vector<std::byte> round(most * ranks);
    std::vector<std::vector<std::byte>> arrived(me == root ? ranks : 0);
    for (std::size_t first = 0; first < packed.size(); first += most) {
        auto const now = std::min(most, packed.size() - first);
        j.boot->allgather(packed.data() + first, now, round.data());
        for (std::size_t r = 0; r < arrived.size(); ++r) {
            auto const left = static_cast<std::size_t>(bytes(g, pieces[r])) - arrived[r].size();
            auto const* const from_r = round.data() + r * now;
            arrived[r].insert(arrived[r].end(), from_r, from_r + std::min(left, now));
        }
    }
    for (std::size_t r = 0; r < arrived.size(); ++r) unpack(g, pieces[r], arrived[r].data(), part, into);
}

} // namespace sode
