// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"
#include "plan/plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sode::internal {

// Messages out of memory that others cannot load, which the kernel reads for who receives them (process_vm_readv): one copy, where
// a stage takes two. Far cores gain most, as no line of a stage goes to and fro. The words around it are those of the way `pull`:
// a rank says that its memory is ready, who has read says so, and an epoch ends when all readers have.

/// What the plan of one rank is made from.
struct kernel_reads {
    struct place {
        std::uint32_t region = 0;
        index_t region_bytes = 0;
        layout where{};
    };
    struct message {
        int source = 0;
        place to;
        place from; ///< at the source; of this rank's own messages, and for proofs
    };
    std::string name;
    int rank = 0;
    int ranks = 1;
    std::vector<int> targets;  ///< ascending, without this rank
    std::vector<message> gets; ///< by source
};

/// Who reads: the kernel, by a call for each message of another rank, in their order; or, for verify(), the rank itself, as if it
/// could load all memory.
enum class reading : std::uint8_t { by_call, by_load };
/// Pure.
[[nodiscard]] plan plan_kernel_reads(kernel_reads const& what, reading how);

} // namespace sode::internal
