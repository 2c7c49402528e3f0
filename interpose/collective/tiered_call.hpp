// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/kept_call.hpp"
#include "interpose/collective/machine_tiers.hpp"

namespace sode::internal::interpose {

/// A collective call of ranks of several machines: the ranks of each machine do their part by plans, and the leaders of the
/// machines call MPI for what goes between them.
class tiered_call final : public planned_call {
public:
    /// What all calls of a communicator have in common.
    struct group {
        machine_tiers const& tiers;
        int rank = 0;
        detail::job* here = nullptr;      ///< the ranks of this machine; null: this one alone
        MPI_Comm leaders = MPI_COMM_NULL; ///< by machine; of leaders only
    };
    /// Whether such a call can be made so; the same answer on all ranks.
    [[nodiscard]] static bool can_be(repeated_call const& what, machine_tiers const& tiers) noexcept;

    /// Collective among the ranks of `on`, which outlives it. Errors: those of prepared.
    tiered_call(group const& on, repeated_call const& what);

    [[nodiscard]] int run(passed_call const& call, MPI_Comm communicator) override;

private:
    [[nodiscard]] std::unique_ptr<kept_call> part(planned_function what, int root) const;
    /// Runs a part; nothing where this rank is alone.
    [[nodiscard]] int here(std::unique_ptr<kept_call> const& part, passed_memory const& given, passed_memory const& got,
                           MPI_Comm communicator, bool in_place = false) const;
    [[nodiscard]] int barrier(MPI_Comm communicator);
    [[nodiscard]] int bcast(passed_call const& call, MPI_Comm communicator);
    [[nodiscard]] int allreduce(passed_call const& call, MPI_Comm communicator);
    [[nodiscard]] int to_leader(passed_call const& call, passed_memory const& sum, MPI_Comm communicator);
    [[nodiscard]] int reduce(passed_call const& call, MPI_Comm communicator);
    [[nodiscard]] int allgather(passed_call const& call, MPI_Comm communicator);
    [[nodiscard]] std::byte* room(std::int64_t bytes);

    group on_;
    repeated_call what_;
    int machine_;
    bool leads_;
    std::unique_ptr<kept_call> before_; ///< what goes to the leader
    std::unique_ptr<kept_call> after_;  ///< what comes from it
    std::vector<std::byte> room_;
};

} // namespace sode::internal::interpose
