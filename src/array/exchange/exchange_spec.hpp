// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "pattern/exchange_terms.hpp"
#include "plan/verify.hpp"

#include <cstdint>
#include <vector>

namespace sode {

/// One end of a message as all ranks know it.
struct known_end {
    bool sends = false;
    int peer = 0;
    int tag = 0;
    std::uint32_t region = 0;
    layout where{}; ///< in the region

    friend bool operator==(known_end const&, known_end const&) = default;
};

/// What one rank sends and receives. Its memory is told in regions: ends whose extents meet lie in one region, so that who looks at
/// a region sees all that happens to its bytes. A region is an array of the plan.
struct rank_ends {
    struct region {
        index_t bytes = 0;
        bool shared = false; ///< ranks of its node can load it

        friend bool operator==(region const&, region const&) = default;
    };
    std::vector<region> regions;
    std::vector<known_end> ends;

    friend bool operator==(rank_ends const&, rank_ends const&) = default;
};

/// Everything that an exchange is built from.
struct exchange_spec : exchange_terms {
    std::vector<rank_ends> all; ///< by rank

    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
    [[nodiscard]] std::size_t most_regions() const noexcept;
};

/// How that rank's user meets its regions: what verify() needs to know beside the plan.
[[nodiscard]] std::vector<array_model> exchange_models(exchange_spec const& spec, int rank);

} // namespace sode
