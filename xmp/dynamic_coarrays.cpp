// SPDX-License-Identifier: Apache-2.0
// Coarrays that a program makes by a call, and transfers that it describes by calls: xmp_new_coarray(), xmp_coarray_put(), ...
#include "dynamic_coarrays.hpp"

#include "coarrays.hpp"

#include <algorithm>
#include <climits>
#include <map>
#include <memory>
#include <sode/directives.h>
#include <xmp.h>

namespace sode::xmp {
namespace {

struct dynamic_coarray {
    std::int64_t kind = sode_xmp_is_coarray; // the first member of what a descriptor is
    coarray const* where = nullptr;
    std::string called;
    std::size_t element = 0;
    std::vector<std::int64_t> extents;
    std::vector<int> images; // the codimensions without the last one, which is as long as there are images
};

// Those that are not deallocated.
std::map<void const*, std::unique_ptr<dynamic_coarray>>& all() {
    static auto* const list = new std::map<void const*, std::unique_ptr<dynamic_coarray>>;
    return *list;
}

dynamic_coarray const& of(char const* at, xmp_desc_t d) {
    auto const found = all().find(d);
    if (found == all().end())
        fail(at, "this is no descriptor of a coarray (or the coarray was deallocated)", "pass the result of xmp_new_coarray()");
    return *found->second;
}

// The first codimension varies fastest, as with x:[2][*].
int image_of(char const* at, dynamic_coarray const& c, int const* indices) {
    std::int64_t image = 0, step = 1;
    for (std::size_t k = 0; k <= c.images.size(); ++k) {
        if (k < c.images.size() && (indices[k] < 0 || indices[k] >= c.images[k]))
            fail(at,
                 "index " + std::to_string(indices[k]) + " of codimension " + std::to_string(k) + " of " + c.called +
                     " does not exist (there are " + std::to_string(c.images[k]) + ")",
                 "count images from 0");
        image += step * indices[k];
        if (k < c.images.size()) step *= c.images[k];
    }
    auto const number = static_cast<int>(std::min<std::int64_t>(image, INT_MAX));
    return place_of(at, number, c.where->images[static_cast<std::size_t>(process::here().world().mine)]).image;
}

// Elements of this image's memory.
struct here {
    char* memory;
    std::size_t element;
    sode_pattern pattern;
};

here elements(char const* at, xmp_desc_t d, xmp_array_section const* section) {
    auto const& c = of(at, d);
    return {c.where->images[static_cast<std::size_t>(process::here().world().mine)], c.element,
            pattern_of(at, c.called, c.element, c.extents, section)};
}

here elements(char const* at, xmp_local_array const* a, xmp_array_section const* section) {
    if (!a) fail(at, "there is no local array", "create a local array by xmp_new_local_array()");
    return {static_cast<char*>(a->memory), a->element, pattern_of(at, "the local array", a->element, a->extents, section)};
}

sode_pattern packed(std::int64_t bytes) {
    return {0, bytes, 0, {}, {}};
}

void require_alike(char const* at, dynamic_coarray const& c, sode_pattern const& there, here const& h) {
    if (h.element != c.element)
        fail(at,
             "elements of " + std::to_string(h.element) + " bytes and of " + std::to_string(c.element) + " bytes, of " + c.called +
                 ", cannot be copied to each other",
             "give both sides the same type");
    if (bytes_of(there) != bytes_of(h.pattern))
        fail(at,
             std::to_string(bytes_of(there) / there.bytes) + " elements of " + c.called + " and " +
                 std::to_string(bytes_of(h.pattern) / there.bytes) + " elements on this image cannot be copied to each other",
             "give both sections the same number of elements");
}

// Both sides may be parts of the same memory: as in an assignment, all is read before anything is written.
bool may_overlap(dynamic_coarray const& c, int image, here const& h) {
    return image == process::here().world().mine && find_place(h.memory).in == c.where;
}

void put(char const* at, int const* indices, xmp_desc_t d, xmp_array_section const* section, here const& from) {
    auto const& c = of(at, d);
    int const image = image_of(at, c, indices);
    auto const to = pattern_of(at, c.called, c.element, c.extents, section);
    require_alike(at, c, to, from);
    if (bytes_of(to) == 0) return;
    if (!may_overlap(c, image, from))
        return check_window(at, sode_window_put(c.where->window, image, &to, from.memory, &from.pattern));
    std::vector<char> room(static_cast<std::size_t>(bytes_of(to)));
    auto const all_of_it = packed(bytes_of(to));
    check_window(at, sode_window_get(c.where->window, image, &from.pattern, room.data(), &all_of_it));
    check_window(at, sode_window_put(c.where->window, image, &to, room.data(), &all_of_it));
}

void get(char const* at, int const* indices, xmp_desc_t d, xmp_array_section const* section, here const& to) {
    auto const& c = of(at, d);
    int const image = image_of(at, c, indices);
    auto const from = pattern_of(at, c.called, c.element, c.extents, section);
    require_alike(at, c, from, to);
    if (bytes_of(from) == 0) return;
    if (!may_overlap(c, image, to)) return check_window(at, sode_window_get(c.where->window, image, &from, to.memory, &to.pattern));
    std::vector<char> room(static_cast<std::size_t>(bytes_of(from)));
    auto const all_of_it = packed(bytes_of(from));
    check_window(at, sode_window_get(c.where->window, image, &from, room.data(), &all_of_it));
    check_window(at, sode_window_put(c.where->window, image, &to.pattern, room.data(), &all_of_it));
}

here scalar(char const* at, xmp_desc_t d, void* value) {
    if (!value) fail(at, "there is no variable (the address is NULL)", "pass the address of one element");
    auto const& c = of(at, d);
    return {static_cast<char*>(value), c.element, packed(static_cast<std::int64_t>(c.element))};
}

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

xmp_desc_t xmp_new_coarray(int element_size, int dims, long extents[], int image_dims, int image_extents[], void** memory) {
    constexpr auto at = "xmp_new_coarray()";
    static int made = 0;
    auto c = std::make_unique<dynamic_coarray>();
    c->called = "coarray " + std::to_string(++made) + " of xmp_new_coarray()";
    if (element_size < 1 || dims < 0 || dims > 7 || image_dims < 1 || image_dims > 7)
        fail(at, "a coarray must have 0 to 7 dimensions, 1 to 7 codimensions, and elements of at least a byte",
             "pass a number of dimensions and an element size in these ranges");
    c->element = static_cast<std::size_t>(element_size);
    auto bytes = c->element;
    for (int d = 0; d < dims; ++d) {
        if (extents[d] < 0) fail(at, "extent " + std::to_string(extents[d]) + " of a coarray is negative", "pass 0 or more");
        if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(extents[d]), &bytes))
            fail(at, "a coarray has more bytes than the address space", "pass smaller extents");
        c->extents.push_back(extents[d]);
    }
    for (int k = 0; k + 1 < image_dims; ++k) {
        if (image_extents[k] < 1)
            fail(at, "codimension " + std::to_string(k) + " of a coarray has " + std::to_string(image_extents[k]) + " images",
                 "pass 1 or more for each codimension except the last, which is computed");
        c->images.push_back(image_extents[k]);
    }
    c->where = &make_coarray(c->called.c_str(), std::max<std::size_t>(bytes, 1));
    if (memory) *memory = c->where->images[static_cast<std::size_t>(process::here().world().mine)];
    auto* const descriptor = c.get();
    all()[descriptor] = std::move(c);
    return descriptor;
}

int xmp_coarray_deallocate(xmp_desc_t d) {
    constexpr auto at = "xmp_coarray_deallocate()";
    auto const* const where = of(at, d).where;
    remove_coarray(at, *where);
    all().erase(d);
    return XMP_SUCCESS;
}

int xmp_coarray_put(int image[], xmp_desc_t to, xmp_array_section_t* to_section, xmp_desc_t from,
                    xmp_array_section_t* from_section) {
    constexpr auto at = "xmp_coarray_put()";
    put(at, image, to, to_section, elements(at, from, from_section));
    return XMP_SUCCESS;
}

int xmp_coarray_get(int image[], xmp_desc_t from, xmp_array_section_t* from_section, xmp_desc_t to,
                    xmp_array_section_t* to_section) {
    constexpr auto at = "xmp_coarray_get()";
    get(at, image, from, from_section, elements(at, to, to_section));
    return XMP_SUCCESS;
}

int xmp_coarray_put_local(int image[], xmp_desc_t to, xmp_array_section_t* to_section, xmp_local_array_t* from,
                          xmp_array_section_t* from_section) {
    constexpr auto at = "xmp_coarray_put_local()";
    put(at, image, to, to_section, elements(at, from, from_section));
    return XMP_SUCCESS;
}

int xmp_coarray_get_local(int image[], xmp_desc_t from, xmp_array_section_t* from_section, xmp_local_array_t* to,
                          xmp_array_section_t* to_section) {
    constexpr auto at = "xmp_coarray_get_local()";
    get(at, image, from, from_section, elements(at, to, to_section));
    return XMP_SUCCESS;
}

int xmp_coarray_put_scalar(int image[], xmp_desc_t to, xmp_array_section_t* to_section, void* value) {
    constexpr auto at = "xmp_coarray_put_scalar()";
    put(at, image, to, to_section, scalar(at, to, value));
    return XMP_SUCCESS;
}

int xmp_coarray_get_scalar(int image[], xmp_desc_t from, xmp_array_section_t* from_section, void* value) {
    constexpr auto at = "xmp_coarray_get_scalar()";
    get(at, image, from, from_section, scalar(at, from, value));
    return XMP_SUCCESS;
}

void sode_xmp_meetings(void) {
    begin_meetings();
}

} // extern "C"
