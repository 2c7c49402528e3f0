// SPDX-License-Identifier: Apache-2.0
// Sections that a program describes by calls, and local arrays: xmp_new_array_section(), xmp_new_local_array().
#include "dynamic_coarrays.hpp"

#include "process.hpp"

#include <algorithm>
#include <xmp.h>

namespace sode::xmp {

sode_pattern pattern_of(char const* at, std::string const& what, std::size_t element, std::vector<std::int64_t> const& extents,
                        xmp_array_section const* section) {
    if (!section) fail(at, "there is no section of " + what, "create a section by xmp_new_array_section()");
    if (section->dims.size() != extents.size())
        fail(at,
             "a section of " + std::to_string(section->dims.size()) + " dimensions is used for " + what + ", which has " +
                 std::to_string(extents.size()),
             "create the section by xmp_new_array_section(" + std::to_string(extents.size()) + ")");
    sode_pattern p{0, static_cast<std::int64_t>(element), static_cast<int>(extents.size()), {}, {}};
    std::int64_t step = p.bytes;
    for (auto d = extents.size(); d-- > 0; step *= extents[d]) {
        auto const& [start, length, stride] = section->dims[d];
        if (length < 0)
            fail(at, "dimension " + std::to_string(d) + " of the section of " + what + " was not set",
                 "call xmp_array_section_set_triplet() for each dimension");
        auto const last = start + (std::max<std::int64_t>(length, 1) - 1) * stride;
        if (length > 0 && (std::min(start, last) < 0 || std::max(start, last) >= extents[d]))
            fail(at,
                 "indices " + std::to_string(std::min(start, last)) + " to " + std::to_string(std::max(start, last)) +
                     " are outside of dimension " + std::to_string(d) + " of " + what + " (indices 0 to " +
                     std::to_string(extents[d] - 1) + ")",
                 "use indices of the array");
        p.offset += start * step;
        p.counts[d] = length;
        p.strides[d] = stride * step;
    }
    return p;
}

std::int64_t bytes_of(sode_pattern const& p) {
    auto bytes = p.bytes;
    for (int d = 0; d < p.dims; ++d) bytes *= p.counts[d];
    return bytes;
}

} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

xmp_array_section_t* xmp_new_array_section(int dims) {
    if (dims < 0 || dims > 7)
        fail("xmp_new_array_section()", "a section has " + std::to_string(dims) + " dimensions", "pass 0 to 7 dimensions");
    return new xmp_array_section{std::vector<xmp_array_section::triplet>(static_cast<std::size_t>(dims))};
}

int xmp_array_section_set_triplet(xmp_array_section_t* section, int dim, long start, long length, int stride) {
    constexpr auto at = "xmp_array_section_set_triplet()";
    if (!section || dim < 0 || dim >= static_cast<int>(section->dims.size()))
        fail(at, "the section has no dimension " + std::to_string(dim), "count dimensions from 0");
    if (length < 0) fail(at, "the length " + std::to_string(length) + " of a section is negative", "pass 0 or more");
    if (stride == 0) fail(at, "the stride of a section is 0", "pass 1 for neighbouring elements");
    section->dims[static_cast<std::size_t>(dim)] = {start, length, stride};
    return XMP_SUCCESS;
}

int xmp_array_section_set_info(xmp_array_section_t* section, int dim, long start, long length) {
    return xmp_array_section_set_triplet(section, dim, start, length, 1);
}

void xmp_free_array_section(xmp_array_section_t* section) {
    delete section;
}

xmp_local_array_t* xmp_new_local_array(size_t element_size, int dims, long extents[], void* memory) {
    constexpr auto at = "xmp_new_local_array()";
    if (dims < 0 || dims > 7 || element_size == 0)
        fail(at, "an array must have 0 to 7 dimensions, and elements of at least a byte",
             "pass a number of dimensions and an element size in these ranges");
    if (!memory) fail(at, "the array has no memory (the address is NULL)", "pass the address of the first element");
    for (int d = 0; d < dims; ++d)
        if (extents[d] < 0) fail(at, "extent " + std::to_string(extents[d]) + " is negative", "pass 0 or more");
    return new xmp_local_array{element_size, {extents, extents + dims}, memory};
}

void xmp_free_local_array(xmp_local_array_t* array) {
    delete array;
}

} // extern "C"
