// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace sode::internal {

/// The memory behind one rank's own arena. Address space is there from the start; memory comes and goes by granules.
class pages {
public:
    virtual ~pages() = default;

    [[nodiscard]] virtual std::byte* base() const noexcept = 0;

    /// Backs [offset, offset + bytes) with memory that reads as zero, on the NUMA node of the calling thread, so that no later load
    /// or store can fail for want of it. Offsets and lengths here are multiples of the granule. Errors: environment, if the machine
    /// has no room; nothing has changed then.
    void reserve(std::uint64_t offset, std::uint64_t bytes);

    /// Returns the memory of a range to the kernel.
    virtual void give_back(std::uint64_t offset, std::uint64_t bytes) noexcept = 0;

protected:
    /// reserve() for a part that is small enough for what is known of the room. Errors: environment.
    virtual void back(std::uint64_t offset, std::uint64_t bytes) = 0;
};

/// Makes pages resident as a store to each would, but returns false, with errno, instead of a signal where there is no room.
/// EINVAL: the kernel is older than Linux 5.14 and cannot.
[[nodiscard]] bool populate(std::byte* base, std::size_t bytes) noexcept;

/// Backs whole huge pages of a shared mapping of memory by huge pages, whether or not the kernel gives such files any by itself (by
/// default it does not). False if it would not: then some may be backed, by pages of any size.
///
/// A sweep over an array that is larger than the caches takes 1 to 5 % longer in small pages (docs/decisions/0015).
[[nodiscard]] bool back_by_huge_pages(std::span<std::byte> memory, std::size_t huge_page) noexcept;

/// Makes a huge page of each one that lies partly in `added` and has memory everywhere by now: arrays that follow each other fill
/// it together. What is in it stays, and whoever uses it meanwhile waits. All of these huge pages must be mapped by the same file,
/// as they lie in it. A wish: where some of it is pinned, or there is no huge page, it stays in small ones.
void complete_huge_pages(std::span<std::byte> added, std::size_t huge_page) noexcept;

/// A store to each page. The pages must read as zero, and there must be room for them.
void touch(std::byte* base, std::size_t bytes) noexcept;

} // namespace sode::internal
