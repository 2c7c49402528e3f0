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

/// How the ranks of one job find each other: an identity and one collective. Everything else (shared memory, channels) is built
/// on top of this. There is one implementation per way of starting: alone, `sode run`, threads of one process, MPI.
///
/// machines(), allgather(), combine() and barrier() are collective and must be called by every rank in the same order; part() by
/// those that it names.
class SODE_API bootstrap {
public:
    virtual ~bootstrap() = default;

    [[nodiscard]] virtual int rank() const noexcept = 0;
    [[nodiscard]] virtual int size() const noexcept = 0;

    /// "alone", "sode run", "threads", "MPI".
    [[nodiscard]] virtual std::string_view name() const noexcept = 0;

    /// True where all ranks are threads of this process (memory is shared without doing anything).
    [[nodiscard]] virtual bool one_process() const noexcept { return false; }

    /// The machine of each rank, as small integers by first appearance. Ranks of one machine can share memory.
    [[nodiscard]] virtual std::vector<int> machines() = 0;

    /// Concatenates `bytes` bytes of every rank, by rank, into `all` (size() * bytes). `bytes` is equal on all ranks.
    /// Errors: peer, if a rank has died; timeout.
    virtual void allgather(void const* mine, std::size_t bytes, void* all) = 0;

    /// Combines numbers of all ranks: each of `maxima` becomes the greatest that any rank has there, each of `sums` the sum of all
    /// ranks' (modulo 2^64). As many of both on all ranks, most_combined together. Nobody returns before all have called it.
    /// Errors: those of allgather. Cost: O(log size()) messages of a rank; by default an allgather.
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

    /// How `rank` left the job ("killed by signal 9", "exited with status 3"), if this bootstrap knows that it has. Not
    /// collective, no system call: it is asked in the middle of waits.
    [[nodiscard]] virtual std::optional<std::string> departed(int rank) noexcept {
        static_cast<void>(rank);
        return std::nullopt;
    }

    /// How ranks of different machines reach each other; null where there is only one machine. Owned by this.
    [[nodiscard]] virtual messenger* messages() noexcept { return nullptr; }

    /// Those of these ranks, of which this is one, as a bootstrap of their own, in which they have the numbers 0, 1, 2, … in this
    /// order. Collective among them, and nobody else takes part. Null, as by default, if there is no such thing: then a part must
    /// have all its ranks on one machine.
    [[nodiscard]] virtual std::unique_ptr<bootstrap> part(std::span<int const> ranks) {
        static_cast<void>(ranks);
        return nullptr;
    }

    virtual void barrier() {
        std::vector<char> all(static_cast<std::size_t>(size()));
        char const mine = 0;
        allgather(&mine, 1, all.data());
    }

    /// allgather for a different length on each rank.
    [[nodiscard]] std::vector<std::string> allgather(std::string_view mine);
};

} // namespace sode
