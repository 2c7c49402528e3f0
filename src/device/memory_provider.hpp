// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/space.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sode::internal {

/// Who has memory of one kind for the plans and arrays of this rank, and knows how other ranks of the machine get at it.
class memory_provider {
public:
    memory_provider() = default;
    virtual ~memory_provider() = default;
    memory_provider(memory_provider const&) = delete;
    memory_provider& operator=(memory_provider const&) = delete;

    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    /// `bytes` of it, that read as zero, on a page of their own. Errors: environment, if there is no room.
    [[nodiscard]] virtual std::byte* allocate(std::size_t bytes) = 0;
    /// No plan of this rank uses it any more. Plans of other ranks may, until they have taken part in a collective call of the
    /// team that began after this.
    virtual void release(std::byte* block, std::size_t bytes) noexcept = 0;

    /// What other ranks have to know of a place in a block.
    using handle = std::array<std::byte, 64>;
    [[nodiscard]] virtual handle tell(std::byte* place) = 0;
    /// The place of rank `host`, of this machine, as this process sees it. Errors: environment.
    [[nodiscard]] virtual std::byte* open(int host, handle const& told) = 0;
    /// What was opened is not needed any more; of several times that it was opened, this ends one. `again`: it may well be opened
    /// again, so it may stay as it is as long as its owner has it.
    virtual void close(std::byte* /*place*/, bool /*again*/) noexcept {}
    /// A place in a block of this provider's, in as few words as messages have, and how other ranks open it; nothing for other
    /// memory. All three are for any thread, open() and close() too where this finds anything.
    struct found {
        std::uint64_t where = 0;
        block_place block{};
    };
    [[nodiscard]] virtual std::optional<found> find(std::byte const* /*place*/) const { return {}; }
    /// As open(). Errors: environment.
    [[nodiscard]] virtual std::byte* open_found(int /*host*/, found const& /*place*/) { return nullptr; }
    /// A device with memory of its own: lets it load and store that memory of the host, at the same addresses, until it is told
    /// that the memory goes. Errors: environment.
    virtual void map_host(std::byte* /*first*/, std::size_t /*bytes*/) {}
    /// Whether that locks the pages, too, however many a process may lock.
    [[nodiscard]] virtual bool locks_host() const noexcept { return false; }
    virtual void unmap_host(std::byte* /*first*/, std::size_t /*bytes*/) noexcept {}
};

} // namespace sode::internal
