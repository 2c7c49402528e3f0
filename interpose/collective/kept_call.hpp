// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/prepared_list.hpp"
#include "interpose/collective/packing_room.hpp"
#include "interpose/collective/planned_call.hpp"

#include <cstddef>
#include <memory>
#include <mpi.h>
#include <vector>

namespace sode::detail {
struct job;
}

namespace sode::internal::interpose {

/// A collective call that was planned once, and is run with the memory of each call: in that itself, or, where it is little, has
/// gaps or is worked on in place, in memory of its own, which each rank decides alone.
class kept_call final : public planned_call {
public:
    /// Collective among the ranks of `j`, which outlives it. `dealt`: of MPI_Reduce_scatter, bytes by rank. Errors: those of
    /// prepared.
    kept_call(detail::job& j, repeated_call const& what, std::vector<std::int64_t> dealt = {});

    [[nodiscard]] repeated_call const& what() const noexcept { return what_; }
    [[nodiscard]] int run(passed_call const& call, MPI_Comm communicator) override;
    /// Without its rooms (see packing_room).
    [[nodiscard]] std::int64_t held() const noexcept override { return plan().steps().own_stage + plan().steps().own_scratch; }

    /// Whether begin() and end() call MPI, as what is given or got has gaps.
    [[nodiscard]] bool packs(passed_call const& call) const noexcept;
    [[nodiscard]] bool unpacks(passed_call const& call) const noexcept;
    /// run() in three parts. Takes what is given, and starts. Returns a code of MPI; nothing is started then, if it is an error.
    [[nodiscard]] int begin(passed_call const& call, MPI_Comm communicator);
    /// Goes on without waiting, and without a call of MPI: any thread, one at a time. True if nothing is left but end().
    [[nodiscard]] bool proceed();
    /// Waits, and leaves what is got where it is wanted.
    [[nodiscard]] int end(passed_call const& call, MPI_Comm communicator);

    /// What is given, packed: for a call that cannot begin yet, whose rank may be blocked in MPI when it can.
    [[nodiscard]] int pack_apart(passed_call& call, std::unique_ptr<std::byte[]>& to, MPI_Comm communicator) const;
    /// As end(), of a call that unpacks, without a call of MPI: what is got, packed. Returns its bytes.
    [[nodiscard]] std::int64_t end_apart(std::unique_ptr<std::byte[]>& to);

private:
    /// Where an array of the plan begins: so far behind what is given, or what is got.
    struct place {
        bool of_given;
        std::ptrdiff_t offset;
    };
    [[nodiscard]] std::unique_ptr<prepared_list> combine(detail::job& j) const;
    [[nodiscard]] std::unique_ptr<prepared_list> exchange(detail::job& j) const;
    [[nodiscard]] prepared& plan() const noexcept { return run_->front(); }
    void bind(std::byte* given, std::byte* got);
    [[nodiscard]] static bool goes_directly(passed_memory const& m, std::int64_t bytes) noexcept;

    repeated_call what_;
    std::vector<std::int64_t> dealt_;
    int rank_;
    int ranks_;
    packing_room given_;
    packing_room got_;
    std::byte* bound_given_ = nullptr;
    std::byte* bound_got_ = nullptr;
    std::unique_ptr<prepared_list> run_; // of one
    std::vector<place> places_;          // by array of the plan
};

} // namespace sode::internal::interpose
