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

/// Connects the ranks of a job: numbers the ranks, and provides the collectives that set-up needs. All other communication (shared
/// memory, channels) is set up through a bootstrap. There is one implementation for each way to start a job: a single process,
/// `sode run`, threads of one process, MPI.
///
/// machines(), allgather(), combine() and barrier() are collective: all ranks call them in the same order. part() is collective
/// only over the ranks that it lists.
class SODE_API bootstrap {
public:
    virtual ~bootstrap() = default;

    [[nodiscard]] virtual int rank() const noexcept = 0;
    [[nodiscard]] virtual int size() const noexcept = 0;

    /// "alone", "sode run", "threads", "MPI".
    [[nodiscard]] virtual std::string_view name() const noexcept = 0;

    /// True if all ranks are threads of this process, and therefore share all memory.
    [[nodiscard]] virtual bool one_process() const noexcept { return false; }

    /// The machine of each rank, numbered in the order of first appearance. Ranks on one machine can share memory.
    [[nodiscard]] virtual std::vector<int> machines() = 0;

    /// Concatenates `bytes` bytes from each rank, in rank order, in `all` (size() * bytes bytes). `bytes` is equal on all ranks.
    /// Errors: peer, if a rank has died; timeout.
    virtual void allgather(void const* mine, std::size_t bytes, void* all) = 0;

    /// Combines numbers from all ranks, in place: each entry of `maxima` becomes its maximum over all ranks, each entry of `sums`
    /// its sum (modulo 2^64). All ranks pass the same number of entries, in total at most most_combined. Returns only after all
    /// ranks have called combine().
    /// Errors: as for allgather. Cost: O(log size()) messages for each rank; the default implementation is an allgather.
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

    /// Describes how `rank` ended ("killed by signal 9", "exited with status 3"), if this bootstrap knows that the rank has left.
    /// Not collective, and makes no system call, because every wait calls this function.
    [[nodiscard]] virtual std::optional<std::string> departed(int rank) noexcept {
        static_cast<void>(rank);
        return std::nullopt;
    }

    /// Sends messages between ranks on different machines; null if the job has only one machine. Owned by this bootstrap.
    [[nodiscard]] virtual messenger* messages() noexcept { return nullptr; }

    /// Returns a bootstrap for only these ranks, which must include this rank. The ranks are numbered 0, 1, 2, … in the order of
    /// the list. part() is collective only over the ranks of the new bootstrap. The default implementation returns null: this
    /// bootstrap cannot be divided. If the bootstrap cannot be divided, all ranks of a part of the job must be on one machine.
    [[nodiscard]] virtual std::unique_ptr<bootstrap> part(std::span<int const> ranks) {
        static_cast<void>(ranks);
        return nullptr;
    }

    virtual void barrier() {
        std::vector<char> all(static_cast<std::size_t>(size()));
        char const mine = 0;
        allgather(&mine, 1, all.data());
    }

    /// allgather() with a different length on each rank.
    [[nodiscard]] std::vector<std::string> allgather(std::string_view mine);
};

} // namespace sode
