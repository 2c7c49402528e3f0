// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/memory_provider.hpp"
#include "plan/schedule.hpp"

#include <cstddef>

namespace sode::internal {

/// What a rank hosts for a plan in memory of one kind: its lines, then its stage, then its scratch. The host's own kind is no
/// affair of this.
class kind_block {
public:
    /// Nothing, if the plan wants nothing of that kind; else `from` has it. Errors: environment, if nobody has, or there is no
    /// room.
    kind_block(schedule const& p, memory_kind kind, memory_provider* from);
    ~kind_block();
    kind_block(kind_block const&) = delete;
    kind_block& operator=(kind_block const&) = delete;

    /// As the ranks of the machine are told: where it is, and which of the host's lines and bytes of stage are in it.
    struct told {
        memory_provider::handle where{};
        std::uint64_t lines = 0;
        std::uint64_t stage_from = 0;
        std::uint64_t stage_bytes = 0;
    };
    [[nodiscard]] told tell() const;
    [[nodiscard]] std::byte* base() const noexcept { return base_; }
    /// The scratch that begins `offset` bytes behind the beginning of this kind's.
    [[nodiscard]] std::byte* scratch(std::int64_t offset) const noexcept {
        return base_ + stage_at(part_.lines) + part_.stage + offset;
    }
    /// Where its stage begins, behind so many lines.
    [[nodiscard]] static constexpr std::size_t stage_at(std::int64_t lines) noexcept {
        return static_cast<std::size_t>(lines * line_bytes);
    }

private:
    own_part part_;
    std::uint64_t stage_from_ = 0;
    memory_provider* from_;
    std::size_t bytes_ = 0;
    std::byte* base_ = nullptr;
};

/// Of a provider that a plan needs. Errors: environment, if there is none.
[[nodiscard]] memory_provider& provider_of(memory_provider* from, memory_kind kind, schedule const& p);

} // namespace sode::internal
