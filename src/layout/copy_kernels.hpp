// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_program.hpp"

#include <vector>

/// The kernels behind copy_header::kernel: a number that every processor has, of which each has its own version. One source
/// (copy_kernels_body.hpp) is compiled once for each instruction set that it gains from; which one runs is decided when the process
/// starts to copy (kernel_choice.hpp).
namespace sode::internal {

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
inline constexpr index_t longest_row = 8191;

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

/// Two kernels come before those of an instruction set.
inline constexpr int nothing_kernel = 0;
inline constexpr int reference_kernel = 1; ///< byte by byte: run_reference
inline constexpr int own_kernels = 2;      ///< from here on, one for each instruction set
/// Segments of any size. All others of an instruction set come once for each unit, in the order of block_unit.
inline constexpr int mixed_kernel = own_kernels;
/// Nests, loop by loop.
inline constexpr int first_nest_kernel = mixed_kernel + 1;
inline constexpr int first_twin_kernel = first_nest_kernel + block_units;
/// Nests whose two innermost loops go in tiles: a transpose, of which either order alone wastes the lines of one side.
inline constexpr int first_tiled_kernel = first_twin_kernel + block_units;
inline constexpr int first_tiled_twin_kernel = first_tiled_kernel + tiled_units;
/// Segments of equal size, in no loops.
inline constexpr int first_segments_kernel = first_tiled_twin_kernel + tiled_units;
inline constexpr int first_hops_kernel = first_segments_kernel + block_units;
inline constexpr int first_gather_kernel = first_hops_kernel + block_units;
inline constexpr int first_scatter_kernel = first_gather_kernel + block_units;
inline constexpr int kernel_count = first_scatter_kernel + block_units;
static_assert(kernel_count <= 256, "copy_header::kernel has 8 bits");

/// Which kernel a program of that shape gets; all but the reference follow from the header. No processor is asked.
constexpr std::uint8_t kernel_for(copy_header const& p) noexcept {
    auto const number = [&](int first) { return static_cast<std::uint8_t>(first + static_cast<int>(unit_for(p.block))); };
    switch (p.encoding) {
    case copy_encoding::block: break;
    case copy_encoding::segments: return p.block == 0 || p.loop_count > 0 ? mixed_kernel : number(first_segments_kernel);
    case copy_encoding::hops: return number(first_hops_kernel);
    case copy_encoding::gather: return number(first_gather_kernel);
    case copy_encoding::scatter: return number(first_scatter_kernel);
    }
    if (p.block == 0) return nothing_kernel;
    if (p.tile_outer > 0) return number(p.twin ? first_tiled_twin_kernel : first_tiled_kernel);
    return number(p.twin ? first_twin_kernel : first_nest_kernel);
}

/// What one instruction set offers. Plain pointers and arrays: the objects that are compiled for more than the baseline must not
/// contain a weak symbol (a std:: template instantiated there could be picked by the linker for the whole program).
struct kernel_set {
    char const* name;
    copy_kernel kernels[kernel_count - own_kernels];
};

extern kernel_set const baseline_kernels;
#if defined(__x86_64__)
extern kernel_set const avx2_kernels;
extern kernel_set const avx512_kernels;
/// The baseline, but big blocks by instructions that move strings.
[[nodiscard]] kernel_set const& string_kernels() noexcept;
/// Whether the processor says that these are fast (ERMS).
[[nodiscard]] bool moves_strings() noexcept;
#endif

/// The sets that this processor can execute, best first.
[[nodiscard]] std::vector<kernel_set const*> supported_kernel_sets();
/// Runs `p` with the kernels of one set: what run() does with the one that is in force for them (kernel_choice.hpp).
void run(kernel_set const& set, copy_view const& p, std::byte* target, std::byte const* source) noexcept;

} // namespace sode::internal
