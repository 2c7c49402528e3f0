// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_kernels.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace sode::internal {

/// Kernels for which one processor may prefer another instruction set than for the others: by what they move.
enum class kernel_class : std::uint8_t {
    words,        ///< blocks of up to 8 bytes
    short_blocks, ///< of up to 63
    rows,         ///< of 64 to 255
    long_rows,    ///< of shortest_long_row to longest_row
    big,
    lists, ///< of blocks that registers hold, and of any size
    tiles
};
inline constexpr std::size_t kernel_classes = 7;
[[nodiscard]] std::string_view to_string(kernel_class c) noexcept;
/// Of one of an instruction set: own_kernels or more.
[[nodiscard]] kernel_class class_of_kernel(int kernel) noexcept;

/// Which set moves what. All sets do the same.
struct kernel_choice {
    std::array<kernel_set const*, kernel_classes> sets{};

    [[nodiscard]] kernel_set const& of(kernel_class c) const noexcept { return *sets[static_cast<std::size_t>(c)]; }
    friend bool operator==(kernel_choice const&, kernel_choice const&) = default;
};
/// What there is where nobody has probed: the best set for everything, but strings where they are known to be faster.
[[nodiscard]] kernel_choice usual_kernels();
/// Sets among which a probe of one core may choose: those that claim the lines they write, for what that is worth, as what strings
/// are worth, shows only between two cores. The best first.
[[nodiscard]] std::vector<kernel_set const*> probed_kernel_sets();

/// This processor's name, family, model and stepping.
[[nodiscard]] std::string processor_key();

/// A few lines of text: the version of the kernels, the processor, and the set of each class.
[[nodiscard]] std::string write_kernels(kernel_choice const& choice, std::string_view processor);
/// nullopt, if that is no such text, or of other kernels, of another processor, or of sets that this one does not have. Pure.
[[nodiscard]] std::optional<kernel_choice> read_kernels(std::string_view text, std::string_view processor);
/// What the file says, or nullopt if it cannot be used for any reason.
[[nodiscard]] std::optional<kernel_choice> load_kernels(std::string const& file) noexcept;

/// Where `sode tune` stores a choice, and where every process looks for it when it starts to copy; empty without a home.
[[nodiscard]] std::string kernels_file();
/// The choice in force: that of the file, or usual_kernels(). The same during the life of the process.
[[nodiscard]] kernel_choice const& kernels_in_force() noexcept;
/// Big blocks are moved by strings.
[[nodiscard]] bool strings_in_force() noexcept;

} // namespace sode::internal
