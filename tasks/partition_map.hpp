// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>

namespace sode::internal {

/// Where the partitions of a house lie: entry i within [area + i * stride, area + (i + 1) * stride).
class partition_map {
public:
    /// Addresses that the kernel gives to nothing of its own accord: programs begin at 0x55…, libraries and stacks lie above 0x7e…,
    /// or, where the stack has no limit, from 0x2aaa… upwards.
    static constexpr std::uintptr_t area = 0x3000'0000'0000;
    static constexpr std::uintptr_t area_end = 0x5400'0000'0000;
    static constexpr std::size_t least_bytes = std::size_t{64} << 20U;

    /// `bytes` 0: as much as there is. Errors: usage, if they do not fit.
    partition_map(int capacity, std::size_t bytes, std::optional<std::uint64_t> scatter);

    [[nodiscard]] std::size_t stride() const noexcept { return stride_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

    /// Where the partition of the next task of entry `index` begins: always the same, unless scattered.
    [[nodiscard]] std::uintptr_t next_base(int index);

private:
    std::size_t stride_;
    std::size_t bytes_;
    bool scattered_;
    std::mt19937_64 random_;
};

} // namespace sode::internal
