// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"
#include "pattern/exchange_terms.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace sode::internal {

enum class block_kind : std::uint8_t {
    allgather, ///< a rank gives one block, which everybody gets
    alltoall   ///< a rank gives a block to each rank
};
[[nodiscard]] std::string_view to_string(block_kind kind) noexcept;

/// One rank's memory: where its blocks lie in its arrays.
struct blocks_of_rank {
    struct place {
        std::uint32_t array = 0; ///< ordinal
        layout where{};

        friend bool operator==(place const&, place const&) = default;
    };
    std::vector<std::int64_t> array_bytes{};
    std::vector<std::optional<place>> given{}; ///< by target; allgather: one. None: it stays where it is (this rank's own)
    std::vector<std::optional<place>> got{};   ///< by source. None: it is there already (this rank's own)
};

/// Blocks of equal size that all ranks exchange, over several machines. Equal on all ranks but for `blocks`, of which a rank
/// knows its own: whatever the layouts, what travels is packed.
struct block_terms : exchange_terms {
    block_kind kind = block_kind::allgather;
    std::int64_t bytes = 0; ///< of a block
    int radix = 2;          ///< of Bruck's algorithm: 2 or more
    int leaders = 1;        ///< of a machine, each for the blocks of some of its ranks; at most as many as any machine has ranks
    std::map<int, blocks_of_rank> blocks{};

    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
};

} // namespace sode::internal
