// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

namespace sode {
class runtime;
} // namespace sode

namespace sode::internal::bench {

/// A block of each rank's arena, as this rank sees them.
class blocks_of_ranks {
public:
    /// Collective. All ranks are on one machine, and ask for equally many bytes.
    blocks_of_ranks(runtime& rt, std::size_t bytes);

    /// That of a rank, 128-byte aligned.
    [[nodiscard]] std::byte* of(int rank) const { return all_[static_cast<std::size_t>(rank)]; }

private:
    std::shared_ptr<std::byte> mine_;
    std::vector<std::byte*> all_;
};

} // namespace sode::internal::bench
