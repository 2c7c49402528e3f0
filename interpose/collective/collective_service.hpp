// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/basic_types.hpp"
#include "interpose/collective/begun_calls.hpp"
#include "interpose/collective/collective_report.hpp"
#include "interpose/collective/communicator_plans.hpp"
#include "interpose/collective/held_memory.hpp"
#include "interpose/collective/outliving_plans.hpp"
#include "interpose/collective/started_calls.hpp"
#include "interpose/datatypes/handle_bits.hpp"
#include "interpose/requests/foundation.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mpi.h>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace sode::internal::interpose {

/// Collectives of unmodified programs as plans of ours: a job of the ranks of this machine, made when it is first worth it, and for
/// each communicator a part of it, which hangs on the communicator as an attribute and goes with it.
class collective_service {
public:
    /// Collective, after MPI_Init. It serves nobody if any rank does not want it, or may call MPI from several threads at a time.
    collective_service(foundation& base, config settings);
    /// Collective, before MPI_Finalize.
    ~collective_service();
    collective_service(collective_service const&) = delete;
    collective_service& operator=(collective_service const&) = delete;
    collective_service(collective_service&&) = delete;
    collective_service& operator=(collective_service&&) = delete;

    /// What is known of that communicator; null if nobody is served.
    [[nodiscard]] communicator_plans* of(MPI_Comm communicator) {
        if (!on_ || communicator == MPI_COMM_NULL) return nullptr;
        auto* const recent = recent_[place_of(communicator)];
        return recent != nullptr && recent->communicator() == communicator ? recent : find(communicator);
    }
    /// Null as well if nothing is known of it yet.
    [[nodiscard]] communicator_plans* known(MPI_Comm communicator) const;

    [[nodiscard]] foundation& base() noexcept { return base_; }
    [[nodiscard]] collective_report& told() noexcept { return report_; }
    /// Collective: what calls there were, if that is wanted; at rank 0.
    [[nodiscard]] std::string text();

    /// The ranks of a communicator in MPI_COMM_WORLD; none, if one of them is not in it.
    [[nodiscard]] std::vector<int> members_of(MPI_Comm communicator);
    /// These are all ranks of this machine.
    [[nodiscard]] bool is_whole(std::span<int const> members) const noexcept;
    [[nodiscard]] bool has_job() const noexcept { return job_ != nullptr; }
    /// This process can: it does not serve too many already.
    [[nodiscard]] bool can_serve() const noexcept { return served_ < most_served; }
    /// The ranks of this machine. Collective among them when it is called first.
    [[nodiscard]] detail::job& job_of_machine();
    /// Persistent collectives may be plans of several machines; and all ranks, on whichever machine, whose parts these plans have.
    [[nodiscard]] bool spans() const noexcept { return spanning_ != nullptr; }
    [[nodiscard]] detail::job& job_of_all() noexcept { return *spanning_; }
    /// Plans carry whatever they can.
    [[nodiscard]] bool always() const noexcept { return always_; }
    /// Plans have to show that they are faster than MPI.
    [[nodiscard]] bool tries() const noexcept { return tries_; }
    void served(int more) noexcept { served_ += more; }
    /// What plans of long calls hold is within bounds: those of a machine, a share of most_held for each rank.
    [[nodiscard]] bool has_room() const noexcept {
        return held_ <= most_held / static_cast<std::int64_t>(base_.here().members().size());
    }
    /// What such a plan holds, as long as it is there.
    [[nodiscard]] held_memory hold(std::int64_t bytes) noexcept { return {held_, bytes}; }
    [[nodiscard]] started_calls& started() noexcept { return started_; }
    /// Every other wait lets MPI move its messages, and what is started go on.
    void go_on() noexcept {
        static_cast<void>(base_.give_mpi_its_turn());
        started_.go_on();
        if (waits_for_ != nullptr && ++turns_ % turns_between_looks == 0) waits_for_->look_at_others(call_waited_for_);
    }
    [[nodiscard]] begun_calls& begun() noexcept { return begun_; }
    /// MPI refuses what it is passed with a datatype that was never committed, whoever carries the call.
    [[nodiscard]] bool is_committed(passed_call const& call) {
        auto const has = [&](passed_memory const& m) {
            return m.count == 0 || m.type == MPI_DATATYPE_NULL || lies_densely(m.type) || base_.is_committed(m.type, m.count);
        };
        return has(call.given) && has(call.got);
    }

    /// For as long as it lives, this rank waits in a call of that number of a communicator.
    class waiting {
    public:
        waiting(collective_service& all, communicator_plans* in, std::uint64_t number) noexcept : all_(all) {
            all.waits_for_ = in;
            all.call_waited_for_ = number;
        }
        ~waiting() { all_.waits_for_ = nullptr; }
        waiting(waiting const&) = delete;
        waiting& operator=(waiting const&) = delete;
        waiting(waiting&&) = delete;
        waiting& operator=(waiting&&) = delete;

    private:
        collective_service& all_;
    };
    [[nodiscard]] waiting waits_in(communicator_plans& plans, std::uint64_t number) noexcept { return {*this, &plans, number}; }
    /// Persistent plans whose communicator is gone, which requests of the program may have: until all ranks have freed them, or,
    /// where they cannot tell each other, until the end.
    void keep(std::unique_ptr<outliving_plans> plans);
    void keep(std::vector<std::unique_ptr<repeated_plan>>&& plans);
    /// Those go that all ranks have freed; to be called now and then.
    void look_after_outliving();
    /// Its communicator is going.
    void forget(communicator_plans* one) noexcept {
        if (waits_for_ == one) waits_for_ = nullptr;
        for (auto& recent : recent_)
            if (recent == one) recent = nullptr;
        all_.erase(one);
    }

private:
    static constexpr int most_served = 64;               ///< communicators at a time
    static constexpr std::int64_t most_held = 256 << 20; ///< bytes on a machine, by plans of long calls
    std::int64_t held_ = 0;
    [[nodiscard]] communicator_plans* find(MPI_Comm communicator);
    void end_outliving();
    static int let_go(MPI_Comm communicator, int key, void* attribute, void* nothing);

    foundation& base_;
    config settings_;
    bool on_ = false;
    bool always_ = false;
    bool tries_ = true;
    int key_ = MPI_KEYVAL_INVALID;
    int served_ = 0;
    collective_report report_;
    std::shared_ptr<detail::job> job_;      // of this machine
    std::shared_ptr<detail::job> spanning_; // null: the MPI carries what several machines do
    begun_calls begun_;
    started_calls started_;
    std::vector<std::unique_ptr<outliving_plans>> outliving_;
    std::vector<std::unique_ptr<repeated_plan>> kept_;
    std::set<communicator_plans*> all_; // owned by their communicators, none of which was freed
    static constexpr std::size_t most_recent = 8;
    /// Where that is looked for first: a program goes from one to the next, and asking MPI takes as long as many a call.
    [[nodiscard]] static std::size_t place_of(MPI_Comm communicator) noexcept { return first_place_of<most_recent>(communicator); }
    std::array<communicator_plans*, most_recent> recent_{};
    static constexpr unsigned turns_between_looks = 64;
    communicator_plans* waits_for_ = nullptr;
    std::uint64_t call_waited_for_ = 0;
    unsigned turns_ = 0;
};

inline bool communicator_plans::is_refused(planned_function what, bool nonblocking) noexcept {
    if (refused_) service_.told().leave(what, left_to_mpi::elsewhere, nonblocking);
    return refused_;
}

inline bool communicator_plans::is_left_again(unread_call const& call) noexcept {
    if (call.count < 0 || !(left_ == call)) return false;
    ++calls_;
    if (log_) log_->tell(calls_, left_as_, true);
    if (left_because_ == left_to_mpi::unagreed) nonblocking_.came_again(calls_);
    service_.told().leave(left_as_.what, left_because_, true);
    return true;
}

inline still_left communicator_plans::is_left_again_here(unread_call const& call) noexcept {
    if (refused_ || nonblocking_.due()) return still_left::no;
    auto* const k = blocking_.left_again(call);
    if (k == nullptr) return still_left::no;
    k->last.number = ++calls_;
    if (log_) log_->tell(calls_, k->told);
    service_.told().leave(call.what, left_to_mpi::slower);
    return k->goes_straight ? still_left::goes_straight : still_left::yes;
}

/// That of this process, as long as its layer.
inline std::atomic<collective_service*> serving{nullptr};

} // namespace sode::internal::interpose
