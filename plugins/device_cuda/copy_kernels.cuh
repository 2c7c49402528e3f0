// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/copy_method.hpp"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace sode::internal::cuda {

/// The loops around a block, in units of the widest words that all its places allow.
struct unit_nest {
    int loops = 0;
    std::int64_t counts[max_dims + 2];
    std::int64_t src[max_dims + 2]; // in units
    std::int64_t dst[max_dims + 2];
    std::int64_t width = 1; // units of a block
    std::int64_t units = 0; // in all
};

/// One thread a unit, neighbours in a block side by side: rows are loaded and stored in whole lines.
template <class Unit> __global__ void copy_units(unit_nest const n, Unit* to, Unit const* from) {
    auto const step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n.units; i += step) {
        std::int64_t row = i / n.width, src = i - row * n.width, dst = src;
        for (int k = n.loops - 1; k >= 0; --k) {
            std::int64_t const outer = row / n.counts[k], at = row - outer * n.counts[k];
            src += at * n.src[k];
            dst += at * n.dst[k];
            row = outer;
        }
        to[dst] = from[src];
    }
}

/// The loops of a program around one block, a twin as one more of two iterations; in units of `unit` bytes, which divide all.
inline unit_nest nest_of(copy_view const& p, std::int64_t unit) {
    unit_nest n;
    n.width = p.block / unit;
    n.units = n.width;
    auto const add = [&](std::int64_t count, std::int64_t src, std::int64_t dst) {
        n.counts[n.loops] = count, n.src[n.loops] = src / unit, n.dst[n.loops] = dst / unit;
        n.units *= count;
        ++n.loops;
    };
    if (p.twin) add(2, p.twin_src, p.twin_dst);
    for (int k = 0; k < p.loop_count; ++k) add(p.loops[k].count, p.loops[k].src_stride, p.loops[k].dst_stride);
    return n;
}

/// The widest word, up to 16 bytes, of which block, strides and both places are multiples.
inline std::int64_t unit_of(copy_view const& p, std::byte const* to, std::byte const* from) {
    auto all = static_cast<std::uint64_t>(p.block) | reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
    for (int k = 0; k < p.loop_count; ++k)
        all |= static_cast<std::uint64_t>(p.loops[k].src_stride) | static_cast<std::uint64_t>(p.loops[k].dst_stride);
    if (p.twin) all |= static_cast<std::uint64_t>(p.twin_src) | static_cast<std::uint64_t>(p.twin_dst);
    auto const low = static_cast<std::int64_t>(all & (~all + 1));
    return low == 0 || low > 16 ? 16 : low;
}

template <class Unit> void launch_units(unit_nest const& n, std::byte* to, std::byte const* from, cudaStream_t in) {
    constexpr std::int64_t threads = 256, most = 4096;
    auto const blocks = (n.units + threads - 1) / threads;
    copy_units<Unit><<<static_cast<unsigned>(blocks < most ? blocks : most), static_cast<unsigned>(threads), 0, in>>>(
        n, reinterpret_cast<Unit*>(to), reinterpret_cast<Unit const*>(from));
}

/// What a copy program does, in a stream, by what the model chooses (copy_method.hpp). Of lists row by row, which is slow, and which
/// no halo has.
inline void run_in(cudaStream_t in, copy_view const& p, std::byte* to, std::byte const* from) {
    auto const how = method_of(p);
    if (how == copy_method::rows) {
        for_each_row(p, [&](index_t src, index_t dst, index_t bytes) {
            cudaMemcpyAsync(to + dst, from + src, static_cast<std::size_t>(bytes), cudaMemcpyDefault, in);
        });
        return;
    }
    to += p.dst_offset;
    from += p.src_offset;
    if (how == copy_method::contiguous) {
        cudaMemcpyAsync(to, from, static_cast<std::size_t>(p.block), cudaMemcpyDefault, in);
        return;
    }
    if (how == copy_method::strided) {
        cudaMemcpy2DAsync(to, static_cast<std::size_t>(p.loops[0].dst_stride), from, static_cast<std::size_t>(p.loops[0].src_stride),
                          static_cast<std::size_t>(p.block), static_cast<std::size_t>(p.loops[0].count), cudaMemcpyDefault, in);
        return;
    }
    auto const unit = unit_of(p, to, from);
    auto const n = nest_of(p, unit);
    switch (unit) {
    case 1: return launch_units<std::uint8_t>(n, to, from, in);
    case 2: return launch_units<std::uint16_t>(n, to, from, in);
    case 4: return launch_units<std::uint32_t>(n, to, from, in);
    case 8: return launch_units<std::uint64_t>(n, to, from, in);
    default: return launch_units<uint4>(n, to, from, in);
    }
}

} // namespace sode::internal::cuda
