// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/shared_memory.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sode::internal {

/// The most ranks of one `sode run`.
inline constexpr int max_local_ranks = 4096;

/// The environment variables between `sode run` and its ranks: the descriptor over which a rank is told its place, and, once it has
/// been told, the process that was.
inline constexpr char const* boot_fd_variable = "SODE_BOOT_FD";
inline constexpr char const* boot_joined_variable = "SODE_BOOT_JOINED";
/// How many ranks there are, where somebody who does not join wants to know.
inline constexpr char const* boot_size_variable = "SODE_BOOT_SIZE";

/// A rank's place in a job of `sode run`, as the launcher sends it (with the descriptor of the job's control memory).
struct job_place {
    std::uint64_t version = 1; ///< of this struct and of the control memory
    std::uint64_t job = 0;     ///< a random number, the same for all ranks
    std::int32_t rank = 0;
    std::int32_t size = 0;
};

/// How a process ended, as waitid() tells it: "exited with status 3", "killed by signal 9 (Killed)".
[[nodiscard]] std::string describe_exit(bool by_signal, int number);

/// What a launcher and its ranks share: who has left and how (written by the launcher, read in the middle of waits), and the memory
/// of the ranks' board.
class job_control {
public:
    /// The launcher's end. `processors`: how many the ranks may use, all together. Errors: environment.
    job_control(std::uint64_t job, int size, int processors);
    /// A rank's end; keeps no descriptor. Errors: environment, if `memory` is not this job's.
    job_control(unique_fd const& memory, job_place const& place);

    /// The launcher's only.
    [[nodiscard]] unique_fd const& memory() const noexcept { return memory_; }
    [[nodiscard]] int processors() const noexcept;
    [[nodiscard]] void* board_memory() const noexcept;

    void record_exit(int rank, bool by_signal, int number) noexcept;
    [[nodiscard]] std::optional<std::string> departed(int rank) const;

private:
    struct header;
    [[nodiscard]] header& head() const noexcept { return *reinterpret_cast<header*>(map_.data()); }
    [[nodiscard]] std::atomic<std::uint64_t>& exit_of(int rank) const noexcept;

    unique_fd memory_;
    int size_;
    mapping map_;
};

} // namespace sode::internal
