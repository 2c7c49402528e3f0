// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/triggered/dma_chain.hpp"
#include "engine/triggered/ready_descriptor.hpp"

#include <array>
#include <cstdint>
#include <deque>

namespace sode::internal {

/// The four channels of an interface, which run the chains that they are handed, each in its order, beside each other.
class dma_channels {
public:
    static constexpr std::size_t channels = 4;

    struct started {
        std::span<dma_descriptor const> steps{};
        ready_descriptor what{};
        std::uint64_t* under_way = nullptr; ///< of who handed it over: becomes one less when it is over
    };
    /// Starts it when all before it on that channel are over. Cost: one write, and none for each descriptor.
    void start(std::size_t channel, started const& chain) { queues_[channel % channels].push_back(chain); }
    /// A piece of each channel's work. True if there was any.
    bool go();
    /// Forgets what that one has handed over: nothing more of it is moved.
    void drop(std::uint64_t const* under_way) noexcept;

private:
    static constexpr std::int64_t piece = 64 << 10; // bytes that a channel moves before the next one has its turn

    struct cursor {
        std::size_t step = 0;
        std::int64_t done = 0; // bytes of it
    };
    void run(std::size_t channel);

    std::array<std::deque<started>, channels> queues_;
    std::array<cursor, channels> at_{}; // of the first of each
};

} // namespace sode::internal
