// SPDX-License-Identifier: Apache-2.0
// Index spaces, and the arrays in them.
#include "face_c/handles.hpp"
#include "face_c/types.hpp"

#include <sode/grid.hpp>
#include <sode/peer_view.hpp>

#include <fmt/format.h>

#include <array>
#include <span>
#include <vector>

namespace detail = sode::detail;
namespace face_c = sode::internal::face_c;
using sode::error;
using sode::error_kind;
using sode::max_dims;
using sode::node_extent;
using sode::shadow;
using sode::internal::face_c::guarded;
using sode::internal::face_c::job_of;
using sode::internal::face_c::required;

namespace {

std::size_t dims_of(detail::mapping const& where) noexcept {
    return static_cast<std::size_t>(where.dims);
}

shadow shadow_of(std::size_t dims, std::int64_t const* layers) {
    if (!layers) return {};
    std::vector<shadow::layers> each;
    for (std::size_t d = 0; d < dims; ++d)
        if (layers[2 * d] == -1 && layers[2 * d + 1] == -1)
            each.emplace_back(sode::full);
        else
            each.emplace_back(layers[2 * d], layers[2 * d + 1]);
    return shadow{std::span<shadow::layers const>{each}};
}

detail::field::kind kind_of(sode_type type) {
    face_c::require_type(type);
    return {.bytes = face_c::bytes_of(type), .code = face_c::element_code_of(type)};
}

} // namespace

extern "C" {

int sode_grid_create(sode_runtime* rt, int dims, int64_t const* extents, int const* cuts, sode_grid** grid) {
    if (!rt || !grid) return SODE_ERROR_USAGE;
    *grid = nullptr;
    return guarded(*rt->own, [&] {
        auto& job = job_of(*rt->own);
        if (dims < 1 || dims > max_dims)
            throw error{error_kind::usage, fmt::format("a grid cannot have {} dimensions", dims), "a grid has 1 to 7 dimensions",
                        "pass 1 to 7 as the number of dimensions"};
        std::span const all{&required(extents, "extents"), static_cast<std::size_t>(dims)};
        std::array<node_extent, max_dims> nodes{};
        for (std::size_t d = 0; cuts && d < all.size(); ++d)
            if (cuts[d] != 0) nodes[d] = cuts[d];
        *grid = new sode_grid{rt->own, detail::make_grid(detail::place{job}, all, std::span{nodes}.first(all.size()), {})};
    });
}

void sode_grid_destroy(sode_grid* grid) {
    delete grid;
}

int sode_grid_owned(sode_grid const* grid, int64_t* lower, int64_t* upper) {
    if (!grid || !lower || !upper) return SODE_ERROR_USAGE;
    return guarded(*grid->owner, [&] {
        auto const mine = grid->where.owned();
        for (std::size_t d = 0; d < dims_of(grid->where); ++d) {
            lower[d] = mine[d].lower;
            upper[d] = mine[d].upper;
        }
    });
}

int sode_array_create(sode_grid* grid, sode_type type, int64_t const* shadow, char const* name, sode_array** array) {
    if (!grid || !array) return SODE_ERROR_USAGE;
    *array = nullptr;
    return guarded(*grid->owner, [&] {
        (void)job_of(*grid->owner);
        auto const kind = kind_of(type);
        *array = new sode_array{grid->owner,
                                detail::field{grid->where, shadow_of(dims_of(grid->where), shadow), kind, name ? name : ""}};
    });
}

int sode_array_create_with_room(sode_grid* grid, sode_type type, int64_t const* shadow, int64_t const* room, char const* name,
                                sode_array** array) {
    if (!grid || !array) return SODE_ERROR_USAGE;
    *array = nullptr;
    return guarded(*grid->owner, [&] {
        (void)job_of(*grid->owner);
        auto kind = kind_of(type);
        auto const dims = dims_of(grid->where);
        std::copy_n(&required(room, "room"), dims, kind.room.begin());
        *array = new sode_array{grid->owner, detail::field{grid->where, shadow_of(dims, shadow), kind, name ? name : ""}};
    });
}

int sode_array_attach(sode_grid* grid, void* first, sode_type type, int64_t const* strides, int64_t const* shadow, char const* name,
                      sode_array** array) {
    if (!grid || !array) return SODE_ERROR_USAGE;
    *array = nullptr;
    return guarded(*grid->owner, [&] {
        (void)job_of(*grid->owner);
        auto const kind = kind_of(type);
        auto const dims = dims_of(grid->where);
        detail::field::memory brought{.first = static_cast<std::byte*>(first)};
        std::copy_n(&required(strides, "strides"), dims, brought.strides.begin());
        *array = new sode_array{grid->owner, detail::field{grid->where, shadow_of(dims, shadow), kind, name ? name : "", brought}};
    });
}

void sode_array_destroy(sode_array* array) {
    delete array;
}

int sode_array_view(sode_array* array, void** origin, int64_t* strides, int64_t* lower, int64_t* upper) {
    if (!array) return SODE_ERROR_USAGE;
    return guarded(*array->owner, [&] {
        auto const& shape = array->elements.shape();
        auto block = shape.allocated(array->elements.place().rank);
        for (std::size_t d = 0; d < static_cast<std::size_t>(shape.dims); ++d)
            if (shape.axes[d].cyclic()) block[d] = {0, block[d].size()};
        auto const pitch = shape.strides(array->elements.place().rank);
        std::int64_t to_first = 0;
        for (std::size_t d = 0; d < static_cast<std::size_t>(shape.dims); ++d) {
            to_first += block[d].lower * pitch[d];
            if (strides) strides[d] = pitch[d] / shape.element_bytes;
            if (lower) lower[d] = block[d].lower;
            if (upper) upper[d] = block[d].upper;
        }
        if (!origin) return;
        auto* const first = array->elements.halo().memory[0].get();
        *origin = first ? first - to_first : nullptr;
    });
}

int sode_array_peers(sode_array* array, void** first) {
    if (!array || !first) return SODE_ERROR_USAGE;
    return guarded(*array->owner, [&] {
        auto const& ranks = job_of(*array->owner);
        auto const& shape = array->elements.shape();
        if (shape.cyclic()) detail::no_box("array \"" + shape.name + '"', detail::cyclic_dim(shape.dims, shape.axes));
        detail::peer_memory const seen{array->elements.halo()};
        auto const dims = static_cast<std::size_t>(shape.dims);
        for (int r = 0; r < ranks.size(); ++r) {
            auto const block = shape.owned(r);
            std::array<sode::index_t, max_dims> lower{};
            bool has = true;
            for (std::size_t d = 0; d < dims; ++d) {
                lower[d] = block[d].lower;
                has = has && block[d].size() > 0;
            }
            // Writable: the memory is the library's, and every rank of the machine has all of it mapped for writing.
            first[r] = has ? const_cast<std::byte*>(seen.find(std::span{lower}.first(dims), 0)) : nullptr;
        }
    });
}

} // extern "C"
