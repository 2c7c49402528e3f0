// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/activity.hpp"
#include "base/wait.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sode {

/// The fast allgather of a node: all ranks read what each has posted in shared memory. One rank's end of it.
///
/// Every rank has a line with an epoch, and two slots that epochs use in turn. A rank posts into its slot, publishes the epoch and
/// reads the others' slots. Two slots are enough: who publishes epoch e + 1 has read all of epoch e, and nobody posts epoch e + 2
/// before he has seen everybody's e + 1. Longer messages go in several epochs.
///
/// Works between processes (memory from a shared mapping) and between threads (any memory). No system call while the others are on
/// time.
class board {
public:
    /// How rank `index` of the board left, if it has.
    using departure = std::function<std::optional<std::string>(int index)>;

    /// Bytes of memory that a board of `ranks` ranks needs: about 8 KiB a rank.
    [[nodiscard]] static std::size_t bytes(int ranks) noexcept;

    /// `memory` is bytes(size) long, 128-byte aligned and zero before the first rank's first call. `names` are what messages call
    /// the ranks (empty: by index).
    board(void* memory, int index, int size, wait_policy policy, departure departed, std::vector<int> names = {});

    /// Concatenates `bytes` bytes of every rank, by rank, into `all`. One core-to-core round trip for up to 4 KiB.
    /// Errors: usage on every rank, if `bytes` differs or another rank called barrier(); the board remains usable.
    /// peer and timeout end the board: every later call is the same error.
    void allgather(void const* mine, std::size_t bytes, void* all);
    void barrier();

private:
    struct line;
    enum class operation : std::uint32_t { allgather, barrier };

    [[nodiscard]] line& line_of(int index) const noexcept;
    void exchange(operation what, std::byte const* mine, std::size_t total, std::size_t first, std::byte* all);
    void await(int index, operation what);
    void look(int index, operation what, double waited, bool& warned);
    void compare(operation what, std::size_t total) const;
    [[nodiscard]] int name(int index) const noexcept { return names_.empty() ? index : names_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] static activity activity_of(operation what) noexcept;

    std::byte* memory_;
    int index_;
    int size_;
    wait_policy policy_;
    departure departed_;
    std::vector<int> names_;
    std::uint64_t epoch_;
    std::function<void()> fail_; ///< throws again what ended the board
};

} // namespace sode
