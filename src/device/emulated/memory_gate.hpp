// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sode::internal {

/// Closes an emulated device's memory to the host: its pages can be loaded and stored only while code of a device runs in this
/// address space, and any touch of them at another time is a fault. (A host that touches them just then is not noticed. Keys of
/// protection would notice, for each thread; not all processors have them.)
///
/// Plain memory without a constructor, zero at first: where several ranks have one address space they share each other's gates.
/// What is in one is one rank's; the pages of at most `most_blocks` blocks are closed, those of more stay open.
class memory_gate {
public:
    /// Pages [first, first + bytes) are a device's from now on, or no longer: then everybody may touch them.
    void add(std::byte* first, std::size_t bytes) noexcept;
    void remove(std::byte* first) noexcept;

    /// Code of a device begins, or ends, in any thread of this address space.
    void enter() noexcept;
    void leave() noexcept;

private:
    static constexpr std::size_t most_blocks = 512;
    class locked;
    struct block {
        std::byte* first;
        std::size_t bytes;
    };

    std::atomic<std::uint32_t> lock_;
    std::uint32_t inside_;
    std::size_t count_;
    block blocks_[most_blocks];
};

} // namespace sode::internal
