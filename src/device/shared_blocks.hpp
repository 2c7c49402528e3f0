// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/accelerator.hpp"
#include "device/block_driver.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace sode::internal {

/// The blocks of a device's memory that this process has, which other processes of the machine may map, and those of others that it
/// has mapped.
///
/// Beside each block lies a record in the rank's arena, which all ranks of the machine see: the driver's ticket, and how many
/// others have the block mapped now. A driver may forbid that a block is freed while it is mapped (CUDA does), so a released block
/// stays until the quarantine gives it back and that count is 0. Whoever dies with a block mapped keeps it from being freed before
/// its owner ends, and no longer.
class shared_blocks {
public:
    shared_blocks(std::unique_ptr<block_driver> driver, device_terms const& terms);
    /// Unmaps all, and frees what nobody has mapped.
    ~shared_blocks();
    shared_blocks(shared_blocks const&) = delete;
    shared_blocks& operator=(shared_blocks const&) = delete;

    /// A block that was allocated. If the driver gives no ticket for it, others hear why when they open it. Errors: environment, if
    /// the arena has no room.
    void add(std::byte* block, std::size_t bytes);
    /// It was released; `frees`, which throws nothing, is called when nobody can have it mapped.
    void remove(std::byte* block, std::function<void()> frees) noexcept;
    /// Those of memory_provider. find(), open() and close() are for any thread.
    [[nodiscard]] memory_provider::handle tell(std::byte* place);
    [[nodiscard]] std::optional<memory_provider::found> find(std::byte const* place) const;
    [[nodiscard]] std::byte* open(int host, memory_provider::handle const& told);
    [[nodiscard]] std::byte* open(int host, memory_provider::found const& place);
    void close(std::byte* place, bool again) noexcept;
    /// How many blocks of other processes are mapped, and how many of its own were released and are not free yet.
    [[nodiscard]] std::size_t mapped() const;
    [[nodiscard]] std::size_t kept() const;

private:
    struct record;
    struct own_block {
        std::size_t bytes;
        record* said;
    };
    struct foreign_block {
        std::size_t bytes;
        record* said; // by its owner
        int uses;     // 0: it stays for the next one
    };
    struct freed_block {
        record* said;
        std::function<void()> frees;
    };
    struct state; // what callbacks of the quarantine find, unless this is gone
    using own_blocks = std::map<std::byte*, own_block, std::less<>>;
    using foreign_blocks = std::map<std::byte*, foreign_block, std::less<>>;

    [[nodiscard]] own_blocks::const_iterator block_of(std::byte const* place) const;
    [[nodiscard]] memory_provider::found place_in(own_blocks::const_iterator block, std::byte const* place) const;
    [[nodiscard]] foreign_blocks::iterator map(int host, record* theirs);
    foreign_blocks::iterator unmap(foreign_blocks::iterator b) noexcept;
    void unmap_released() noexcept;

    std::unique_ptr<block_driver> driver_;
    space& shared_;
    quarantine& freed_;
    process_identity self_;
    mutable std::mutex lock_; // of what follows: kernels' managers have threads of their own
    own_blocks own_;
    foreign_blocks foreign_;
    std::shared_ptr<state> state_;
};

} // namespace sode::internal
