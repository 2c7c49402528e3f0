// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/context.hpp"
#include "engine/kind_block.hpp"
#include "engine/pinned_memory.hpp"
#include "plan/schedule.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sode::internal {

/// Where this rank's user arrays are: array `ordinal` has one instance or two (the halves of a `buffered` array).
struct bound_array {
    std::byte* instance[2] = {nullptr, nullptr};
    bool shared = true; ///< others may load it; if not, no plan of theirs names it
    memory_kind memory = memory_kind::host;
};

/// Bytes of a host's counters, and where counter `index` lies among them: the lines first, then three lines for each pair of ranks.
[[nodiscard]] std::size_t counter_bytes(std::int64_t lines, std::int64_t pairs) noexcept;
[[nodiscard]] std::size_t counter_place(std::size_t index, std::size_t lines, std::size_t pairs) noexcept;

/// The memory that one rank hosts for a plan: a block with its counters, then a word on where its arrays are and on what it has in
/// memory of other kinds, then its stage. `lines` counts what is in this block.
class hosted_block {
public:
    hosted_block() = default;
    hosted_block(std::byte* base, std::int64_t lines, std::int64_t pairs, std::size_t arrays) noexcept
        : base_(base), lines_(static_cast<std::size_t>(lines)), pairs_(static_cast<std::size_t>(pairs)), arrays_(arrays) {}

    /// Of everything but the stage, which begins on a page of its own.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return (arrays_at() + arrays_ * 4 * sizeof(told_array) + page - 1) / page * page;
    }
    [[nodiscard]] std::byte* counter_at(std::size_t index) const noexcept {
        for (auto const* part : {&device_, &pinned_}) {
            if (index < part->lines) return part->base + index * line_bytes;
            index -= part->lines;
        }
        return base_ + counter_place(index, lines_, pairs_);
    }
    [[nodiscard]] std::byte* stage_at(std::size_t offset) const noexcept {
        for (auto const* part : {&device_, &pinned_})
            if (part->stage_bytes != 0 && offset >= part->stage_from) return part->stage + (offset - part->stage_from);
        return base_ + bytes() + offset;
    }

    /// Where half `half` of array `ordinal` is in the arena of its owner, and the block that it lies in. There are two of these,
    /// for `turn` to go to and fro: while one is written, another rank may still be reading the last.
    struct told_array {
        std::uint64_t at = 0;
        std::uint64_t block = 0;
        std::uint64_t block_bytes = 0;
        memory_provider::handle device{}; ///< instead of the others, of an array in a device's memory
    };
    [[nodiscard]] told_array& array(std::size_t ordinal, std::size_t half, std::size_t turn) const noexcept {
        return reinterpret_cast<told_array*>(base_ + arrays_at())[4 * ordinal + 2 * half + turn];
    }
    /// What it has of that kind, not the host's.
    [[nodiscard]] kind_block::told& told(memory_kind kind) const noexcept {
        return reinterpret_cast<kind_block::told*>(base_ + told_at())[kind == memory_kind::device];
    }
    /// That memory of this kind is seen at `base`; null: this process does not look at it.
    void show(memory_kind kind, std::byte* base) noexcept {
        auto const& t = told(kind);
        (kind == memory_kind::device ? device_ : pinned_) = {
            base, base ? base + kind_block::stage_at(static_cast<std::int64_t>(t.lines)) : nullptr,
            static_cast<std::size_t>(t.lines), static_cast<std::size_t>(t.stage_from), static_cast<std::size_t>(t.stage_bytes)};
    }

private:
    [[nodiscard]] std::size_t arrays_at() const noexcept { return told_at() + 2 * sizeof(kind_block::told); }
    [[nodiscard]] std::size_t told_at() const noexcept {
        return counter_bytes(static_cast<std::int64_t>(lines_), static_cast<std::int64_t>(pairs_));
    }
    static constexpr std::size_t page = 4096;

    std::byte* base_ = nullptr;
    struct part {
        std::byte* base = nullptr;
        std::byte* stage = nullptr;
        std::size_t lines = 0;
        std::size_t stage_from = 0;
        std::size_t stage_bytes = 0;
    };
    part device_;
    part pinned_;
    std::size_t lines_ = 0; ///< of plan::own_lines, those that are in this block
    std::size_t pairs_ = 0;
    std::size_t arrays_ = 0;
};

/// The blocks of the ranks whose memory a plan loads or stores, and nobody else's.
class plan_hosts {
public:
    /// Collective: the ranks meet, and each looks up those that `p` names. `own` is this rank's block, `place` where it is in its
    /// arena; `fingerprint` is equal on all ranks (it identifies what the plan was built from).
    /// Errors: usage, if it is not; the block may be known to others then, too. Cost: O(hosts + log ranks) messages.
    plan_hosts(schedule const& p, context const& c, hosted_block const& own, block_place place, std::uint64_t arrays,
               std::uint64_t fingerprint, pinned_memory& pinned);

    /// Whether it is one of those: not, if it is on another machine, and the plan does nothing there but put.
    [[nodiscard]] bool knows(int host) const noexcept;
    [[nodiscard]] hosted_block const& of(int host) const;
    /// How many messages any rank sends to any other by this plan, at most.
    [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }

private:
    std::uint64_t messages_ = 0;
    struct known {
        int rank = 0;
        hosted_block block;
    };
    std::vector<known> hosts_; // by rank
};

} // namespace sode::internal
