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
    /// Whether a trial may choose it. The others were slower than MPI where they were measured, trials and all (decision 63).
    [[nodiscard]] static bool may_pay(repeated_call const& what) noexcept {
        return what.what <= planned_function::allreduce || what.what == planned_function::allgather;
    }

    /// Collective among the ranks of `on`, which outlives it. Errors: those of prepared.
    tiered_call(group const& on, repeated_call const& what);

    [[nodiscard]] int run(passed_call const& call, MPI_Comm communicator) override;
    /// Without its rooms, as kept_call.
    [[nodiscard]] std::int64_t held() const noexcept override;

private:
    [[nodiscard]] std::unique_ptr<kept_call> part(planned_function what, int root, std::int64_t bytes) const;
    void plan_moves(bool at_root);
    void plan_sums();
    /// Runs a part; nothing where this rank is alone.
    [[nodiscard]] int here(std::unique_ptr<kept_call> const& part, passed_memory const& given, passed_memory const& got,
                           MPI_Comm communicator, bool in_place = false) const;
    [[nodiscard]] int barrier(MPI_Comm communicator);
    [[nodiscard]] int bcast(passed_call const& call, MPI_Comm communicator);
    [[nodiscard]] int allreduce(passed_call const& call, MPI_Comm communicator);
    [[nodiscard]] int to_leader(passed_call const& call, passed_memory const& sum, MPI_Comm communicator);
    [[nodiscard]] int reduce(passed_call const& call, MPI_Comm communicator);
    [[nodiscard]] int allgather(passed_call const& call, MPI_Comm communicator);
    [[nodiscard]] int gather(passed_call const& call, MPI_Comm communicator);
    [[nodiscard]] int scatter(passed_call const& call, MPI_Comm communicator);
    [[nodiscard]] int alltoall(passed_call const& call, MPI_Comm communicator);
    [[nodiscard]] int reduce_scatter_block(passed_call const& call, MPI_Comm communicator);
    [[nodiscard]] int scan(passed_call const& call, MPI_Comm communicator);
    /// What the machines before this one combine to, of which there are some. It comes from the leader.
    [[nodiscard]] int before_this_machine(passed_call const& call, std::byte* sums, MPI_Comm communicator);
    /// Of the leaders of the machines, by rank of the communicator: what the root sends to them, or gets of them.
    struct shares_of_leaders {
        std::vector<int> bytes, places;
    };
    [[nodiscard]] shares_of_leaders shares_of_others() const;
    [[nodiscard]] std::int64_t bytes_of(int machine) const noexcept { return on_.tiers.size(machine) * what_.bytes; }
    [[nodiscard]] std::int64_t total() const noexcept {
        return static_cast<std::int64_t>(on_.tiers.machine_of.size()) * what_.bytes;
    }
    [[nodiscard]] int carry(passed_call const& call, MPI_Comm communicator);
    /// Memory for what this call brings together; the same number of bytes in each call that needs it.
    [[nodiscard]] std::byte* room(std::int64_t bytes);

    group on_;
    repeated_call what_;
    int machine_;
    bool leads_;
    std::unique_ptr<kept_call> before_; ///< what goes to the leader
    std::unique_ptr<kept_call> inside_; ///< of scans: what the ranks of this machine make of theirs
    std::unique_ptr<kept_call> after_;  ///< what comes from it
    std::vector<int> firsts_;           ///< of each machine: its first rank, where they are in blocks
    packing_room room_;
};

} // namespace sode::internal::interpose
