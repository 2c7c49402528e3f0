// SPDX-License-Identifier: Apache-2.0
#include "space/arena_terms.hpp"

#include "base/byte_text.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

namespace sode::internal {
namespace {

constexpr std::uint64_t smallest_arena = std::uint64_t{1} << 20;
constexpr std::uint64_t most = std::uint64_t{1} << 62;

std::uint64_t power_of_two_above(std::uint64_t bytes) noexcept {
    return bytes >= most ? most : std::bit_ceil(bytes);
}

struct machine_terms {
    std::uint64_t ranks = 0;
    std::uint64_t requested = 0;
    std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t mappable = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t granule = 1;
};

std::map<std::int64_t, machine_terms> by_machine(std::span<arena_terms const> all) {
    std::map<std::int64_t, machine_terms> machines;
    for (auto const& rank : all) {
        auto& sum = machines[rank.machine];
        ++sum.ranks;
        sum.requested = rank.requested;
        sum.memory = std::min(sum.memory, rank.memory);
        sum.mappable = std::min(sum.mappable, rank.mappable);
        sum.granule = std::max(sum.granule, rank.granule);
    }
    return machines;
}

arena_layout requested_arena(machine_terms const& terms) {
    auto const bytes = (std::min(terms.requested, most) + terms.granule - 1) & ~(terms.granule - 1);
    if (bytes > most / terms.ranks)
        throw error{error_kind::usage,
                    fmt::format("{} of shared memory for each rank cannot be addressed", byte_text(terms.requested)),
                    fmt::format("{} ranks share a machine", terms.ranks), "choose a smaller SODE_SEGMENT_SIZE"};
    return {bytes, terms.granule};
}

arena_layout default_arena(machine_terms const& terms) {
    auto const desired = power_of_two_above(terms.memory);
    // Where the address space is scarce, half of it stays with the program.
    bool const scarce = terms.mappable / terms.ranks < desired;
    auto const share = scarce ? terms.mappable / 2 / terms.ranks : desired;
    auto const bytes = share == 0 ? 0 : std::max(std::bit_floor(share), terms.granule);
    if (bytes < smallest_arena || bytes > terms.mappable / terms.ranks)
        throw error{error_kind::environment, fmt::format("no address space for the shared memory of {} ranks", terms.ranks),
                    fmt::format("only {} can be mapped in one piece", byte_text(terms.mappable)),
                    "raise `ulimit -v` and `ulimit -f`, run fewer ranks, or set SODE_SEGMENT_SIZE"};
    return {bytes, terms.granule};
}

} // namespace

std::uint64_t desired_mapping(std::uint64_t memory, int ranks_on_machine) noexcept {
    auto const arena = power_of_two_above(memory);
    auto const ranks = static_cast<std::uint64_t>(ranks_on_machine);
    return arena > most / ranks ? most : arena * ranks;
}

arena_layout agree_on_arenas(std::span<arena_terms const> all, std::int64_t machine) {
    for (auto const& rank : all)
        if (rank.requested != all.front().requested)
            throw error{error_kind::usage,
                        fmt::format("ranks request {} and {} of shared memory", byte_text(all.front().requested),
                                    byte_text(rank.requested)),
                        "the size must be the same on every rank", "set SODE_SEGMENT_SIZE to the same value on all ranks"};
    arena_layout mine;
    for (auto const& [which, terms] : by_machine(all)) {
        auto const layout = terms.requested != 0 ? requested_arena(terms) : default_arena(terms);
        if (which == machine) mine = layout;
    }
    return mine;
}

} // namespace sode::internal
