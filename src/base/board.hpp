// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/activity.hpp"
#include "base/wait.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sode::internal {

/// The fast collectives of a machine: ranks read what others have posted in shared memory. One rank's end of it.
///
/// Every rank has a line with an epoch, and two slots that epochs use in turn. A rank posts into its slot, publishes the epoch and
/// reads the others' slots. Two slots are enough: who publishes epoch e + 1 has read all of epoch e, and nobody posts epoch e + 2
/// before he has seen everybody's e + 1. Longer messages go in several epochs.
///
/// Combining is one epoch, too, in rounds: numbers go between pairs of ranks, each time between other ones, and those of as many
/// ranks as there were in all rounds before are known after each (recursive doubling). What a rank says in a round has a place of
/// its own, so that nobody has to wait for readers.
///
/// Works between processes (memory from a shared mapping) and between threads (any memory). No system call while the others are on
/// time.
class board {
public:
    /// How rank `index` of the board left, if it has.
    using departure = std::function<std::optional<std::string>(int index)>;

    /// Bytes of memory that a board of `ranks` ranks needs: about 10 KiB a rank.
    [[nodiscard]] static std::size_t bytes(int ranks) noexcept;

    /// `memory` is bytes(size) long, 128-byte aligned and zero before the first rank's first call. `names` are what messages call
    /// the ranks (empty: by index).
    board(void* memory, int index, int size, wait_policy policy, departure departed, std::vector<int> names = {});

    /// Concatenates `bytes` bytes of every rank, by rank, into `all`. One core-to-core round trip for up to 4 KiB.
    /// Errors: usage on every rank, if `bytes` differs or another rank called barrier(); the board remains usable.
    /// peer and timeout end the board: every later call is the same error.
    void allgather(void const* mine, std::size_t bytes, void* all);
    void barrier();
    /// Each of `maxima` becomes the greatest, each of `sums` the sum of all ranks' numbers there; most_combined at most. Reads
    /// log2(size) lines of others, and two more where the size is no power of two. Errors: as of allgather.
    void combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums);
    static constexpr std::size_t most_combined = 7;
    /// Lines of other ranks that combine() has read so far.
    [[nodiscard]] std::uint64_t heard() const noexcept { return heard_; }

private:
    struct line;
    enum class operation : std::uint32_t { allgather, barrier, combine };
    struct call {
        operation what;
        std::size_t total; ///< bytes, or how many numbers of which kind: equal on all ranks
    };

    [[nodiscard]] line& line_of(int index) const noexcept;
    void exchange(operation what, std::byte const* mine, std::size_t total, std::size_t first, std::byte* all);
    void post(call const& now, std::byte const* mine, std::size_t bytes);
    template <class Ready> void await(int index, call const& now, Ready ready);
    void look(int index, call const& now, double waited, bool& warned);
    void compare(int index, call const& now) const;
    void say(std::size_t round, std::span<std::uint64_t const> numbers);
    [[nodiscard]] std::span<std::uint64_t const> hear(int index, std::size_t round, call const& now);
    [[nodiscard]] int name(int index) const noexcept { return names_.empty() ? index : names_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] static activity activity_of(operation what) noexcept;

    std::byte* memory_;
    int index_;
    int size_;
    wait_policy policy_;
    departure departed_;
    std::vector<int> names_;
    std::uint64_t epoch_;
    std::uint64_t heard_ = 0;
    std::function<void()> fail_; ///< throws again what ended the board
};

} // namespace sode::internal
