// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_rows.hpp"

#include <algorithm>
#include <cstdint>

namespace sode::internal {

/// By what a device makes a copy.
enum class copy_method : std::uint8_t {
    contiguous, ///< one piece, by a copy engine
    strided,    ///< equal rows, by a copy engine
    kernel,     ///< any nest, by threads
    rows        ///< a list, piece by piece
};

/// What that takes, in nanoseconds: orders of magnitude of a current device, measured nowhere.
namespace copy_cost {
inline constexpr double start = 3000;         ///< of a kernel, or a copy by an engine
inline constexpr double graph = 4000;         ///< of a graph,
inline constexpr double node = 1000;          ///< and of each of its copies
inline constexpr double engine_row = 0.2;     ///< of a row, by an engine
inline constexpr double engine_byte = 0.001;  ///< at the rate of the memory
inline constexpr double thread_byte = 0.0012; ///< nearly so: from rows of 1 KiB on an engine is faster
inline constexpr double scattered = 4;        ///< times as much for a byte of rows that are shorter than what is loaded at least
inline constexpr index_t line = 32;
} // namespace copy_cost

[[nodiscard]] inline double rows_in(copy_view const& p) noexcept {
    return static_cast<double>(p.bytes) / static_cast<double>(std::max<index_t>(p.block, 1));
}

/// By a copy engine, once it has begun.
[[nodiscard]] inline double engine_cost(copy_view const& p) noexcept {
    return rows_in(p) * copy_cost::engine_row + static_cast<double>(p.bytes) * copy_cost::engine_byte;
}

[[nodiscard]] inline double thread_cost(copy_view const& p) noexcept {
    double const all = static_cast<double>(p.bytes) * copy_cost::thread_byte;
    return p.block < copy_cost::line ? all * copy_cost::scattered : all;
}

/// How a copy is made that is given to a queue by itself.
[[nodiscard]] inline copy_method method_of(copy_view const& p) noexcept {
    if (is_list(p)) return copy_method::rows;
    if (p.loop_count == 0 && !p.twin) return copy_method::contiguous;
    bool const rows =
        p.loop_count == 1 && !p.twin && p.loops[0].src_stride >= p.block && p.loops[0].dst_stride >= p.block; // what an engine can
    return rows && engine_cost(p) <= thread_cost(p) ? copy_method::strided : copy_method::kernel;
}

/// What it takes then.
[[nodiscard]] inline double cost_alone(copy_view const& p) noexcept {
    bool const by_threads = method_of(p) == copy_method::kernel;
    return copy_cost::start + (by_threads ? thread_cost(p) : engine_cost(p));
}

/// What it takes as so many copies of a graph, but for the start of that.
[[nodiscard]] inline double cost_in_graph(copy_view const& p, std::size_t boxes) noexcept {
    return static_cast<double>(boxes) * copy_cost::node + engine_cost(p);
}

} // namespace sode::internal
