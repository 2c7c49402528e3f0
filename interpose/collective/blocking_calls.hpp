// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/blocking_trial.hpp"
#include "interpose/collective/call_log.hpp"
#include "interpose/collective/held_memory.hpp"
#include "interpose/collective/planned_call.hpp"
#include "interpose/collective/unread_call.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sode::internal::interpose {

class collective_service;

/// The blocking collectives of one communicator: which come again and again, and the plans that are kept for them. All that is
/// decided here is decided by the numbers of the calls, which are equal on all ranks.
class blocking_calls {
public:
    static constexpr int calls_worth_a_plan = 3;  ///< of equal ones, at first
    static constexpr std::size_t most_known = 64; ///< kinds of calls that are counted
    static constexpr std::size_t most_plans = 32;
    static constexpr std::size_t most_doubled = 10;     ///< calls_worth_a_plan: with every most_plans plans that were made
    static constexpr std::int64_t most_bytes = 8 << 20; ///< that a rank keeps for the plans of short calls

    explicit blocking_calls(collective_service& service) : service_(service) {}
    ~blocking_calls() { end(); }
    blocking_calls(blocking_calls const&) = delete;
    blocking_calls& operator=(blocking_calls const&) = delete;
    blocking_calls(blocking_calls&&) = delete;
    blocking_calls& operator=(blocking_calls&&) = delete;

    /// How a call may be carried, equal on all ranks.
    struct terms {
        std::uint64_t number = 0; ///< of the call on its communicator
        std::int64_t bytes = 0;   ///< of memory for a plan, at most
        bool is_long = false;     ///< what its plan holds is the process's affair
    };
    struct kind {
        repeated_call what;
        call_log::words told; ///< of it
        terms last;           ///< call of it
        int seen = 0;
        std::unique_ptr<planned_call> plan;
        bool goes_straight = false; ///< if it is MPI's: it is too short to go by messages between pairs
        bool full = false;          ///< some rank had no memory for its plan
        held_memory held;           ///< by its plan, if it is long
        blocking_trial trial;
    };
    [[nodiscard]] kind& called(repeated_call const& what, terms const& how);
    /// Counts a call of a kind without a plan. True: it has come often enough for one.
    [[nodiscard]] bool is_due(kind& k) const noexcept;
    /// Plans of kinds that were not called for longest go, if there are too many for this one.
    void make_room(kind const& k) noexcept;
    void keep(kind& k, std::unique_ptr<planned_call> plan) noexcept;
    void drop(kind& k) noexcept;
    /// The long kind with a plan that was called least recently, but not `except`; null: there is none.
    [[nodiscard]] kind* oldest_long(kind const* except = nullptr) noexcept;

    /// The kind that was called last is MPI's until the next look of its trial, and was passed so.
    void remember_left(unread_call const& as) noexcept;
    /// Counts a call for its trial if it is as it was remembered, and MPI's again; else null, and nothing is counted.
    [[nodiscard]] kind* left_again(unread_call const& call) noexcept {
        auto const& left = left_[static_cast<std::size_t>(call.what)];
        if (call.count < 0 || !(left.as == call)) return nullptr;
        auto& k = known_[left.known];
        return k.trial.stays_with_mpi() ? &k : nullptr;
    }
    void end() noexcept;

private:
    static constexpr std::size_t functions = static_cast<std::size_t>(planned_function::alltoall) + 1;
    struct left_call {
        unread_call as;
        std::size_t known = 0; ///< place in known_
    };
    template <class Among> [[nodiscard]] kind* oldest(Among among) noexcept;

    collective_service& service_;
    std::vector<kind> known_;
    std::array<left_call, functions> left_{}; // by function
    std::size_t latest_ = 0;
    std::size_t plans_ = 0;
    std::size_t made_ = 0;   // with those that went
    std::int64_t bytes_ = 0; // of short calls
};

} // namespace sode::internal::interpose
