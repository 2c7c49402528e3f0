// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_kernels.hpp"

namespace sode {
namespace {

void copy_bytes(std::byte* target, std::byte const* source, index_t n) noexcept {
    for (index_t i = 0; i < n; ++i) target[i] = source[i];
}

void copy_loops(copy_program const& p, int depth, std::byte* target, std::byte const* source) noexcept {
    if (depth == p.loop_count) {
        for (auto const& q : p.segments) copy_bytes(target + q.dst, source + q.src, q.bytes);
        for (auto const& q : p.hops) copy_bytes(target + q.dst, source + q.src, p.block);
        for (std::size_t i = 0; i < p.places.size(); ++i) {
            index_t const step = static_cast<index_t>(i) * p.place_step;
            if (p.places_in_source)
                copy_bytes(target + step, source + p.places[i], p.block);
            else
                copy_bytes(target + p.places[i], source + step, p.block);
        }
        if (p.segments.empty() && p.hops.empty() && p.places.empty()) copy_bytes(target, source, p.block);
        return;
    }
    for (index_t i = 0; i < p.loops[depth].count; ++i)
        copy_loops(p, depth + 1, target + i * p.loops[depth].dst_stride, source + i * p.loops[depth].src_stride);
}

} // namespace

void run_reference(copy_program const& p, std::byte* target, std::byte const* source) noexcept {
    copy_loops(p, 0, target + p.dst_offset, source + p.src_offset);
    if (p.twin) copy_loops(p, 0, target + p.dst_offset + p.twin_dst, source + p.src_offset + p.twin_src);
}

copy_program by_reference(copy_program p) noexcept {
    p.kernel = reference_kernel;
    return p;
}

} // namespace sode
