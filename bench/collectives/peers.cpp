// SPDX-License-Identifier: Apache-2.0
#include "collectives/peers.hpp"
#include "model/job.hpp"

#include <sode/runtime.hpp>

#include <stdexcept>

namespace sode::internal::bench {

blocks_of_ranks::blocks_of_ranks(runtime& rt, std::size_t bytes) {
    constexpr std::size_t alignment = 128;
    auto& job = rt.job();
    mine_ = detail::allocate(job, bytes + alignment);
    auto const before = reinterpret_cast<std::uintptr_t>(mine_.get()) % alignment;
    std::byte* const first = mine_.get() + (alignment - before) % alignment;
    struct place {
        block_place block;
        std::uint64_t offset;
    };
    place const own{job.memory->block_of(first), job.memory->offset(first)};
    std::vector<place> places(static_cast<std::size_t>(rt.size()));
    job.boot->allgather(&own, sizeof own, places.data());
    for (int r = 0; r < rt.size(); ++r) {
        if (!job.memory->contains(r)) throw std::runtime_error{"a limit needs all ranks on one machine"};
        auto const& there = places[static_cast<std::size_t>(r)];
        job.memory->open(r, there.block);
        all_.push_back(r == rt.rank() ? first : job.memory->at(r, there.offset));
    }
}

} // namespace sode::internal::bench
