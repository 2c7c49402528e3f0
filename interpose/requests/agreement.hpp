// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/foundation.hpp"

namespace sode::internal::interpose {

/// Which collectives go by messages between pairs of ranks: what all ranks of a communicator must answer alike.
class agreement {
public:
    explicit agreement(foundation& on) : on_(on) {}

    /// A collective, as all its ranks know it alike.
    struct occasion {
        std::int64_t kind;     ///< equal for equal operations on messages of equal length
        bool by_stages = true; ///< worth it also where ranks cannot reach each other's buffers
    };
    /// The communicator for the messages of a collective over `communicator`, which is no intercommunicator, if that shall go by
    /// pairs; the same answer on all its ranks. Some rank must want it, which is asked at the first occasion of a kind, and from
    /// time to time; only then `wanted()` is.
    template <class Wanted> [[nodiscard]] MPI_Comm twin_for(MPI_Comm communicator, occasion const& what, Wanted const& wanted) {
        acquaintance* const all = pairs_of(communicator, what.by_stages);
        if (all == nullptr) return MPI_COMM_NULL;
        auto known = on_.forced() ? std::optional{true} : remembered_vote(*all, what.kind);
        if (!known) known = vote(*all, what.kind, wanted());
        return *known ? all->twin : MPI_COMM_NULL;
    }
    /// Whether such a message has gaps, and is long: what MPI itself copies badly.
    [[nodiscard]] bool wants_pairs(MPI_Count count, MPI_Datatype type) const noexcept;

private:
    /// Null where collectives do not go by pairs.
    [[nodiscard]] acquaintance* pairs_of(MPI_Comm communicator, bool by_stages);
    /// Comparing notes costs a small collective, so it is done rarely. All ranks meet the same occasions in the same order.
    [[nodiscard]] static std::optional<bool> remembered_vote(acquaintance& all, std::int64_t kind);
    [[nodiscard]] static bool vote(acquaintance& all, std::int64_t kind, bool wanted);

    foundation& on_;
};

} // namespace sode::internal::interpose
