// SPDX-License-Identifier: Apache-2.0
// `align`, `shadow`, `reflect`.
#include "arrays.hpp"

#include "process.hpp"
#include <algorithm>
#include <set>

namespace sode::xmp {
namespace {

// By the first local element: what a function that was given one asks for.
std::map<void const*, sode_xmp_array*>& known() {
    static auto* const list = new std::map<void const*, sode_xmp_array*>;
    return *list;
}

// All that were made and are still there: of the end of the program.
std::set<sode_xmp_array*>& alive() {
    static auto* const list = [] {
        process::here().before_end([] {
            while (!alive().empty()) sode_xmp_array_leave(*alive().begin());
        });
        return new std::set<sode_xmp_array*>;
    }();
    return *list;
}

// How many elements of a dimension every node lays out. What `sode cc` knows of strides must agree with it. 0: as many as it has.
std::int64_t room_of(sode_xmp_array_state const& s, std::size_t d) {
    if (s.targets[d] < 0) return s.extents[d];
    auto const t = static_cast<std::size_t>(s.targets[d]);
    auto const& f = s.along->formats[t];
    auto const& is = s.along->shares[t];
    switch (f.kind) {
    case SODE_WHOLE: return s.extents[d];
    case SODE_BLOCK: return (f.width > 0 ? f.width : (is.extent + is.nodes - 1) / is.nodes) + s.shadow[2 * d] + s.shadow[2 * d + 1];
    case SODE_CYCLIC: {
        auto const round = is.chunk * is.nodes;
        return (is.extent + round - 1) / round * is.chunk;
    }
    default: return 0;
    }
}

void require_in_template(char const* at, sode_xmp_array_state const& s, int64_t const* slopes) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(s.dims); ++d) {
        if (s.targets[d] < 0) continue;
        if (slopes[d] != 1)
            fail(at, "array \"" + s.name + "\" is aligned with a multiple of its index (dimension " + std::to_string(d) + ")",
                 "align with index + constant");
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
        bool const split = targets[d] >= 0 && t->formats[static_cast<std::size_t>(targets[d])].kind != SODE_WHOLE;
        for (std::size_t side : {2 * d, 2 * d + 1}) s->shadow[side] = split ? shadow[side] : 0;
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
    alive().insert(array);
}

void sode_xmp_array_leave(sode_xmp_array* array) {
    auto* const s = array->state;
    if (!s) return;
    for (auto& [kind, exchange] : s->exchanges) sode_exchange_destroy(exchange);
    alive().erase(array);
    if (auto const found = known().find(s->first); found != known().end() && found->second == array) known().erase(found);
    sode_array_destroy(s->array);
    sode_grid_destroy(s->grid);
    delete s;
    array->state = nullptr;
}

void sode_xmp_array_given(char const* at, sode_xmp_array* array, char const* name, void const* local, sode_xmp_template* t,
                          sode_type type, int dims, int64_t const* extents, int const* targets, int64_t const* offsets,
                          int64_t const* slopes, int64_t const*) {
    require_distributed(at, t);
    auto const found = known().find(local);
    if (found == known().end())
        fail(at, std::string{"parameter \""} + name + "\" is aligned, but what was passed is no aligned array",
             "pass the name of an aligned array");
    *array = *found->second;
    auto const& s = *array->state;
    require_in_template(at, s, slopes);
    bool same = s.type == type && s.dims == dims;
    for (std::size_t d = 0; same && d < static_cast<std::size_t>(dims); ++d)
        same = s.extents[d] == extents[d] && s.targets[d] == targets[d] &&
               (targets[d] < 0 || s.offsets[d] == offsets[d] - t->lower[static_cast<std::size_t>(targets[d])]);
    if (!same)
        fail(at, std::string{"parameter \""} + name + "\" is aligned in another way than array \"" + s.name + "\" that was passed",
             "declare both with the same type, extents and alignment");
}

void* sode_xmp_local(sode_xmp_array const* array) {
    return array->state ? array->state->first : nullptr;
}

void sode_xmp_reflect(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic, int orthogonal) {
    auto& s = *array->state;
    sode_xmp_array_state::exchange_kind kind{.width = s.shadow, .orthogonal = orthogonal != 0};
    if (width)
        for (std::size_t k = 0; k < 2 * static_cast<std::size_t>(s.dims); ++k) {
            kind.width[k] = width[k];
            if (width[k] > s.shadow[k])
                fail(at,
                     "reflect asks for " + std::to_string(width[k]) + " layers of array \"" + s.name + "\", whose shadow has " +
                         std::to_string(s.shadow[k]) + " in dimension " + std::to_string(k / 2),
                     "make the shadow wider, or the width narrower");
        }
    if (periodic) std::copy_n(periodic, s.dims, kind.periodic.begin());
    auto& exchange = s.exchanges[kind];
    if (!exchange) {
        sode_exchange_options options{};
        options.corners = !kind.orthogonal;
        options.width = kind.width.data();
        std::ranges::copy(kind.periodic, options.periodic);
        check(at, sode_exchange_create(1, &s.array, &options, &exchange), s.job);
    }
    check(at, sode_exchange_start(exchange), s.job);
    check(at, sode_exchange_wait(exchange), s.job);
}

} // extern "C"
