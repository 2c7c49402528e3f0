// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/outliving_plans.hpp"

#include "interpose/calls/next.hpp"
#include "model/job.hpp"

#include <algorithm>
#include <utility>

namespace sode::internal::interpose {

// No duplicate: that would call what the program has for its attributes.
outliving_plans::outliving_plans(MPI_Comm communicator, std::shared_ptr<detail::job> part,
                                 std::vector<std::unique_ptr<repeated_plan>>&& plans)
    : part_(std::move(part)), plans_(std::move(plans)) {
    int rank = 0;
    PMPI_Comm_rank(communicator, &rank);
    if (PMPI_Comm_split(communicator, 0, rank, &among_) != MPI_SUCCESS) among_ = MPI_COMM_NULL;
    for (auto const& one : plans_) one->outlive_communicator();
}

void outliving_plans::meet(stage next) {
    stage_ = next;
    mpi_itself().ibarrier(among_, &met_);
}

bool outliving_plans::are_over(bool must_go) {
    if (stage_ == stage::over) return true;
    if (must_stay()) return false;
    if (stage_ == stage::held) {
        if (!must_go && !std::ranges::all_of(plans_, [](auto const& one) { return one->is_free(); })) return false;
        meet(stage::freed);
    }
    while (stage_ != stage::over) {
        int all_have = 0;
        if (mpi_itself().test(&met_, &all_have, MPI_STATUS_IGNORE) != MPI_SUCCESS) among_ = MPI_COMM_NULL;
        if (all_have == 0 || must_stay()) return false;
        if (stage_ == stage::freed) {
            plans_.clear();
            meet(stage::gone);
        } else {
            part_->end_as_all_have();
            part_.reset();
            PMPI_Comm_free(&among_);
            stage_ = stage::over;
        }
    }
    return true;
}

} // namespace sode::internal::interpose
