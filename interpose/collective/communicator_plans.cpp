// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/communicator_plans.hpp"

#include "base/clock.hpp"
#include "base/warn.hpp"
#include "interpose/collective/all_agree.hpp"
#include "interpose/collective/basic_types.hpp"
#include "interpose/collective/collective_service.hpp"
#include "interpose/collective/long_plans.hpp"
#include "interpose/collective/result_bits.hpp"
#include "interpose/collective/tiered_call.hpp"
#include "model/job.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sode::internal::interpose {

namespace {

int size_of(MPI_Comm communicator) {
    int size = 1;
    PMPI_Comm_size(communicator, &size);
    return size;
}

} // namespace

communicator_plans::communicator_plans(collective_service& service, MPI_Comm communicator)
    : service_(service), communicator_(communicator), size_(size_of(communicator)), nonblocking_(service), blocking_(service),
      repeated_(service, communicator, size_) {
    int inter = 0;
    PMPI_Comm_test_inter(communicator, &inter);
    PMPI_Comm_rank(communicator, &rank_);
    auto const& machine = service.base().here();
    std::vector<int> const members = inter == 0 && size_ > 1 ? service.members_of(communicator) : std::vector<int>{};
    std::vector<int> names;
    for (int const r : members) {
        names.push_back(machine.machine_of(r));
        if (names.back() == machine.machine_of(machine.rank())) here_.push_back(r);
    }
    tiers_ = machine_tiers{names};
    refused_ = tiers_.widest() < 2; // of each machine one: nothing is ours
}

communicator_plans::~communicator_plans() {
    if (part_) service_.begun().outlive(*this); // MPI_Finalize is near
}

void communicator_plans::end() noexcept {
    nonblocking_.end();
    service_.begun().outlive(*this);
    blocking_.end();
    auto const repeated_on = tiers_.machines() > 1 ? spanning_ : part_;
    auto outliving = repeated_.end(); // by requests of the program's
    bool const outlived = !outliving.empty();
    if (outlived) service_.keep(std::make_unique<outliving_plans>(communicator_, repeated_on, std::move(outliving)));
    for (auto const& part : {part_, spanning_})
        if (part && !(outlived && part == repeated_on)) part->end();
    if (log_) log_->end(); // all ranks have met
    if (spanning_) service_.served(-1);
    spanning_.reset();
    out_of_step_ = true;
    log_.reset();
    if (served_) service_.served(-1);
    served_ = false;
    part_.reset();
    if (leaders_ != MPI_COMM_NULL) PMPI_Comm_free(&leaders_);
    refused_ = true;
    service_.forget(this);
}

carried_call communicator_plans::run(passed_call const& call, unread_call const& as) {
    auto const why = [&](left_to_mpi reason) { return leave(call.what.what, reason); };
    if (refused_) return why(left_to_mpi::elsewhere);
    if (!service_.is_committed(call)) {
        count();
        return {};
    }
    ++calls_;
    if (!served_ && (calls_ < next_try_ || !set_up())) return why(refused_ ? left_to_mpi::elsewhere : left_to_mpi::rare);
    auto const& what = call.what;
    if (log_) log_->tell(calls_, what, false);
    meet();
    bool const tried = is_tried(what), spans = tiers_.machines() > 1;
    // What a network does in between is not known; so between machines nothing is ours that was not tried.
    bool const worth = service_.always() || (tried && tiered_call::may_pay(what));
    if (spans && (!tiered_call::can_be(what, tiers_) || !worth)) return why(left_to_mpi::elsewhere);
    if (!fits(what, tried)) return why(left_to_mpi::length);
    try {
        auto& k = blocking_.called(what, {calls_, memory_of(what), is_long(what)});
        if (!k.plan) {
            if (k.full) return why(left_to_mpi::full);
            if (!blocking_.is_due(k)) return why(left_to_mpi::rare);
            plan(k);
            if (!k.plan) return why(left_to_mpi::full);
        }
        if (!tried) return carried_call{run_plan(k, call)};
        if (k.trial.over()) agree_on(k.trial);
        auto const turn = k.trial.next(now_ns);
        if (turn.who == carrier::mpi) {
            service_.told().leave(what.what, left_to_mpi::slower);
            if (turn.counts) return carried_call{k.trial};
            blocking_.remember_left(as);
            return {};
        }
        if (!turn.counts) return carried_call{run_plan(k, call)};
        auto const since = now_ns();
        int const code = run_plan(k, call);
        k.trial.took(carrier::plan, since, now_ns());
        return carried_call{code};
    } catch (std::exception const& e) {
        refused_ = true; // the ranks are no longer in step
        return carried_call{foundation::raise(communicator_, service_.base().code_of(e))};
    }
}

bool communicator_plans::is_tried(repeated_call const& what) const noexcept {
    return service_.tries() && !shows_who_carries(what, size_);
}

bool communicator_plans::fits(repeated_call const& what, bool tried) const noexcept {
    if (what.bytes == 0 && what.what != planned_function::barrier) return false;
    bool const long_untried = !service_.always() && !tried && what.bytes > longest_untried;
    using enum planned_function;
    bool const all_keep = what.what == allgather || what.what == alltoall || what.what == reduce_scatter_block;
    return !long_untried && what.bytes <= (all_keep ? most_kept_by_all : most_together) / size_;
}

begun_by communicator_plans::begin(passed_call const& call, MPI_Request* request, unread_call const& as) {
    try {
        return begin_or_leave(call, request, as);
    } catch (std::exception const& e) {
        refused_ = true; // the ranks are no longer in step
        return begun_by{foundation::raise(communicator_, service_.base().code_of(e))};
    }
}

begun_by communicator_plans::begin_or_leave(passed_call const& call, MPI_Request* request, unread_call const& as) {
    auto const& what = call.what;
    left_ = {};
    if (refused_) return leave_nonblocking(what.what, left_to_mpi::elsewhere);
    if (!service_.is_committed(call)) {
        count();
        return {};
    }
    ++calls_;
    if (log_) log_->tell(calls_, what, true);
    auto const left = [&](left_to_mpi why) {
        // A datatype of the program's may be gone at the next call, and its handle another one's.
        left_ = as.type == MPI_DATATYPE_NULL || lies_densely(as.type) ? as : unread_call{};
        left_as_ = what;
        left_because_ = why;
        return leave_nonblocking(what.what, why);
    };
    if (tiers_.machines() > 1) return left(left_to_mpi::elsewhere);
    bool const tried = is_tried(what);
    if (!fits(what, tried)) return left(left_to_mpi::length);
    auto const chosen = nonblocking_.choose(what, {calls_, tried, memory_of(what), is_long(what)});
    if (chosen.line == nullptr) {
        if (chosen.why == left_to_mpi::unagreed) return left(chosen.why);
        service_.told().leave(what.what, chosen.why, true);
        return chosen.trial != nullptr ? begun_by{service_.begun(), *chosen.trial, request} : begun_by{};
    }
    auto const since = chosen.trial != nullptr ? now_ns() : 0;
    auto* const one = service_.begun().take();
    if (one == nullptr) return begun_by{foundation::raise(communicator_, MPI_ERR_NO_MEM)};
    one->hold(call);
    one->communicator = communicator_;
    one->plans = this;
    one->number = calls_;
    one->line = chosen.line;
    one->trial = chosen.trial;
    chosen.line->begin(*one);
    service_.told().carry(what.what, true);
    if (chosen.trial != nullptr) one->took = now_ns() - since;
    *request = one->request;
    return begun_by{MPI_SUCCESS};
}

begun_by communicator_plans::leave_nonblocking(planned_function what, left_to_mpi why) noexcept {
    service_.told().leave(what, why, true);
    return {};
}

void communicator_plans::meet() noexcept {
    if (!nonblocking_.due() || refused_ || (!served_ && (calls_ < next_try_ || !set_up()))) return;
    left_ = {};
    try {
        nonblocking_.agree(part_, communicator_, [this] { return drop_oldest_long(nullptr); });
    } catch (std::exception const& e) {
        tell(e);
        refused_ = true; // the ranks are no longer in step
    }
}

bool communicator_plans::look_at_others(std::uint64_t number) noexcept {
    if (!log_) return false;
    if (part_->waits->gave_up()) return true;
    auto const difference = log_->difference(number);
    if (!difference) return false;
    tell(error{error_kind::usage, fmt::format("collective call {} on a communicator differs between its ranks", number),
               *difference, "call the same collectives in the same order on all ranks of a communicator"});
    part_->waits->give_up();
    return true;
}

int communicator_plans::run_plan(blocking_calls::kind& k, passed_call const& call) {
    auto const looks = service_.waits_in(*this, calls_);
    int const code = k.plan->run(call, communicator_);
    service_.told().carry(call.what.what);
    return code;
}

std::optional<left_to_mpi> communicator_plans::cannot_repeat() const noexcept {
    if (tiers_.machines() < 2) return refused_ ? std::optional{left_to_mpi::elsewhere} : std::nullopt;
    if (!service_.spans()) return left_to_mpi::threads;
    return out_of_step_ ? std::optional{left_to_mpi::elsewhere} : std::nullopt;
}

int communicator_plans::repeat(repeated_wish&& wish, repeated_plan*& result) {
    result = nullptr;
    service_.look_after_outliving();
    auto const what = wish.what;
    auto why = left_to_mpi::elsewhere;
    if (!cannot_repeat()) {
        try {
            if (auto const part = part_for_repeated()) result = repeated_.make(part, std::move(wish), why);
        } catch (std::exception const& e) {
            (tiers_.machines() > 1 ? out_of_step_ : refused_) = true; // the ranks are no longer in step
            return foundation::raise(communicator_, service_.base().code_of(e));
        }
    }
    if (result == nullptr) static_cast<void>(leave(what, why));
    return MPI_SUCCESS;
}

// In a call that all ranks make, as below. Over several machines there is a job of all ranks; what this part of it needs, MPI
// makes among its members alone.
std::shared_ptr<detail::job> communicator_plans::part_for_repeated() {
    if (tiers_.machines() < 2) return served_ || set_up() ? part_ : nullptr;
    if (spanning_ || !all_agree(service_.can_serve(), communicator_)) return spanning_;
    spanning_ = service_.job_of_all().make_part(service_.members_of(communicator_));
    service_.served(1);
    return spanning_;
}

carried_call communicator_plans::leave(planned_function what, left_to_mpi why) noexcept {
    service_.told().leave(what, why);
    return {};
}

// In a call that all ranks make, and in which they may wait for each other. A machine of which some ranks are missing has to wait
// until a communicator of all of them was served.
bool communicator_plans::set_up() {
    next_try_ = 4 * calls_;
    if (!all_agree(service_.can_serve() && (service_.is_whole(here_) || service_.has_job()), communicator_)) return false;
    bool done = true;
    try {
        std::vector<int> places;
        for (int const r : here_) places.push_back(service_.base().here().place_of(r));
        auto& all = service_.job_of_machine();
        if (here_.size() > 1) part_ = all.make_part(places);
        if (part_ && tiers_.machines() == 1) log_ = std::make_unique<call_log>(*part_);
        done = speak_with_others();
    } catch (std::exception const& e) {
        tell(e);
        done = false;
    }
    if (!all_agree(done, communicator_)) {
        if (part_) part_->ended = true; // nobody comes to its end
        log_.reset();
        part_.reset();
        refused_ = true;
        return false;
    }
    served_ = true;
    service_.served(1);
    return true;
}

/// Makes the communicator of those who lead their machines, if there are several.
bool communicator_plans::speak_with_others() {
    if (tiers_.machines() == 1) return true;
    bool const leads = tiers_.place(rank_) == 0;
    return PMPI_Comm_split(communicator_, leads ? 0 : MPI_UNDEFINED, rank_, &leaders_) == MPI_SUCCESS;
}

// In a call that all ranks make, as above.
void communicator_plans::agree_on(blocking_trial& trial) const {
    auto slowest = trial.measured(now_ns);
    if (mpi_itself().allreduce(MPI_IN_PLACE, slowest.data(), static_cast<int>(slowest.size()), MPI_INT64_T, MPI_MAX,
                               communicator_) != MPI_SUCCESS)
        throw error{error_kind::environment, "ranks could not compare the times of a collective call", "MPI_Allreduce failed",
                    "set SODE_MPI_COLLECTIVES=on or off to run without trials"};
    trial.decide(slowest);
}

bool communicator_plans::drop_oldest_long(blocking_calls::kind const* except) {
    auto* const blocking = blocking_.oldest_long(except);
    auto const other = nonblocking_.oldest_long();
    if (other && (blocking == nullptr || *other < blocking->last.number)) return nonblocking_.drop_oldest_long(communicator_);
    if (blocking != nullptr) blocking_.drop(*blocking);
    return blocking != nullptr;
}

// Collective. What a plan holds is known when it is made; if some rank has no memory for it, even without other long ones of this
// communicator, it goes.
void communicator_plans::plan(blocking_calls::kind& k) {
    blocking_.make_room(k);
    std::unique_ptr<planned_call> made;
    if (tiers_.machines() > 1)
        made = std::make_unique<tiered_call>(tiered_call::group{tiers_, rank_, part_.get(), leaders_}, k.what);
    else
        made = std::make_unique<kept_call>(*part_, k.what);
    blocking_.keep(k, std::move(made));
    if (k.last.is_long)
        fit_long_plans(service_, communicator_, [&] {
            bool const another = drop_oldest_long(&k);
            if (!another) blocking_.drop(k);
            return another;
        });
    k.full = !k.plan;
}

// What a rank keeps at most, the same on all ranks: a room of its own and four stages, or two rooms
// and two stages.
std::int64_t communicator_plans::memory_of(repeated_call const& what) const noexcept {
    constexpr std::int64_t lines = 4096;
    bool const one =
        what.what <= planned_function::allreduce || what.what == planned_function::scan || what.what == planned_function::exscan;
    return lines + 5 * what.bytes * (one ? 1 : size_);
}

} // namespace sode::internal::interpose
