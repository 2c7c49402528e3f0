// SPDX-License-Identifier: Apache-2.0
#include "array/brought.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <span>
#include <vector>

namespace sode::internal {
namespace {

constexpr index_t longest = index_t{1} << 56; // as of arrays of Sode's own

// What ranks tell each other.
struct notice {
    std::uint64_t fingerprint = 0;
    std::uint32_t has_memory = 0;
    std::uint32_t knows_extents = 0;
    std::array<index_t, max_dims> strides{};
    std::array<index_t, max_dims> extents{};
    index_t elements = -1;
    index_t apart = -1; // bytes between two halves; -1: there is one
};
static_assert(std::has_unique_object_representations_v<notice>, "it travels as bytes");

std::string counts(geometry const& g, geometry::block const& b) {
    std::vector<index_t> sizes;
    for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d) sizes.push_back(b[d].size());
    return fmt::format("{}", fmt::join(sizes, " x "));
}

std::string strange_stride(geometry const& g, notice const& n, int rank, std::size_t d) {
    return fmt::format("rank {} attaches array \"{}\" with a stride of {} in dimension {}", rank, g.name, n.strides[d], d);
}

void check_extents(geometry const& g, geometry::block const& block, notice const& n, int rank) {
    auto const dims = static_cast<std::size_t>(g.dims);
    auto const told = std::span{n.extents}.first(dims);
    for (std::size_t d = 0; d < dims && n.knows_extents; ++d)
        if (told[d] != block[d].size())
            throw error{error_kind::usage,
                        fmt::format("rank {} attaches {} elements to array \"{}\"", rank, fmt::join(told, " x "), g.name),
                        fmt::format("the block with its shadow has {} elements", counts(g, block)),
                        "allocate memory for the block with its shadow, and attach all of this memory"};
}

// Elements are apart if each stride is longer than all that lies within it.
void check_strides(geometry const& g, geometry::block const& block, notice const& n, int rank) {
    std::vector<std::size_t> dims;
    for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d)
        if (block[d].size() > 1) dims.push_back(d); // the stride of a single element is never gone
    std::sort(dims.begin(), dims.end(), [&](auto a, auto b) { return n.strides[a] < n.strides[b]; });
    index_t reach = 1;
    for (auto const d : dims) {
        if (n.strides[d] < 1)
            throw error{error_kind::usage, strange_stride(g, n, rank, d), "a stride counts elements, and must be 1 or more",
                        "pass strides of 1 or more elements"};
        if (n.strides[d] < reach)
            throw error{error_kind::usage, strange_stride(g, n, rank, d),
                        fmt::format("elements overlap: dimensions with smaller strides span {} elements, and the block with its "
                                    "shadow has {} elements",
                                    reach, counts(g, block)),
                        "pass strides, in elements, that give each element of the block a separate address"};
        index_t further = 0;
        if (__builtin_mul_overflow(block[d].size() - 1, n.strides[d], &further) || further >= longest / g.element_bytes - reach)
            throw error{error_kind::usage, strange_stride(g, n, rank, d),
                        "with this stride, the block would span more than 2^56 bytes",
                        "pass strides that count elements, not bytes"};
        reach += further;
    }
    if (n.elements >= 0 && n.elements < reach)
        throw error{error_kind::usage, fmt::format("rank {} attaches {} elements to array \"{}\"", rank, n.elements, g.name),
                    fmt::format("the block with its shadow has {} elements, and spans {} elements with these strides",
                                counts(g, block), reach),
                    "allocate memory for the block with its shadow, and attach all of this memory"};
}

// now() and next() are views, and rows of a view are contiguous.
void check_halves(geometry const& g, geometry::block const& block, notice const& n, int rank) {
    auto const last = static_cast<std::size_t>(g.dims - 1);
    auto const row = block[last].size();
    if (row > 1 && n.strides[last] != 1)
        throw error{error_kind::usage, strange_stride(g, n, rank, last),
                    "the last dimension of a buffered array must have stride 1",
                    "order the dimensions so that the last dimension has stride 1"};
    if (n.apart < row * g.element_bytes)
        throw error{
            error_kind::usage, fmt::format("rank {} attaches array \"{}\" with two overlapping buffers", rank, g.name),
            fmt::format("the buffers begin {} bytes apart, which is less than a row of {} bytes", n.apart, row * g.element_bytes),
            "attach separate memory for each buffer"};
}

void check(geometry const& g, notice const& n, int rank) {
    auto const block = g.allocated(rank);
    if (block[0].size() == 0) return;
    if (n.has_memory == 0)
        throw error{error_kind::usage, fmt::format("rank {} attaches no memory to array \"{}\"", rank, g.name),
                    fmt::format("the pointer is null, and the block with its shadow has {} elements", counts(g, block)),
                    "pass the address of the first element of the block with its shadow"};
    check_extents(g, block, n, rank);
    check_strides(g, block, n, rank);
    if (n.apart >= 0) check_halves(g, block, n, rank);
}

index_t bytes_between(std::byte const* a, std::byte const* b) {
    auto const at = [](std::byte const* p) { return reinterpret_cast<std::intptr_t>(p); };
    return std::abs(at(a) - at(b));
}

} // namespace

void settle_strides(bootstrap& boot, geometry& g, detail::field::memory const& mine, int halves) {
    auto const ranks = static_cast<std::size_t>(boot.size());
    bool const has_all = mine.first && (halves == 1 || mine.other);
    notice const own{g.fingerprint(),
                     has_all ? 1U : 0U,
                     mine.knows_extents ? 1U : 0U,
                     mine.strides,
                     mine.extents,
                     mine.elements,
                     halves == 1 ? -1 : bytes_between(mine.first, mine.other)};
    std::vector<notice> all(ranks);
    boot.allgather(&own, sizeof own, all.data());
    for (std::size_t r = 0; r < ranks; ++r)
        if (all[r].fingerprint != all[0].fingerprint)
            throw error{error_kind::usage, fmt::format("ranks 0 and {} attach different arrays as \"{}\"", r, g.name),
                        "the grid, the shadow and the element type must be equal on all ranks",
                        "compute the arguments of attach() from values that are equal on all ranks"};
    for (std::size_t r = 0; r < ranks; ++r) check(g, all[r], static_cast<int>(r));
    g.brought.resize(ranks);
    for (std::size_t r = 0; r < ranks; ++r)
        for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d) {
            bool const stays = g.allocated(static_cast<int>(r))[d].size() <= 1;
            g.brought[r][d] = stays ? g.element_bytes : all[r].strides[d] * g.element_bytes;
        }
}

} // namespace sode::internal
