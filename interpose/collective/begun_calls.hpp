// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/begun_call.hpp"
#include "interpose/collective/way_trial.hpp"

#include <cstdint>
#include <deque>
#include <mpi.h>
#include <unordered_map>
#include <vector>

namespace sode::internal::interpose {

/// The nonblocking calls of this rank that are under way, by the program's handles: those that plans carry, and those of MPI whose
/// time counts for a trial. Handles are kept, and used again: making one takes longer than many a call.
class begun_calls {
public:
    /// A call of MPI's.
    struct timed_call {
        MPI_Request request = MPI_REQUEST_NULL;
        way_trial* trial = nullptr;
        std::int64_t took = 0;
    };

    begun_calls() = default;
    ~begun_calls();
    begun_calls(begun_calls const&) = delete;
    begun_calls& operator=(begun_calls const&) = delete;
    begun_calls(begun_calls&&) = delete;
    begun_calls& operator=(begun_calls&&) = delete;

    /// Nothing is under way: the quick way around all of this.
    [[nodiscard]] bool empty() const noexcept { return under_way_ == 0; }
    /// Null if MPI has no more requests.
    [[nodiscard]] begun_call* take();
    void give_back(begun_call& one) noexcept;
    /// The program has freed its handle: it goes back when it is over.
    void forget(begun_call& one);
    /// Null, if no plan carries what that stands for.
    [[nodiscard]] begun_call* find(MPI_Request request) const noexcept;

    /// The call that MPI has begun took so long until now, and what completes it counts.
    void time(MPI_Request request, way_trial& trial, std::int64_t took);
    [[nodiscard]] timed_call* find_timed(MPI_Request request) noexcept;
    /// It is over.
    void told(timed_call& one) noexcept;
    void forget(way_trial const& trial) noexcept;
    /// That communicator is going.
    void outlive(communicator_plans const& plans) noexcept;

private:
    std::deque<begun_call> all_; // which stay where they are
    std::unordered_map<std::uint64_t, begun_call*> by_handle_;
    std::vector<begun_call*> free_;
    std::vector<begun_call*> forgotten_;
    std::vector<timed_call> timed_; // few
    int under_way_ = 0;
};

} // namespace sode::internal::interpose
