// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sode {

class messenger;

/// Connects the ranks of a job, and provides the collectives that are needed to set up shared memory and channels. Each way to
/// start a job has its own implementation of bootstrap: a single process, `sode run`, threads of one process, and MPI.
///
/// machines(), allgather(), combine() and barrier() are collective: all ranks call these functions in the same order. part() is
/// collective only over the ranks in its list.
class SODE_API bootstrap {
public:
    virtual ~bootstrap() = default;

    [[nodiscard]] virtual int rank() const noexcept = 0;
    [[nodiscard]] virtual int size() const noexcept = 0;

    /// Returns the name of the implementation: "alone", "sode run", "threads" or "MPI".
    [[nodiscard]] virtual std::string_view name() const noexcept = 0;

    /// True if all ranks are threads of this process, and therefore share all memory.
    [[nodiscard]] virtual bool one_process() const noexcept { return false; }

    /// Returns the machine of each rank. Machines are numbered in the order of first appearance. Ranks on one machine can share
    /// memory.
    [[nodiscard]] virtual std::vector<int> machines() = 0;

    /// Concatenates `bytes` bytes from each rank, in rank order, in `all` (size() * bytes bytes). All ranks must pass the same
    /// number of bytes.
    /// Throws a peer error if a rank has died, and a timeout error after SODE_TIMEOUT seconds.
    virtual void allgather(void const* mine, std::size_t bytes, void* all) = 0;

    /// Combines numbers from all ranks, in place. Each entry of `maxima` becomes the maximum over all ranks. Each entry of `sums`
    /// becomes the sum over all ranks, modulo 2^64. All ranks must pass the same number of entries, at most most_combined in total.
    /// combine() returns only after all ranks have called combine().
    /// Throws the same errors as allgather. The cost is O(log size()) messages for each rank, or an allgather in the default
    /// implementation.
    virtual void combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) {
        std::vector<std::uint64_t> mine{maxima.begin(), maxima.end()};
        mine.insert(mine.end(), sums.begin(), sums.end());
        std::vector<std::uint64_t> all(mine.size() * static_cast<std::size_t>(size()));
        allgather(mine.data(), mine.size() * sizeof(std::uint64_t), all.data());
        std::fill(sums.begin(), sums.end(), 0);
        for (std::size_t first = 0; first < all.size(); first += mine.size()) {
            for (std::size_t i = 0; i < maxima.size(); ++i) maxima[i] = std::max(maxima[i], all[first + i]);
            for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += all[first + maxima.size() + i];
        }
    }
    static constexpr std::size_t most_combined = 7;

    /// Describes how `rank` ended ("killed by signal 9", "exited with status 3"), if this bootstrap knows that the rank has
    /// terminated. Every wait calls departed(), so departed() must not make a system call. departed() is not collective.
    [[nodiscard]] virtual std::optional<std::string> departed(int rank) noexcept {
        static_cast<void>(rank);
        return std::nullopt;
    }

    /// Returns the messenger for messages between machines, or null if the job has only one machine. The bootstrap owns the
    /// messenger.
    [[nodiscard]] virtual messenger* messages() noexcept { return nullptr; }

    /// Returns a bootstrap for the ranks in `ranks`, which must include this rank. The ranks of the new bootstrap are numbered 0,
    /// 1, 2, … in the order of `ranks`. part() is collective only over the ranks of the new bootstrap. The default implementation
    /// returns null: the bootstrap cannot be divided. If the bootstrap cannot be divided, all ranks of a part of the job must be on
    /// one machine.
    [[nodiscard]] virtual std::unique_ptr<bootstrap> part(std::span<int const> ranks) {
        static_cast<void>(ranks);
        return nullptr;
    }

    virtual void barrier() {
        std::vector<char> all(static_cast<std::size_t>(size()));
        char const mine = 0;
        allgather(&mine, 1, all.data());
    }

    /// Collects one text from each rank. The texts may have different lengths.
    [[nodiscard]] std::vector<std::string> allgather(std::string_view mine);
};

} // namespace sode
