// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/agreement.hpp"

#include <algorithm>

namespace sode::internal::interpose {

namespace {

/// A communicator of the same ranks. Not a duplicate: that would call what the user has attached to his. It is not he who deals
/// with its errors.
bool make_twin(MPI_Comm communicator, MPI_Comm& twin) {
    int rank = 0;
    PMPI_Comm_rank(communicator, &rank);
    return PMPI_Comm_split(communicator, 0, rank, &twin) == MPI_SUCCESS &&
           PMPI_Comm_set_errhandler(twin, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

} // namespace

bool agreement::wants_pairs(MPI_Count count, MPI_Datatype type) const noexcept {
    if (surely_predefined(type) || !on_.is_long(count, type)) return false;
    MPI_Count size = 0, lower = 0, extent = 0;
    PMPI_Type_size_x(type, &size);
    PMPI_Type_get_true_extent_x(type, &lower, &extent);
    if (extent != size) return true;
    PMPI_Type_get_extent_x(type, &lower, &extent);
    return count > 1 && extent != size;
}

std::optional<bool> agreement::remembered_vote(acquaintance& all, std::int64_t kind) {
    constexpr int good_for = 64; // calls
    auto const known = std::find_if(all.votes.begin(), all.votes.end(), [kind](auto const& v) { return v.kind == kind; });
    if (known == all.votes.end() || ++known->calls >= good_for) return std::nullopt;
    return known->by_pairs;
}

bool agreement::vote(acquaintance& all, std::int64_t kind, bool wanted) {
    constexpr std::size_t kinds = 16;
    auto& votes = all.votes;
    int any = wanted ? 1 : 0;
    if (PMPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, all.twin) != MPI_SUCCESS) any = 0;
    acquaintance::vote const now{kind, 0, any != 0};
    auto const known = std::find_if(votes.begin(), votes.end(), [kind](auto const& v) { return v.kind == kind; });
    if (known != votes.end()) {
        *known = now;
    } else {
        if (votes.size() == kinds) votes.erase(votes.begin());
        votes.push_back(now);
    }
    return now.by_pairs;
}

acquaintance* agreement::pairs_of(MPI_Comm communicator, bool by_stages) {
    using pairing = acquaintance::pairing;
    acquaintance* const known = on_.communicators().of(communicator);
    if (known == nullptr) return nullptr;
    if (known->pairs == pairing::undecided) {
        bool all = known->in_world.size() > 1, reach = true;
        for (int const rank : known->in_world) {
            if (rank == on_.here().rank()) continue;
            all = all && on_.here().neighbour(rank);
            reach = reach && on_.here().reachable(rank);
        }
        known->pairs = !all ? pairing::none : reach ? pairing::by_buffers : pairing::by_stages;
        if (all && !make_twin(communicator, known->twin)) known->pairs = pairing::none;
    }
    bool const can = known->pairs == pairing::by_buffers || (known->pairs == pairing::by_stages && by_stages);
    return can ? known : nullptr;
}

} // namespace sode::internal::interpose
