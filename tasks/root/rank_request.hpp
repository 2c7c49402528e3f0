// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <vector>

namespace sode::internal::tasks {

/// How the tasks of a machine are laid out; all that share an address space must wish the same.
struct house_wishes {
    std::int32_t capacity = 0;                 ///< the most tasks at a time; 0: twice as many as the launcher speaks of, else 1024
    std::uint64_t partition_bytes = 0;         ///< address space a task; 0: as much as there is for so many
    std::optional<std::uint64_t> scatter_seed; ///< random places instead of rising ones

    bool operator==(house_wishes const&) const = default;
};

/// Where a process gets its memory, as get_mempolicy(2) tells it; mode 0: the system's default.
struct memory_policy {
    std::int32_t mode = 0;
    std::vector<std::uint64_t> nodes; ///< 64 NUMA nodes a word
};

/// All that makes a task the process that its stub would have become by exec: what the root needs to start it.
struct rank_request {
    house_wishes house;
    std::int32_t rank = -1;      ///< what to call it; -1: nothing
    std::int32_t on_machine = 0; ///< how many tasks this machine will have, as the launcher says; 0: it does not
    std::int32_t launcher = 0;   ///< the process that started the stubs; 0: unknown

    std::string path; ///< of the program
    std::vector<std::string> arguments;
    std::vector<std::string> environment;
    std::string directory;
    mode_t umask = 0;
    std::uint8_t leads_session = 0; ///< the kernel shares the processors out by session (autogroups): Hydra gives each rank one
    std::array<rlimit, RLIM_NLIMITS> limits{};
    std::int32_t nice = 0;
    std::uint64_t blocked = 0;             ///< signals, 1 << (number - 1)
    std::uint64_t ignored = 0;             ///< same
    std::vector<std::uint64_t> processors; ///< 64 a word; empty: those of the root
    memory_policy memory;
    std::uint64_t stack_bytes = 0;         ///< 0: the soft limit for stacks
    std::vector<std::int32_t> descriptors; ///< the numbers of those that are handed over, in their order
};

/// A memory file with the request in it: arguments and environment may have megabytes. Errors: environment.
[[nodiscard]] unique_fd write_request(rank_request const& request);

/// Reads it back. Errors: environment, if that is no request of this version.
[[nodiscard]] rank_request read_request(unique_fd const& file);

} // namespace sode::internal::tasks
