// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/bootstrap.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace sode {

/// Ranks whose memory can be loaded and stored directly, and the memory that they share: every rank has an arena of its own, from
/// which it allocates alone, and which all ranks of the space see.
class space {
public:
    virtual ~space() = default;

    [[nodiscard]] virtual std::string_view name() const noexcept = 0; ///< "segment", "threads", "alone"
    /// Is that rank (of the job) in this space?
    [[nodiscard]] virtual bool contains(int rank) const noexcept = 0;

    /// `bytes` of this rank's arena, 128-byte aligned, zeroed, resident. Not collective.
    /// Errors: environment, if the arena or the machine has no room.
    [[nodiscard]] virtual std::byte* allocate(std::size_t bytes) = 0;
    virtual void release(std::byte* block, std::size_t bytes) noexcept = 0;

    /// The place of own memory within this rank's arena, and how another rank's place looks from here.
    [[nodiscard]] virtual std::uint64_t offset(std::byte const* own) const noexcept = 0;
    [[nodiscard]] virtual std::byte* at(int rank, std::uint64_t offset) const noexcept = 0;
};

/// Collective. Picks the space that this bootstrap allows. `arena_bytes` 0: as much as the machine has.
/// Errors: environment.
[[nodiscard]] std::unique_ptr<space> make_space(bootstrap& boot, std::size_t arena_bytes);

} // namespace sode
