// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sode::internal {

/// How much memory this process may have: the machine's, or less where a control group (a container, a batch job) says so.
struct memory_room {
    std::uint64_t total = 0;     ///< bytes
    std::uint64_t available = 0; ///< bytes that can be had now without swapping; caches count as available

    /// Reads /proc/meminfo and the control groups (v2 and v1) above this process: some tens of microseconds.
    [[nodiscard]] static memory_room now();
};

/// The most bytes of address space, up to `wanted`, that this process can map in one piece now, by halving. Covers both a small
/// address space of the processor and `ulimit -v`; `ulimit -f` too, since a mapped file has to have that length.
[[nodiscard]] std::uint64_t mappable_bytes(std::uint64_t wanted) noexcept;

/// Bytes of a huge page of ordinary memory; 0 if the kernel knows none.
[[nodiscard]] std::uint64_t huge_page_bytes();

/// The unit in which memory of one kind is taken from and returned to the kernel: a huge page where the kernel gives them on
/// request, else 64 KiB (some pages at a time, so that small blocks seldom need a system call).
enum class memory_kind { shared, anonymous };
[[nodiscard]] std::uint64_t memory_granule(memory_kind kind);

} // namespace sode::internal
