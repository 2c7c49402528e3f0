// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/communicator_plans.hpp"

#include "base/warn.hpp"
#include "interpose/collective/collective_service.hpp"
#include "model/job.hpp"

#include <sode/error.hpp>

#include <algorithm>

namespace sode::internal::interpose {

communicator_plans::communicator_plans(collective_service& service, MPI_Comm communicator)
    : service_(service), communicator_(communicator) {
    int inter = 0;
    PMPI_Comm_test_inter(communicator, &inter);
    PMPI_Comm_rank(communicator, &rank_);
    PMPI_Comm_size(communicator, &size_);
    if (inter == 0 && size_ > 1) members_ = service.members_of(communicator);
    refused_ = members_.empty();
}

communicator_plans::~communicator_plans() = default;

void communicator_plans::end() noexcept {
    known_.clear();
    if (part_) {
        part_->end();
        service_.served(-1);
    }
    part_.reset();
    refused_ = true;
    service_.forget(this);
}

std::optional<int> communicator_plans::run(passed_call const& call) {
    auto const why = [&](left_to_mpi reason) { return leave(call.what.what, reason); };
    if (refused_) return why(left_to_mpi::elsewhere);
    ++calls_;
    if (!part_ && (calls_ < next_try_ || !set_up())) return why(refused_ ? left_to_mpi::elsewhere : left_to_mpi::rare);
    auto const& what = call.what;
    bool const empty = what.bytes == 0 && what.what != planned_function::barrier;
    if (empty || what.bytes > longest_planned(what.what) || what.bytes * size_ > most_together) return why(left_to_mpi::length);
    try {
        known_call& k = find(what);
        k.last = calls_;
        if (!k.plan) {
            if (++k.seen < calls_worth_a_plan) return why(left_to_mpi::rare);
            plan(k);
        }
        int const result = k.plan->run(call, communicator_);
        service_.told().carry(what.what);
        return result;
    } catch (error const& e) {
        refused_ = true; // the ranks are no longer in step
        return foundation::raise(communicator_, service_.base().code_of(e));
    }
}

std::nullopt_t communicator_plans::leave(planned_function what, left_to_mpi why) noexcept {
    service_.told().leave(what, why);
    return std::nullopt;
}

// In a call that all ranks make, and in which they may wait for each other.
bool communicator_plans::set_up() {
    next_try_ = 4 * calls_;
    bool const whole = service_.is_whole(members_);
    if (!all_agree(service_.can_serve(members_) && (whole || service_.has_job()))) {
        refused_ = whole; // another one waits for the first of all ranks
        return false;
    }
    bool done = true;
    try {
        part_ = service_.job_of_all().make_part(members_);
    } catch (error const& e) {
        tell(e);
        done = false;
    }
    if (!all_agree(done)) {
        if (part_) part_->ended = true; // nobody comes to its end
        part_.reset();
        refused_ = true;
        return false;
    }
    service_.served(1);
    return true;
}

bool communicator_plans::all_agree(bool mine) const {
    int all = mine ? 1 : 0;
    return mpi_itself().allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, communicator_) == MPI_SUCCESS && all != 0;
}

communicator_plans::known_call& communicator_plans::find(repeated_call const& what) {
    if (latest_ < known_.size() && known_[latest_].what == what) return known_[latest_];
    auto at = std::ranges::find(known_, what, &known_call::what);
    if (at == known_.end()) {
        if (known_.size() < most_known) {
            known_.emplace_back();
            at = known_.end() - 1;
        } else {
            at = std::ranges::min_element(known_, {}, &known_call::last);
            if (at->plan) {
                --plans_;
                bytes_ -= memory_of(at->what);
            }
            *at = {};
        }
        at->what = what;
    }
    latest_ = static_cast<std::size_t>(at - known_.begin());
    return *at;
}

void communicator_plans::plan(known_call& k) {
    auto const wanted = memory_of(k.what);
    while (plans_ >= most_plans || (plans_ > 0 && bytes_ + wanted > most_bytes)) {
        known_call* oldest = nullptr;
        for (auto& other : known_)
            if (other.plan && (oldest == nullptr || other.last < oldest->last)) oldest = &other;
        oldest->plan.reset();
        oldest->seen = 0;
        --plans_;
        bytes_ -= memory_of(oldest->what);
    }
    k.plan = std::make_unique<kept_call>(*part_, k.what);
    ++plans_;
    bytes_ += wanted;
}

// What a rank keeps at most, the same on all ranks: rooms of its own, and a stage of two instances.
std::int64_t communicator_plans::memory_of(repeated_call const& what) const noexcept {
    constexpr std::int64_t lines = 4096;
    bool const one =
        what.what <= planned_function::allreduce || what.what == planned_function::scan || what.what == planned_function::exscan;
    return lines + 4 * what.bytes * (one ? 1 : size_);
}

} // namespace sode::internal::interpose
