// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/proof/job.hpp"

#include <utility>

namespace sode::internal::proof {

/// A vector clock: for every actor the time up to which its doings are known. Kept by rank, since ranks know little of ranks far
/// away; what is known of a rank is an immutable row in a shared pool, so that a copy costs eight bytes a known rank.
struct clock {
    struct entry {
        std::uint32_t rank;
        std::uint32_t row;
    };
    std::vector<entry> known; ///< ascending by rank
};

/// The rows that clocks are made of, and the arithmetic on them.
class clock_pool {
public:
    explicit clock_pool(job const& all) : job_(all) {}

    /// The time of `actor` that `c` knows; 0 = nothing.
    [[nodiscard]] std::uint32_t at(clock const& c, std::uint32_t actor) const noexcept;
    /// Raises one component.
    void set(clock& c, std::uint32_t actor, std::uint32_t time);
    /// The least clock that knows all that either knows. Cost: O(known ranks), rows are compared only where they differ.
    void join(clock& into, clock const& other);
    /// The greatest clock that knows only what both know.
    [[nodiscard]] clock meet(clock const& a, clock const& b);

private:
    using row = std::uint32_t; // first of actors(rank) consecutive values
    [[nodiscard]] row joined(std::uint32_t rank, row a, row b);
    template <class Choose> [[nodiscard]] row combined(std::uint32_t rank, row a, row b, Choose choose);

    job const& job_;
    std::vector<std::uint32_t> values_;
};

} // namespace sode::internal::proof
