// SPDX-License-Identifier: Apache-2.0
#include "interpose/datatypes/datatype_layout.hpp"

#include "layout/layout_algebra.hpp"

#include <sode/detail/mpi_type_map.hpp>

namespace sode::internal {
namespace {

struct layouts {
    using form = layout;
    using sequence = layout_sequence;
    static layout contiguous(index_t offset, index_t bytes) { return sode::internal::contiguous(offset, bytes); }
    static layout repeated(layout l, index_t count, index_t stride) {
        return sode::internal::repeated(std::move(l), count, stride);
    }
    static index_t bytes(layout const& l) { return l.bytes(); }
    static bool one_block(layout const& l, index_t& offset) {
        offset = l.offset;
        return l.is_nest() && l.loops.empty();
    }
};
using type_map = detail::mpi_type_map<layouts>;

} // namespace

element_layout element_of(MPI_Datatype type) {
    auto e = type_map::read(type);
    return {std::move(e.one), e.lower, e.extent, e.size};
}

layout layout_of(MPI_Datatype type, MPI_Count count) {
    return type_map::read(type, count);
}

} // namespace sode::internal
