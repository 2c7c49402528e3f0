// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace sode::internal {

/// What one rank brings to the agreement on the size of an arena. All ranks gather these, and each computes the same answer.
struct arena_terms {
    std::uint64_t requested = 0; ///< bytes asked for by the user, 0 = as much as the machine has
    std::uint64_t memory = 0;    ///< bytes of memory of the machine
    std::uint64_t mappable = 0;  ///< bytes of address space that this rank can map, at most what it would like to
    std::uint64_t granule = 0;   ///< bytes, a power of two
    std::int64_t machine = 0;
};

/// What `ranks_on_machine` ranks of a machine with `memory` bytes would like to map: every rank could have all of the memory.
[[nodiscard]] std::uint64_t desired_mapping(std::uint64_t memory, int ranks_on_machine) noexcept;

struct arena_layout {
    std::uint64_t bytes = 0; ///< of one rank's arena, a multiple of granule
    std::uint64_t granule = 0;
};

/// The arenas of the ranks of `machine`. Pure; looks at all machines, so that an error is thrown by every rank of the job alike.
/// Errors: usage, if ranks ask for different sizes; environment, if the address space is too small for anything.
[[nodiscard]] arena_layout agree_on_arenas(std::span<arena_terms const> all, std::int64_t machine);

} // namespace sode::internal
