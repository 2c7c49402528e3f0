// SPDX-License-Identifier: Apache-2.0
// `align`, `shadow`, and memory for pointers.
#include "arrays.hpp"

#include "device_array.hpp"
#include "inquiry.hpp"
#include "moves.hpp"
#include "one_sided.hpp"
#include "process.hpp"
#include "shares.hpp"
#include <algorithm>
#include <cstdarg>
#include <memory>
#include <xmp.h>

namespace sode::xmp {
namespace {

// All that were made and are still there, by the first local element: what a function that was given one asks for.
std::map<void const*, sode_xmp_array*>& known() {
    static auto* const list = [] {
        process::here().before_end([] {
            while (!known().empty()) sode_xmp_array_leave(known().begin()->second);
        });
        return new std::map<void const*, sode_xmp_array*>;
    }();
    return *list;
}

// How many elements of a dimension every node lays out. What `sode cc` knows of strides must agree with it. 0: as many as it has.
std::int64_t room_of(sode_xmp_array_state const& s, std::size_t d) {
    auto const whole = s.extents[d] + s.shadow[2 * d] + s.shadow[2 * d + 1];
    if (s.targets[d] < 0) return whole;
    auto const t = static_cast<std::size_t>(s.targets[d]);
    auto const& f = s.along->formats[t];
    auto const& is = s.along->shares[t];
    switch (f.kind) {
    case SODE_WHOLE: return whole;
    case SODE_BLOCK:
        if (s.shadow[2 * d] < 0) return s.extents[d];
        return block_width(*s.along, t) + s.shadow[2 * d] + s.shadow[2 * d + 1];
    case SODE_CYCLIC: {
        auto const round = is.chunk * is.nodes;
        return (is.extent + round - 1) / round * is.chunk;
    }
    default: return 0;
    }
}

// What memory has of the width that a directive gives. A full shadow (-1) of a dimension that is not split is nothing.
std::int64_t laid_out_shadow(sode_xmp_template const& t, int target, std::int64_t width) {
    bool const split = target >= 0 && t.formats[static_cast<std::size_t>(target)].kind != SODE_WHOLE;
    return split ? width : std::max<std::int64_t>(width, 0);
}

// Whether this rank has the same indices of an array's dimension along both templates.
bool cut_alike(sode_xmp_array_state const& s, std::size_t d, sode_xmp_template const& other) {
    auto const k = static_cast<std::size_t>(s.targets[d]);
    auto const &x = s.along->shares[k], &y = other.shares[k];
    auto const end = s.offsets[d] + s.extents[d];
    return s.along->formats[k].kind == other.formats[k].kind && x.chunk == y.chunk && x.nodes == y.nodes &&
           std::clamp(x.lower, s.offsets[d], end) == std::clamp(y.lower, s.offsets[d], end) &&
           std::clamp(x.upper, s.offsets[d], end) == std::clamp(y.upper, s.offsets[d], end);
}

void require_in_template(char const* at, sode_xmp_array_state const& s, int64_t const* slopes) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(s.dims); ++d) {
        if (s.targets[d] < 0) continue;
        if (slopes[d] != 1)
            fail(at, "array \"" + s.name + "\" is aligned with a multiple of its index (dimension " + std::to_string(d) + ")",
                 "align the array with index + constant");
    }
}

// Where this rank's elements lie, for the program's references.
void lay_out(char const* at, sode_xmp_array& array, std::vector<std::int64_t> const& strides) {
    auto const& s = *array.state;
    for (std::size_t d = 0; d < static_cast<std::size_t>(s.dims); ++d) {
        array.pitch[d] = d == 0 ? 0 : strides[d] > 0 ? strides[d - 1] / strides[d] : 1;
        sode_dimension is{};
        check(at, sode_grid_dimension(s.grid, static_cast<int>(d), &is), s.job);
        array.cyclic[d] = {.chunk = 1, .period = 1, .phase = 0, .before = 0};
        if (is.chunk == 0) continue;
        auto const period = is.chunk * is.nodes;
        auto const dealt =
            is.phase / period * is.chunk + std::clamp<std::int64_t>(is.phase % period - is.coordinate * is.chunk, 0, is.chunk);
        array.cyclic[d] = {.chunk = is.chunk, .period = period, .phase = is.phase, .before = dealt};
    }
}

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void sode_xmp_array_make(char const* at, sode_xmp_array* array, char const* name, sode_xmp_template* t, sode_type type, int dims,
                         int64_t const* extents, int const* targets, int64_t const* offsets, int64_t const* slopes,
                         int64_t const* shadow) {
    require_distributed(at, t);
    auto* const s = new sode_xmp_array_state;
    array->kind = sode_xmp_is_array;
    array->state = s;
    s->name = name;
    s->along = t;
    s->job = t->onto->job;
    s->type = type;
    s->dims = dims;
    auto const n = static_cast<std::size_t>(dims);
    std::array<std::int64_t, most_dims> room{};
    for (std::size_t d = 0; d < n; ++d) {
        s->extents[d] = extents[d];
        s->targets[d] = targets[d];
        s->offsets[d] = targets[d] < 0 ? 0 : offsets[d] - t->lower[static_cast<std::size_t>(targets[d])];
        if (shadow[2 * d] < -1 || shadow[2 * d + 1] < -1)
            fail(at, "array \"" + s->name + "\" has a shadow with a width below 0", "write a width of 0 or more");
        for (std::size_t side : {2 * d, 2 * d + 1}) s->shadow[side] = laid_out_shadow(*t, targets[d], shadow[side]);
    }
    require_in_template(at, *s, slopes);
    check(at, sode_grid_align(t->grid, dims, s->extents.data(), s->targets.data(), s->offsets.data(), &s->grid), s->job);
    for (std::size_t d = 0; d < n; ++d) room[d] = room_of(*s, d);
    check(at, sode_array_create_with_room(s->grid, type, s->shadow.data(), room.data(), name, &s->array), s->job);
    std::vector<std::int64_t> strides(n), lower(n);
    check(at, sode_array_view(s->array, &array->base, strides.data(), lower.data(), nullptr), s->job);
    lay_out(at, *array, strides);
    std::int64_t before = 0;
    for (std::size_t d = 0; d < n; ++d) before += lower[d] * strides[d];
    s->first = s; // an address that says which array it is, if this rank has nothing of it
    if (array->base) s->first = static_cast<char*>(array->base) + before * static_cast<std::int64_t>(type >> 8);
    known()[s->first] = array;
    if (reaching()) check(at, sode_elements_create(s->array, &s->reached), s->job);
    if (watching()) s->watched = std::make_unique<watch>(at, *array);
}

void sode_xmp_array_leave(sode_xmp_array* array) {
    auto* const s = array->state;
    if (!s) return;
    s->device.reset(); // it knows the array
    forget_exchanges(*s);
    forget_moves(*s);
    for (auto& [kind, exchange] : s->exchanges) sode_exchange_destroy(exchange);
    if (auto const found = known().find(s->first); found != known().end() && found->second == array) known().erase(found);
    sode_elements_destroy(s->reached);
    sode_array_destroy(s->array);
    sode_grid_destroy(s->grid);
    delete s;
    array->state = nullptr;
}

void sode_xmp_array_given(char const* at, sode_xmp_array* array, char const* name, void const* local, sode_xmp_template* t,
                          sode_type type, int dims, int64_t const* extents, int const* targets, int64_t const* offsets,
                          int64_t const* slopes, int64_t const* shadow) {
    require_distributed(at, t);
    auto const found = known().find(local);
    if (found == known().end())
        fail(at, std::string{"parameter \""} + name + "\" is aligned, but the argument is not an aligned array",
             "pass the name of an aligned array");
    *array = *found->second;
    auto const& s = *array->state;
    require_in_template(at, s, slopes);
    bool same = s.type == type && s.dims == dims;
    for (std::size_t d = 0; same && d < static_cast<std::size_t>(dims); ++d)
        same = (s.extents[d] == extents[d] || extents[d] == 0) && s.targets[d] == targets[d] && // 0: the declaration leaves it open
               (targets[d] < 0 ||
                (s.offsets[d] == offsets[d] - t->lower[static_cast<std::size_t>(targets[d])] && cut_alike(s, d, *t)));
    if (!same)
        fail(at, std::string{"parameter \""} + name + "\" is aligned differently from array \"" + s.name + "\" that was passed",
             "declare the parameter and the array with the same type, extents and alignment");
    for (std::size_t k = 2; k < 2 * static_cast<std::size_t>(dims); ++k)
        if (s.shadow[k] != laid_out_shadow(*t, targets[k / 2], shadow[k]))
            fail(at,
                 std::string{"parameter \""} + name + "\" and array \"" + s.name +
                     "\" that was passed have rows of different lengths (the shadows differ in dimension " + std::to_string(k / 2) +
                     ")",
                 "repeat the `shadow` of the array in the function");
}

int64_t sode_xmp_extent(sode_xmp_array const* array, int dim) {
    return array->state ? array->state->extents[static_cast<std::size_t>(dim)] : 0;
}

void* sode_xmp_local(sode_xmp_array const* array) {
    return array->state ? array->state->first : nullptr;
}

void sode_xmp_array_later(char const*, sode_xmp_array* array, char const* name, sode_xmp_template* t, sode_type type, int dims,
                          int64_t const*, int const* targets, int64_t const* offsets, int64_t const* slopes,
                          int64_t const* shadow) {
    auto* const s = new sode_xmp_array_state;
    array->kind = sode_xmp_is_array;
    array->state = s;
    s->name = name;
    s->along = t;
    s->type = type;
    s->dims = dims;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d) {
        s->targets[d] = targets[d];
        s->offsets[d] = offsets[d];
        s->slopes[d] = slopes[d];
        s->shadow[2 * d] = shadow[2 * d];
        s->shadow[2 * d + 1] = shadow[2 * d + 1];
    }
}

void* xmp_malloc(xmp_desc_t descriptor, ...) {
    auto* const array = array_of(descriptor);
    char const* const at = "xmp_malloc()";
    if (!array) fail(at, "the array is not aligned yet", "execute the align directive of the array first");
    std::unique_ptr<sode_xmp_array_state> const said{array->state};
    if (said->array) fail(at, "array \"" + said->name + "\" already has memory", "call xmp_free(xmp_desc_of(...)) first");
    std::vector<std::int64_t> extents;
    va_list list;
    va_start(list, descriptor);
    for (int d = 0; d < said->dims; ++d) extents.push_back(va_arg(list, int));
    va_end(list);
    sode_xmp_array_make(at, array, said->name.c_str(), said->along, said->type, said->dims, extents.data(), said->targets.data(),
                        said->offsets.data(), said->slopes.data(), said->shadow.data());
    return array->base;
}

void xmp_free(xmp_desc_t descriptor) {
    auto* const array = array_of(descriptor);
    if (!array || !array->state->array) fail("xmp_free()", "the array has no memory", "call xmp_malloc() first");
    sode_xmp_array_state said;
    said.name = array->state->name;
    said.along = array->state->along;
    said.type = array->state->type;
    said.dims = array->state->dims;
    said.targets = array->state->targets;
    said.offsets = array->state->offsets;
    said.shadow = array->state->shadow;
    std::vector<std::int64_t> offsets, slopes(most_dims, 1);
    for (std::size_t d = 0; d < most_dims; ++d)
        offsets.push_back(said.targets[d] < 0 ? 0 : said.offsets[d] + said.along->lower[static_cast<std::size_t>(said.targets[d])]);
    sode_xmp_array_leave(array);
    sode_xmp_array_later("", array, said.name.c_str(), said.along, said.type, said.dims, nullptr, said.targets.data(),
                         offsets.data(), slopes.data(), said.shadow.data());
}

} // extern "C"
