// SPDX-License-Identifier: Apache-2.0
#include <sode/collect.hpp>

#include "array/site.hpp"
#include "base/activity.hpp"
#include "layout/copy_program.hpp"
#include "model/job.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sode {
using namespace internal;

namespace {

using ranges = geometry::block;

std::size_t dims_of(geometry const& g) {
    return static_cast<std::size_t>(g.dims);
}

// The result: the part's elements one behind the other.
site packed(geometry const& g, ranges const& part) {
    site s{.dims = g.dims, .element_bytes = g.element_bytes, .components = g.components};
    index_t bytes = g.element_bytes;
    for (auto d = dims_of(g); d-- > 0; bytes *= part[d].size()) s.strides[d] = bytes;
    s.component_bytes = bytes;
    return s;
}

// Some elements of `rank`, where they lie there and where in the result.
struct piece {
    layout source;
    layout result;
};

/// What `rank` has to give. Where several ranks hold copies, the first of them gives.
std::vector<piece> share(geometry const& g, ranges const& part, int rank) {
    std::vector<piece> pieces;
    auto const coordinates = g.grid.coordinates(rank);
    if (coordinates[0] < 0) return pieces;
    std::array<bool, max_dims> decided{};
    std::vector<strand> strands;
    std::vector<std::vector<strip>> strips;
    for (std::size_t d = 0; d < dims_of(g); ++d) {
        axis const& a = g.axes[d];
        auto const k = static_cast<std::size_t>(a.grid_dim);
        if (a.grid_dim >= 0) decided[k] = true;
        strands.push_back({&a, a.grid_dim < 0 ? 0 : coordinates[k], {part[d].lower, part[d].upper, 1}});
        strips.push_back(common_strips(strands.back(), strands.back()));
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(g.grid.dims); ++k)
        if (!decided[k] && coordinates[k] != 0) return pieces;
    site const here = site_of(g, rank), there = packed(g, part);
    for_each_choice(strips, [&](std::vector<strip> const& choice) {
        std::array<stretch, max_dims> source, result;
        for (std::size_t d = 0; d < choice.size(); ++d) {
            auto const& r = choice[d];
            source[d] = stretch_of(strands[d], r);
            result[d] = {.place = r.first, .length = r.length, .recurs = r.count > 1 ? r.period : 0, .count = r.count};
        }
        pieces.push_back(
            {layout_of(here, std::span{source}.first(choice.size())), layout_of(there, std::span{result}.first(choice.size()))});
    });
    return pieces;
}

std::size_t bytes_of(std::vector<piece> const& pieces) {
    index_t bytes = 0;
    for (auto const& p : pieces) bytes += p.source.bytes();
    return static_cast<std::size_t>(bytes);
}

std::vector<std::byte> pack(std::vector<piece> const& pieces, std::byte const* memory) {
    std::vector<std::byte> packed(bytes_of(pieces));
    auto* to = packed.data();
    for (auto const& p : pieces) {
        run(compile_pack(p.source), to, memory);
        to += p.source.bytes();
    }
    return packed;
}

void unpack(std::vector<piece> const& pieces, std::byte const* packed, std::byte* into) {
    for (auto const& p : pieces) {
        run(compile_unpack(p.result), into, packed);
        packed += p.source.bytes();
    }
}

void require_inside(geometry const& g, ranges const& part) {
    for (std::size_t d = 0; d < dims_of(g); ++d)
        if (part[d].size() > 0 && (part[d].lower < 0 || part[d].upper > g.axes[d].extent))
            throw error{error_kind::usage, fmt::format("a part to collect reaches outside array \"{}\"", g.name),
                        fmt::format("indices {} to {} of dimension {}, which has {} elements", part[d].lower, part[d].upper - 1, d,
                                    g.axes[d].extent),
                        "use global indices, counted from 0"};
}

void require_agreement(detail::job& j, geometry const& g, ranges const& part, int root) {
    std::vector<index_t> mine{static_cast<index_t>(g.fingerprint()), root};
    for (auto const& s : part) mine.insert(mine.end(), {s.lower, s.upper});
    std::vector<index_t> all(mine.size() * static_cast<std::size_t>(j.boot->size()));
    j.boot->allgather(mine.data(), mine.size() * sizeof(index_t), all.data());
    for (std::size_t r = 0; r * mine.size() < all.size(); ++r)
        if (!std::equal(mine.begin(), mine.end(), all.begin() + static_cast<std::ptrdiff_t>(r * mine.size())))
            throw error{error_kind::usage, fmt::format("rank {} and this rank collect different parts of array \"{}\"", r, g.name),
                        "the array's shape, the part or the root differs", "call collect() with the same arguments on every rank"};
}

} // namespace

int detail::rank_in(halo_source const& from) noexcept {
    return from.owner->boot->rank();
}

void detail::collect(halo_source const& from, geometry::block const& part, int root, std::byte* into) {
    doing const what{activity::collect};
    auto& j = *from.owner;
    auto const& g = *from.shape;
    int const me = j.boot->rank();
    auto const ranks = static_cast<std::size_t>(j.boot->size());
    if (j.settings.check.collective) require_agreement(j, g, part, root);
    if (root < 0 || root >= j.boot->size())
        throw error{error_kind::usage, fmt::format("rank {} cannot collect array \"{}\"", root, g.name),
                    fmt::format("the job has ranks 0 to {}", ranks - 1), "choose one of these ranks as the root"};
    require_inside(g, part);

    std::vector<std::vector<piece>> pieces;
    std::size_t longest = 0;
    for (int r = 0; r < j.boot->size(); ++r) {
        pieces.push_back(share(g, part, r));
        longest = std::max(longest, bytes_of(pieces.back()));
    }
    auto const* const memory = from.memory[from.half ? static_cast<std::size_t>(*from.half) : 0].get();
    auto packed = pack(pieces[static_cast<std::size_t>(me)], memory);
    packed.resize(longest); // allgather wants equal lengths

    constexpr std::size_t room = std::size_t{4} << 20U, page = 4096;
    auto const most = std::min(std::max(room / ranks, page), packed.size());
    std::vector<std::byte> round(most * ranks);
    std::vector<std::vector<std::byte>> arrived(me == root ? ranks : 0);
    for (std::size_t first = 0; first < packed.size(); first += most) {
        auto const now = std::min(most, packed.size() - first);
        j.boot->allgather(packed.data() + first, now, round.data());
        for (std::size_t r = 0; r < arrived.size(); ++r) {
            auto const left = bytes_of(pieces[r]) - arrived[r].size();
            auto const* const from_r = round.data() + r * now;
            arrived[r].insert(arrived[r].end(), from_r, from_r + std::min(left, now));
        }
    }
    for (std::size_t r = 0; r < arrived.size(); ++r) unpack(pieces[r], arrived[r].data(), into);
}

} // namespace sode
