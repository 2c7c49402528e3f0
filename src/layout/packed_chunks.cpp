// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_sequence.hpp"
#include "layout/layout_algebra.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode::internal {
namespace {

template <class Compile> std::vector<packed_chunk> chunks_of(layout const& l, index_t bytes, Compile compiled) {
    if (bytes < 1)
        throw error{error_kind::usage, fmt::format("a message cannot have chunks of {} bytes", bytes),
                    "a chunk must have at least 1 byte", "use 1 byte or more"};
    std::vector<packed_chunk> chunks;
    index_t begin = 0;
    for (layout const& part : slices(l, bytes)) {
        index_t const here = part.bytes();
        chunks.push_back({begin, here, compiled(part, contiguous(0, here))});
        begin += here;
    }
    return chunks;
}

} // namespace

std::vector<packed_chunk> pack_chunks(layout const& l, index_t bytes) {
    return chunks_of(l, bytes, [](layout const& part, layout const& packed) {
        return compile_sequence(part, packed, target_overlap::excluded);
    });
}

std::vector<packed_chunk> unpack_chunks(layout const& l, index_t bytes) {
    return chunks_of(l, bytes, [](layout const& part, layout const& packed) {
        return compile_sequence(packed, part, target_overlap::excluded);
    });
}

} // namespace sode::internal
