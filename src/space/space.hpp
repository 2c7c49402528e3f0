// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/machine_map.hpp"

#include <sode/bootstrap.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace sode::internal {

struct config;

/// Where the block that some memory lies in is in its arena: what other ranks have to know to open it.
struct block_place {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0; ///< 0: it is in no arena
};

/// Ranks whose memory can be loaded and stored directly, and the memory that they share: every rank has an arena of its own, from
/// which it allocates alone, and which all ranks of the space see.
class space {
public:
    virtual ~space() = default;

    [[nodiscard]] virtual std::string_view name() const noexcept = 0; ///< "segment", "tasks", "threads", "alone"
    /// Is that rank (of the job) in this space?
    [[nodiscard]] virtual bool contains(int rank) const noexcept = 0;

    /// `bytes` of this rank's arena, 128-byte aligned, zeroed, resident. Not collective.
    /// Errors: environment, if the arena or the machine has no room.
    [[nodiscard]] virtual std::byte* allocate(std::size_t bytes) = 0;
    virtual void release(std::byte* block, std::size_t bytes) noexcept = 0;

    /// Leaves the granules that lie wholly in [first, first + bytes) out of children that are forked from now on, until they are
    /// allocated anew. False, if that is no memory of this rank's arena. Errors: environment.
    [[nodiscard]] virtual bool leave_out_of_forks(std::byte const* first, std::size_t bytes) = 0;

    /// The place of own memory within this rank's arena, and how another rank's place looks from here.
    [[nodiscard]] virtual std::uint64_t offset(std::byte const* own) const noexcept = 0;
    /// Of processes, another rank's place can be accessed only where it has been opened.
    [[nodiscard]] virtual std::byte* at(int rank, std::uint64_t offset) const noexcept = 0;

    /// The block of this rank's arena in which `own` lies.
    [[nodiscard]] virtual block_place block_of(std::byte const*) const noexcept { return {}; }
    /// Lets this process access a block of another rank's arena from now on: what it has not opened, and what nobody has
    /// allocated, a stray store must not reach. Nothing where memory is one for all, or for a rank outside of this space.
    /// Errors: environment. Cost: a system call or two, the first time.
    virtual void open(int, block_place) const {}

    /// True if a pointer means the same to all ranks of a machine: then offset() and at() serve for any memory of theirs, not only
    /// for arenas. Equal on all ranks of the job.
    [[nodiscard]] virtual bool one_address_space() const noexcept = 0;
    /// Whose memory `address` is: the rank in this space, or -1. Where there is one address space for several processes, of all
    /// their memory; else of arenas.
    [[nodiscard]] virtual int owner_of(void const* address) const noexcept = 0;
};

/// Which space to use, of those that can be had.
enum class space_choice : std::uint8_t {
    automatic, ///< the best
    segment,   ///< shared memory, also where ranks have one address space
    tasks      ///< one address space, or an error
};

/// What SODE_SPACE says.
[[nodiscard]] space_choice wanted_space(config const& settings) noexcept;

/// Collective. Picks the space that this bootstrap allows: threads for ranks of one process, tasks where the processes of each
/// machine have one address space, else a segment. `arena_bytes` 0: as much as the machine has. `wanted` is equal on all ranks.
/// Errors: environment, also if `wanted` cannot be had; usage, if ranks ask for different sizes.
[[nodiscard]] std::unique_ptr<space> make_space(bootstrap& boot, std::size_t arena_bytes,
                                                space_choice wanted = space_choice::automatic);
/// The same, where it is known which machine each rank is on.
[[nodiscard]] std::unique_ptr<space> make_space(bootstrap& boot, machine_map const& machines, std::size_t arena_bytes,
                                                space_choice wanted = space_choice::automatic);

/// As the first, with all that other ranks have or will have opened: for who hears of blocks while messages are under way.
[[nodiscard]] std::unique_ptr<space> make_open_space(bootstrap& boot, std::size_t arena_bytes,
                                                     space_choice wanted = space_choice::automatic);

} // namespace sode::internal
