// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"
#include "plan/reduction.hpp"

#include <cstdint>
#include <vector>

namespace sode::internal {

/// What an epoch must have done at this rank: independent of how. `verify` holds the descriptors against it.
/// Array parity of source and target is that of the epoch.
struct delivery {
    std::int32_t source_rank = 0;
    std::uint32_t source_array = 0; ///< ordinal
    layout source;
    std::uint32_t target_array = 0; ///< ordinal, at this rank
    layout target;
    bool negated = false;  ///< with the other sign
    bool constant = false; ///< `source` lies in plan::constants of this rank
    /// How it is combined with the deliveries to the same bytes that come before it in the list; the first one's says nothing.
    std::uint32_t combiner = no_combiner;
};

/// A function of the user's that an epoch calls: it sets elements of this rank's own array, and reads others of it. The function
/// itself is given to the engine, one for each of these.
struct call_site {
    std::uint32_t array = 0; ///< ordinal
    layout reads;
    layout writes;
};

/// Bytes of this rank's own array that an epoch may overwrite, but must put back before it ends: between the rows of a message that
/// arrives where it belongs.
struct borrowed {
    std::uint32_t array = 0; ///< ordinal
    layout bytes;
};

/// What a plan owes: what an epoch must have done, and may do, however it does it. Nobody runs this.
struct obligations {
    std::vector<delivery> deliveries;
    std::vector<borrowed> loans;
    std::vector<call_site> calls;
};

} // namespace sode::internal
