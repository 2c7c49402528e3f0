// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_program.hpp"

#include <vector>

/// The kernels behind copy_program::kernel. One source (copy_kernels_body.hpp) is compiled once for each instruction set that it
/// gains from; copy_kernels.cpp picks a set when the process starts to copy.
namespace sode {

/// How the innermost block is moved. Blocks up to 64 bytes go through registers with a size known at compile time, or as two
/// overlapping words of a known size; longer ones in 64-byte steps.
enum class block_unit : std::uint8_t {
    bytes1,
    bytes2,
    bytes4,
    bytes8,
    bytes12,
    bytes16,
    bytes24,
    bytes32,
    bytes40,
    bytes48,
    pair2,    ///< 3
    pair4,    ///< 5 to 7
    pair8,    ///< 9 to 15
    pair16,   ///< 17 to 31
    pair32,   ///< 33 to 63
    bytes64,  ///< from here on a block fills lines: no tiles
    row,      ///< 65 to 255
    long_row, ///< 256 to longest_row: aligns its target first
    big       ///< longer: memcpy
};
inline constexpr int tiled_units = static_cast<int>(block_unit::bytes64);
inline constexpr int block_units = static_cast<int>(block_unit::big) + 1;
/// Where aligning the target begins to pay, and where the C library's memcpy becomes as fast (bench/kernels): rows from the
/// second-level cache gain 10 to 35 % between the two.
inline constexpr index_t shortest_long_row = 256;
inline constexpr index_t longest_row = 8192;

constexpr block_unit unit_for(index_t block) noexcept {
    switch (block) {
    case 1: return block_unit::bytes1;
    case 2: return block_unit::bytes2;
    case 3: return block_unit::pair2;
    case 4: return block_unit::bytes4;
    case 8: return block_unit::bytes8;
    case 12: return block_unit::bytes12;
    case 16: return block_unit::bytes16;
    case 24: return block_unit::bytes24;
    case 32: return block_unit::bytes32;
    case 40: return block_unit::bytes40;
    case 48: return block_unit::bytes48;
    case 64: return block_unit::bytes64;
    default: break;
    }
    if (block < 8) return block_unit::pair4;
    if (block < 16) return block_unit::pair8;
    if (block < 32) return block_unit::pair16;
    if (block < 64) return block_unit::pair32;
    if (block < shortest_long_row) return block_unit::row;
    return block <= longest_row ? block_unit::long_row : block_unit::big;
}

/// In which order a nest is walked.
enum class nest_order : std::uint8_t {
    plain, ///< loop by loop
    tiled  ///< the two innermost loops in tiles: a transpose, of which either order alone wastes the lines of one side
};

/// Three kernels of any instruction set come before the nests.
inline constexpr int nothing_kernel = 0;
inline constexpr int list_kernel = 1;
inline constexpr int reference_kernel = 2; ///< byte by byte: run_reference
inline constexpr int first_nest_kernel = 3;
inline constexpr int first_tiled_kernel = first_nest_kernel + 2 * block_units;
inline constexpr int kernel_count = first_tiled_kernel + 2 * tiled_units;

constexpr int nest_kernel(block_unit u, nest_order order) noexcept {
    return (order == nest_order::tiled ? first_tiled_kernel : first_nest_kernel) + static_cast<int>(u);
}
/// The same kernel for a fused pair of programs.
constexpr int twin_kernel(int kernel) noexcept {
    if (kernel == reference_kernel) return kernel;
    return kernel + (kernel < first_tiled_kernel ? block_units : tiled_units);
}

/// Runs `count` segments, all of `block` bytes where the unit has a fixed size.
using segment_kernel = void (*)(copy_program::segment const*, index_t count, std::byte* target, std::byte const* source) noexcept;

/// Runs lists inside the loops of `p`: of `count` hops of p.block bytes each, or of segments of any size.
using hop_kernel = void (*)(copy_program const& p, copy_program::hop const*, index_t count, std::byte* target,
                            std::byte const* source) noexcept;
using place_kernel = void (*)(copy_program const& p, std::int32_t const* places, index_t count, std::byte* target,
                              std::byte const* source) noexcept;
using mixed_kernel = void (*)(copy_program const& p, copy_program::segment const*, index_t count, std::byte* target,
                              std::byte const* source) noexcept;

/// What one instruction set offers. Plain pointers and arrays: the objects that are compiled for more than the baseline must not
/// contain a weak symbol (a std:: template instantiated there could be picked by the linker for the whole program).
struct kernel_set {
    char const* name;
    copy_kernel nest[kernel_count - first_nest_kernel];
    segment_kernel segments[block_units];
    hop_kernel hops[block_units];
    place_kernel gather[block_units];  ///< places in the source,
    place_kernel scatter[block_units]; ///< or in the target
    mixed_kernel mixed;
};

extern kernel_set const baseline_kernels;
#if defined(__x86_64__)
extern kernel_set const avx2_kernels;
extern kernel_set const avx512_kernels;
#endif

/// The sets that this processor can execute, best first.
[[nodiscard]] std::vector<kernel_set const*> supported_kernel_sets();
/// Runs `p` with the kernels of one set: what run() does with the best.
void run(kernel_set const& set, copy_program const& p, std::byte* target, std::byte const* source) noexcept;

} // namespace sode
