// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/begun_by.hpp"
#include "interpose/collective/blocking_calls.hpp"
#include "interpose/collective/call_log.hpp"
#include "interpose/collective/carried_call.hpp"
#include "interpose/collective/collective_report.hpp"
#include "interpose/collective/machine_tiers.hpp"
#include "interpose/collective/nonblocking_calls.hpp"
#include "interpose/collective/repeated_plans.hpp"
#include "interpose/collective/unread_call.hpp"

#include <cstdint>
#include <memory>
#include <mpi.h>
#include <optional>
#include <vector>

namespace sode::detail {
struct job;
}

namespace sode::internal::interpose {

class collective_service;

/// The collectives of one communicator: which are called again and again, and their plans. Everything here is decided by what is
/// equal on all ranks, call by call, so that they decide alike without a word.
///
/// A communicator that is used a few times costs nothing but the counting. Then its ranks agree whether they serve it, in one of
/// its calls, and make a part of the job; a call that comes again is planned then, and stays planned where that is faster.
class communicator_plans {
public:
    static constexpr int calls_before = 16;                   ///< of a communicator, until it is served
    static constexpr std::int64_t most_together = 16 << 20;   ///< of what all ranks give
    static constexpr std::int64_t most_kept_by_all = 4 << 20; ///< the same where every rank keeps all that it gives
    static constexpr std::int64_t short_together = 1 << 20;   ///< above: a long call, whose memory is the process's affair

    communicator_plans(collective_service& service, MPI_Comm communicator);
    ~communicator_plans();
    communicator_plans(communicator_plans const&) = delete;
    communicator_plans& operator=(communicator_plans const&) = delete;
    communicator_plans(communicator_plans&&) = delete;
    communicator_plans& operator=(communicator_plans&&) = delete;

    /// None of its calls is ours, whatever they pass: an intercommunicator, one rank of each machine, or an error came between.
    [[nodiscard]] bool is_refused(planned_function what, bool nonblocking) noexcept;
    /// `as`: how it was passed, if that is all.
    [[nodiscard]] carried_call run(passed_call const& call, unread_call const& as = {});
    /// The last blocking call of that function was the same, and this one is MPI's again: all that there is to do is done.
    [[nodiscard]] still_left is_left_again_here(unread_call const& call) noexcept;
    /// Why persistent collectives cannot be plans here; nothing, if they may. Equal on all ranks.
    [[nodiscard]] std::optional<left_to_mpi> cannot_repeat() const noexcept;
    /// Collective: a persistent collective as a plan; or null on all ranks, and MPI carries it. Returns a code of MPI, of which the
    /// error handler has heard.
    [[nodiscard]] int repeat(repeated_wish&& wish, repeated_plan*& result);
    /// A nonblocking call: waits for nobody. By a plan, if `request` has been written. `as`: how it was passed, if that is all.
    [[nodiscard]] begun_by begin(passed_call const& call, MPI_Request* request, unread_call const& as = {});
    /// It is that of before, and MPI's again: all that there is to do is done.
    [[nodiscard]] bool is_left_again(unread_call const& call) noexcept;
    /// A call that MPI refuses, or that no plan can carry, on this rank; on all ranks calls are counted alike.
    void count() noexcept {
        if (!refused_) ++calls_;
        left_ = {};
    }
    [[nodiscard]] begun_by leave_nonblocking(planned_function what, left_to_mpi why) noexcept;
    /// Collective, in a call of MPI's in which ranks may wait for each other: they agree on what nonblocking calls are waiting for.
    void meet() noexcept;
    /// While a call of that number is waited for, every now and then: whether it is another one than that of another rank. If so,
    /// it is told, and the wait will end with an error.
    bool look_at_others(std::uint64_t number) noexcept;
    /// Notes that a call is MPI's.
    [[nodiscard]] carried_call leave(planned_function what, left_to_mpi why) noexcept;
    /// Collective: nobody calls it any more. Without this, others may still be reading.
    void end() noexcept;

    [[nodiscard]] MPI_Comm communicator() const noexcept { return communicator_; }
    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }

private:
    [[nodiscard]] begun_by begin_or_leave(passed_call const& call, MPI_Request* request, unread_call const& as);
    [[nodiscard]] bool is_tried(repeated_call const& what) const noexcept;
    [[nodiscard]] bool fits(repeated_call const& what, bool tried) const noexcept;
    [[nodiscard]] bool set_up();
    [[nodiscard]] bool speak_with_others();
    void agree_on(blocking_trial& trial) const;
    [[nodiscard]] std::shared_ptr<detail::job> part_for_repeated();
    [[nodiscard]] int run_plan(blocking_calls::kind& k, passed_call const& call);
    void plan(blocking_calls::kind& k);
    /// The plans of the long call that was called least recently, blocking or not, but not `except`. False: there are none.
    [[nodiscard]] bool drop_oldest_long(blocking_calls::kind const* except);
    [[nodiscard]] bool is_long(repeated_call const& what) const noexcept { return what.bytes > short_together / size_; }
    [[nodiscard]] std::int64_t memory_of(repeated_call const& what) const noexcept;

    collective_service& service_;
    MPI_Comm communicator_;
    int rank_ = 0;
    int size_ = 1;
    machine_tiers tiers_;
    std::vector<int> here_; // those of this machine, in MPI_COMM_WORLD
    MPI_Comm leaders_ = MPI_COMM_NULL;
    std::uint64_t calls_ = 0;
    unread_call left_{}; // the last nonblocking call, if it was MPI's, and all others like it are until ranks agree on something
    repeated_call left_as_{};
    left_to_mpi left_because_{};
    std::uint64_t next_try_ = calls_before;
    bool refused_ = false;
    bool served_ = false;
    std::shared_ptr<detail::job> part_;     // of those of this machine
    std::shared_ptr<detail::job> spanning_; // of all of them, where they are on several
    bool out_of_step_ = false;              // or over: no persistent ones over several machines any more
    std::unique_ptr<call_log> log_;
    nonblocking_calls nonblocking_; // goes before the part
    blocking_calls blocking_;       // and so does this
    repeated_plans repeated_;
};

} // namespace sode::internal::interpose
