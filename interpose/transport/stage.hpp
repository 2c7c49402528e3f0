// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/space.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace sode::internal::interpose {

/// Room in the memory that a machine shares, for the bytes of a message.
struct stage {
    std::byte* data = nullptr;
    std::uint64_t offset = 0; ///< in the arena of its owner
    int size_class = 0;       ///< negative: of the heap
};

/// The stages of this rank. They have power-of-two sizes and are kept for the next message, the one used last first, because it is
/// still in the cache. Any thread may ask.
class stage_pool {
public:
    /// At most `most` bytes of stages exist at a time.
    stage_pool(space& memory, std::uint64_t most) : memory_(memory), most_(most) {}

    /// Room for `bytes`, or nothing: then the message is left to MPI.
    [[nodiscard]] std::optional<stage> take(std::uint64_t bytes) noexcept;
    /// The same by all means, for a sender whom nothing else would set free: beyond the limit of the heap, if others can reach
    /// that.
    [[nodiscard]] std::optional<stage> take_at_last(std::uint64_t bytes) noexcept;
    void give(stage const& s) noexcept;

private:
    static constexpr int of_the_heap = -1;
    static constexpr int smallest = 14; ///< 16 KiB
    static constexpr int classes = 20;

    space& memory_;
    std::uint64_t most_;
    std::uint64_t exist_ = 0;
    std::mutex mutex_;
    std::array<std::vector<stage>, classes> idle_;
};

} // namespace sode::internal::interpose
