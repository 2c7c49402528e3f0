// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/elf_file.hpp"
#include "tasks/partition.hpp"

#include <cstddef>
#include <cstdint>

namespace sode::internal {

/// A program in memory, as the kernel's exec would have put it there.
struct elf_image {
    std::uintptr_t entry;   ///< its first instruction
    std::uintptr_t headers; ///< its program headers; 0: not in memory
    std::size_t header_count;
};

/// Maps `file` into `where`. Errors: environment, if there is no room.
[[nodiscard]] elf_image map_image(elf_file const& file, partition& where);

} // namespace sode::internal
