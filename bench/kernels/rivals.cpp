// SPDX-License-Identifier: Apache-2.0
#include "rivals.hpp"

#include <cstring>

namespace sode::internal::bench {
namespace {

/// The program as exactly two loops.
struct two_loops {
    explicit two_loops(copy_program const& p) {
        if (p.loop_count > 0) inner = p.loops[p.loop_count - 1];
        if (p.loop_count > 1) outer = p.loops[0];
    }
    copy_program::loop outer;
    copy_program::loop inner;
};

} // namespace

void memcpy_blocks(copy_program const& p, std::byte* target, std::byte const* source) {
    two_loops const l{p};
    for (index_t i = 0; i < l.outer.count; ++i)
        for (index_t j = 0; j < l.inner.count; ++j)
            std::memcpy(target + p.dst_offset + i * l.outer.dst_stride + j * l.inner.dst_stride,
                        source + p.src_offset + i * l.outer.src_stride + j * l.inner.src_stride, static_cast<std::size_t>(p.block));
}

void double_loops(copy_program const& p, std::byte* target, std::byte const* source) {
    two_loops const l{p};
    auto* const d = reinterpret_cast<double*>(target + p.dst_offset);
    auto const* const s = reinterpret_cast<double const*>(source + p.src_offset);
    index_t const outer_d = l.outer.dst_stride / 8;
    index_t const outer_s = l.outer.src_stride / 8;
    index_t const inner_d = l.inner.dst_stride / 8;
    index_t const inner_s = l.inner.src_stride / 8;
    for (index_t i = 0; i < l.outer.count; ++i)
        for (index_t j = 0; j < l.inner.count; ++j) d[i * outer_d + j * inner_d] = s[i * outer_s + j * inner_s];
}

} // namespace sode::internal::bench
