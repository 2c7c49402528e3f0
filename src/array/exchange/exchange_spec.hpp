// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "pattern/exchange_terms.hpp"
#include "plan/verify.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace sode::internal {

/// One end of a message as other ranks know it.
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
        bool shared = false; ///< ranks of its machine can load it

        friend bool operator==(region const&, region const&) = default;
    };
    std::vector<region> regions;
    std::vector<known_end> ends;

    friend bool operator==(rank_ends const&, rank_ends const&) = default;
};

/// What a rank that knows the ends of a pair only must be told of what is worked out from more than that.
struct told_place {
    int slot = -1;                   ///< of what this rank gives, at its target; -1: it gives nothing
    index_t stage_bytes = 0;         ///< of the peer, one instance
    std::vector<index_t> in_stage{}; ///< where there: for each message from that peer, in their order

    /// Where one message may carry what goes from one machine to another, ranks of a machine know what each of them exchanges with
    /// other machines: for each message its peer and its bytes, by peer.
    struct far_message {
        int peer = 0;
        index_t bytes = 0;
    };
    int slots = 0; ///< of the peer
    std::vector<far_message> out{}, in{};
};

/// What an exchange is built from: the ends of all ranks, or those of one rank and of its peers as far as they are of its messages.
struct exchange_spec : exchange_terms {
    std::map<int, rank_ends> ends;  ///< by rank
    std::map<int, told_place> told; ///< by peer, or rank of the machine, where not all ends are known
    std::optional<bool> shared{}; ///< every source can be loaded by its target, if they are on one machine; where not all are known

    /// One message may carry what goes from one machine to another: it is asked for, or the model may find that it pays.
    [[nodiscard]] bool may_go_together() const noexcept;
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
};

/// Numbers that add up to nothing over all ranks if every send has its receive, of the same tag and size, and the other way round;
/// else (with all likelihood) not. Cost: O(ends log ends).
[[nodiscard]] std::array<std::uint64_t, 2> pairing_of(rank_ends const& ends, int rank);

/// How that rank's user meets its regions: what verify() needs to know beside the plan.
[[nodiscard]] std::vector<array_model> exchange_models(exchange_spec const& spec, int rank);

} // namespace sode::internal
