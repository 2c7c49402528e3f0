// SPDX-License-Identifier: Apache-2.0
// The copy kernels. Included by one source file for each set and by nothing else; everything is in an anonymous
// namespace, so that code compiled for AVX-512 can never be linked into a call from elsewhere. For the same reason nothing of std::
// is called. The compiler's own vectoriser is off in these files (floor.cmake): it turns a strided copy of 8-byte elements into
// gathers and shuffles, or not, by context; here a unit says which words it moves.
#pragma once
#include "layout/copy_kernels.hpp"
#include "layout/copy_kernels_units.hpp"

namespace sode::internal {
namespace {

/// The distance of the second copy; `no_twin` costs nothing.
struct no_twin {
    static constexpr bool present = false;
};
struct with_twin {
    static constexpr bool present = true;
    index_t src;
    index_t dst;
};

/// `n` blocks. Unrolled by four, all loads before the stores: the compiler may not know that they do not alias. Claims what it will
/// write: of blocks that lie apart the lines of those to come, of others the lines that come next. Packed into memory that another
/// core has read last, blocks of 12 to 64 bytes take 0.75 to 0.9 times as long (decision 13).
template <class Unit, class Twin, bool Claims = true>
[[gnu::always_inline]] inline void copy_line(std::byte* d, std::byte const* s, index_t n, index_t ds, index_t ss, index_t block,
                                             Twin twin) noexcept {
    if constexpr (in_registers<Unit>) {
        auto const four = [=](std::byte * to, std::byte const* from) __attribute__((always_inline)) {
            Unit x0, x1, x2, x3;
            x0.load(from, block);
            x1.load(from + ss, block);
            x2.load(from + 2 * ss, block);
            x3.load(from + 3 * ss, block);
            x0.store(to, block);
            x1.store(to + ds, block);
            x2.store(to + 2 * ds, block);
            x3.store(to + 3 * ds, block);
        };
        bool const apart = Claims && ds >= 64;
        bool const dense = Claims && ds <= 8;
        for (; n >= 4; n -= 4) {
            if (apart) {
                claim(d + 16 * ds, 1);
                claim(d + 17 * ds, 1);
                claim(d + 18 * ds, 1);
                claim(d + 19 * ds, 1);
            } else if (dense) {
                claim(d + 4 * ds + 64, 1);
            } else if (Claims) {
                claim(d + 64, 4 * ds);
            }
            four(d, s);
            if constexpr (Twin::present) four(d + twin.dst, s + twin.src);
            d += 4 * ds;
            s += 4 * ss;
        }
    }
    for (; n > 0; --n) {
        if constexpr (prepares<Unit>)
            if (n > 1) Unit::prepare(d + ds, block);
        copy_block<Unit>(d, s, block);
        if constexpr (Twin::present) copy_block<Unit>(d + twin.dst, s + twin.src, block);
        d += ds;
        s += ss;
    }
}

/// The two innermost loops. Not inlined: a leaf of its own keeps all strides in registers.
template <class Unit, class Twin>
[[gnu::noinline]] void copy_plane(std::byte* d, std::byte const* s, copy_header::loop const& outer, copy_header::loop const& inner,
                                  index_t block, Twin twin) noexcept {
    index_t const n = inner.count;
    index_t const ds = inner.dst_stride;
    index_t const ss = inner.src_stride;
    index_t const outer_ds = outer.dst_stride;
    index_t const outer_ss = outer.src_stride;
    for (index_t i = outer.count; i > 0; --i) {
        copy_line<Unit>(d, s, n, ds, ss, block, twin);
        d += outer_ds;
        s += outer_ss;
    }
}

template <class Twin> [[gnu::always_inline]] inline Twin twin_of(copy_view const& p) noexcept {
    if constexpr (Twin::present)
        return {p.twin_src, p.twin_dst};
    else
        return {};
}

/// Calls `inner(d, s)` for each iteration of the first `depth` loops; once, if there are none.
template <class Inner>
[[gnu::always_inline]] inline void walk(copy_view const& p, int depth, std::byte* d, std::byte const* s, Inner inner) noexcept {
    index_t at[max_dims + 1] = {};
    for (;;) {
        inner(d, s);
        int k = depth - 1;
        for (; k >= 0; --k) {
            copy_header::loop const& l = p.loops[k];
            if (++at[k] < l.count) {
                d += l.dst_stride;
                s += l.src_stride;
                break;
            }
            d -= (l.count - 1) * l.dst_stride;
            s -= (l.count - 1) * l.src_stride;
            at[k] = 0;
        }
        if (k < 0) return;
    }
}

template <class Unit, class Twin> void plain_nest(copy_view const& p, std::byte* target, std::byte const* source) noexcept {
    Twin const twin = twin_of<Twin>(p);
    std::byte* const first_d = target + p.dst_offset;
    std::byte const* const first_s = source + p.src_offset;
    int const depth = p.loop_count;
    if (depth == 0) return copy_line<Unit>(first_d, first_s, 1, 0, 0, p.block, twin);

    copy_header::loop const& inner = p.loops[depth - 1];
    if (depth == 1) return copy_plane<Unit>(first_d, first_s, copy_header::loop{}, inner, p.block, twin);

    copy_header::loop const& outer = p.loops[depth - 2];
    if (depth == 2) return copy_plane<Unit>(first_d, first_s, outer, inner, p.block, twin);

    walk(p, depth - 2, first_d, first_s,
         [&](std::byte* d, std::byte const* s) { copy_plane<Unit>(d, s, outer, inner, p.block, twin); });
}

/// A tile. Its lines end where those of the next tile begin, which are asked for meanwhile: a transpose that does not fit the
/// second-level cache takes 0.75 to 0.9 times as long.
template <class Unit, class Twin>
[[gnu::noinline]] void copy_tile(std::byte* d, std::byte const* s, copy_header::loop const& outer, copy_header::loop const& inner,
                                 index_t block, bool is_last, Twin twin) noexcept {
    index_t const n = inner.count;
    index_t const ds = inner.dst_stride;
    index_t const ss = inner.src_stride;
    for (index_t i = outer.count; i > 0; --i) {
        if (!is_last) claim(d + n * ds, n * ds);
        copy_line<Unit, Twin, false>(d, s, n, ds, ss, block, twin);
        d += outer.dst_stride;
        s += outer.src_stride;
    }
}

template <class Unit, class Twin> void tiled_nest(copy_view const& p, std::byte* target, std::byte const* source) noexcept {
    Twin const twin = twin_of<Twin>(p);
    int const depth = p.loop_count; // at least 2, or compile() would not have asked for tiles
    copy_header::loop const& inner = p.loops[depth - 1];
    copy_header::loop const& outer = p.loops[depth - 2];
    walk(p, depth - 2, target + p.dst_offset, source + p.src_offset, [&](std::byte* d, std::byte const* s) {
        copy_header::loop tile_outer = outer;
        copy_header::loop tile_inner = inner;
        for (index_t i = 0; i < outer.count; i += p.tile_outer) {
            tile_outer.count = outer.count - i < p.tile_outer ? outer.count - i : p.tile_outer;
            for (index_t j = 0; j < inner.count; j += p.tile_inner) {
                bool const is_last = inner.count - j <= p.tile_inner;
                tile_inner.count = is_last ? inner.count - j : p.tile_inner;
                copy_tile<Unit>(d + i * outer.dst_stride + j * inner.dst_stride, s + i * outer.src_stride + j * inner.src_stride,
                                tile_outer, tile_inner, p.block, is_last, twin);
            }
        }
    });
}

template <class Entry> [[gnu::always_inline]] inline Entry const* table_of(copy_view const& p) noexcept {
    return static_cast<Entry const*>(p.table);
}

template <class Unit> void run_segments(copy_view const& p, std::byte* target, std::byte const* source) noexcept {
    auto const* const first = table_of<copy_header::segment>(p);
    std::byte* const d = target + p.dst_offset;
    std::byte const* const s = source + p.src_offset;
    for (copy_header::segment const* q = first; q != first + p.entries; ++q) copy_block<Unit>(d + q->dst, s + q->src, q->bytes);
}

/// Unrolled by four as in copy_line, for the same reason.
template <class Unit>
[[gnu::always_inline]] inline void copy_hops(copy_header::hop const* q, index_t n, std::byte* d, std::byte const* s,
                                             index_t block) noexcept {
    if constexpr (in_registers<Unit>) {
        for (; n >= 4; n -= 4, q += 4) {
            Unit x0, x1, x2, x3;
            x0.load(s + q[0].src, block);
            x1.load(s + q[1].src, block);
            x2.load(s + q[2].src, block);
            x3.load(s + q[3].src, block);
            x0.store(d + q[0].dst, block);
            x1.store(d + q[1].dst, block);
            x2.store(d + q[2].dst, block);
            x3.store(d + q[3].dst, block);
        }
    }
    for (; n > 0; --n, ++q) copy_block<Unit>(d + q->dst, s + q->src, block);
}

template <class Unit> void run_hops(copy_view const& p, std::byte* target, std::byte const* source) noexcept {
    auto const* const first = table_of<copy_header::hop>(p);
    walk(p, p.loop_count, target + p.dst_offset, source + p.src_offset,
         [&](std::byte* d, std::byte const* s) { copy_hops<Unit>(first, p.entries, d, s, p.block); });
}

/// One side every `step` bytes, the other at the places. Places are known long before the processor comes to them: every fourth is
/// asked for early, which is most of the lines where blocks lie in runs. Atoms that another core has written take 0.7 to 0.9 times
/// as long (decision 13); lists with places on both sides gain nothing. The lines that come next are claimed as in copy_line, but
/// not for small blocks, which gain nothing.
template <class Unit>
[[gnu::always_inline]] inline void gather_blocks(std::int32_t const* at, index_t n, std::byte* d, std::byte const* s, index_t step,
                                                 index_t block) noexcept {
    constexpr index_t ahead = 128;
    bool const claims = step > 8;
    if constexpr (in_registers<Unit>) {
        for (; n >= 4; n -= 4, at += 4, d += 4 * step) {
            if (n > ahead) __builtin_prefetch(s + at[ahead]);
            if (claims) claim(d + 64, 4 * step);
            Unit x0, x1, x2, x3;
            x0.load(s + at[0], block);
            x1.load(s + at[1], block);
            x2.load(s + at[2], block);
            x3.load(s + at[3], block);
            x0.store(d, block);
            x1.store(d + step, block);
            x2.store(d + 2 * step, block);
            x3.store(d + 3 * step, block);
        }
    }
    for (; n > 0; --n, ++at, d += step) copy_block<Unit>(d, s + *at, block);
}

template <class Unit>
[[gnu::always_inline]] inline void scatter_blocks(std::int32_t const* at, index_t n, std::byte* d, std::byte const* s, index_t step,
                                                  index_t block) noexcept {
    if constexpr (in_registers<Unit>) {
        for (; n >= 4; n -= 4, at += 4, s += 4 * step) {
            Unit x0, x1, x2, x3;
            x0.load(s, block);
            x1.load(s + step, block);
            x2.load(s + 2 * step, block);
            x3.load(s + 3 * step, block);
            x0.store(d + at[0], block);
            x1.store(d + at[1], block);
            x2.store(d + at[2], block);
            x3.store(d + at[3], block);
        }
    }
    for (; n > 0; --n, ++at, s += step) copy_block<Unit>(d + *at, s, block);
}

template <class Unit> void run_gather(copy_view const& p, std::byte* target, std::byte const* source) noexcept {
    auto const* const first = table_of<copy_header::place>(p);
    walk(p, p.loop_count, target + p.dst_offset, source + p.src_offset,
         [&](std::byte* d, std::byte const* s) { gather_blocks<Unit>(first, p.entries, d, s, p.place_step, p.block); });
}

template <class Unit> void run_scatter(copy_view const& p, std::byte* target, std::byte const* source) noexcept {
    auto const* const first = table_of<copy_header::place>(p);
    walk(p, p.loop_count, target + p.dst_offset, source + p.src_offset,
         [&](std::byte* d, std::byte const* s) { scatter_blocks<Unit>(first, p.entries, d, s, p.place_step, p.block); });
}

/// A block of any size: overlapping words, so that few sizes are told apart.
[[gnu::always_inline]] inline void copy_any(std::byte* d, std::byte const* s, index_t n) noexcept {
    if (n >= shortest_long_row)
        n <= longest_row ? copy_block<long_row>(d, s, n) : copy_block<big>(d, s, n);
    else if (n >= 64)
        copy_block<row>(d, s, n);
    else if (n >= 32)
        copy_block<overlapping<32>>(d, s, n);
    else if (n >= 16)
        copy_block<overlapping<16>>(d, s, n);
    else if (n >= 8)
        copy_block<overlapping<8>>(d, s, n);
    else if (n >= 4)
        copy_block<overlapping<4>>(d, s, n);
    else if (n >= 2)
        copy_block<overlapping<2>>(d, s, n);
    else
        copy_block<one<1>>(d, s, n);
}

inline void run_mixed(copy_view const& p, std::byte* target, std::byte const* source) noexcept {
    auto const* const first = table_of<copy_header::segment>(p);
    walk(p, p.loop_count, target + p.dst_offset, source + p.src_offset, [&](std::byte* d, std::byte const* s) {
        for (copy_header::segment const* q = first; q != first + p.entries; ++q) copy_any(d + q->dst, s + q->src, q->bytes);
    });
}

template <class... Units> struct unit_list {};
using tiled_unit_list =
    unit_list<one<1>, one<2>, one<4>, one<8>, block_of_12, one<16>, block_of_24, one<32>, block_of_40, overlapping<32, 48>,
              overlapping<2>, overlapping<4>, overlapping<8>, overlapping<16>, overlapping<32>>;
using long_unit_list = unit_list<one<64>, row, long_row, big>;

/// In the order of the numbers in copy_kernels.hpp, and of block_unit.
template <class... Tiled, class... Long>
constexpr kernel_set make_kernels(char const* name, unit_list<Tiled...>, unit_list<Long...>) {
    static_assert(sizeof...(Tiled) == tiled_units && sizeof...(Tiled) + sizeof...(Long) == block_units);
    return {name,
            {run_mixed, plain_nest<Tiled, no_twin>..., plain_nest<Long, no_twin>..., plain_nest<Tiled, with_twin>...,
             plain_nest<Long, with_twin>..., tiled_nest<Tiled, no_twin>..., tiled_nest<Tiled, with_twin>..., run_segments<Tiled>...,
             run_segments<Long>..., run_hops<Tiled>..., run_hops<Long>..., run_gather<Tiled>..., run_gather<Long>...,
             run_scatter<Tiled>..., run_scatter<Long>...}};
}

} // namespace
} // namespace sode::internal
