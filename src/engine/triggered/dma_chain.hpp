// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_program.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sode::internal {

/// A descriptor of PEACH2's controller for direct access to memory (paper P0, section 2.3): `size` bytes in bursts that lie `gap`
/// bytes apart, at both ends alike. Places are relative to the bases that the chain is started with.
struct dma_descriptor {
    std::int64_t source = 0;
    std::int64_t destination = 0;
    std::int64_t size = 0;
    std::int64_t burst = 0;
    std::int64_t gap = 0;
};

/// What a copy program moves, as a chain: rows of equal size and equal distance at both ends are one descriptor with a gap, others
/// have one each. Empty, if that would be more than `longest_chain`, or nothing moves.
[[nodiscard]] std::vector<dma_descriptor> chain_of(copy_view const& p);
inline constexpr std::size_t longest_chain = 65536;

/// Memory of the interface itself for descriptors: no more than this, for all chains together.
inline constexpr std::size_t internal_descriptors = 1024;

/// Where chains lie until they are started: in memory of the interface, as long as there is room, or else of the host.
class chain_homes {
public:
    chain_homes() : internal_(internal_descriptors) {}

    struct chain {
        std::span<dma_descriptor const> steps{};
        bool internal = false;
        std::unique_ptr<dma_descriptor[]> host{}; // NOLINT(*-avoid-c-arrays): of a size that is not known before
    };
    [[nodiscard]] chain keep(std::vector<dma_descriptor> const& steps);
    void release(chain& one) noexcept;
    [[nodiscard]] std::size_t internal_used() const noexcept;

private:
    struct block {
        std::size_t first;
        std::size_t count;
    };
    std::vector<dma_descriptor> internal_;
    std::vector<block> taken_; // ascending
};

} // namespace sode::internal
