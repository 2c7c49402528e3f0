// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/held_memory.hpp"
#include "interpose/collective/repeated_call.hpp"
#include "interpose/collective/startable.hpp"
#include "interpose/collective/started_call.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mpi.h>

namespace sode::detail {
struct job;
}

namespace sode::internal::interpose {

class collective_service;

/// A persistent collective as a plan: made once, bound to its memory, started many times. Its rank's program starts it, asks for it
/// and waits for it; a helper (started_calls) goes on with it while nobody asks.
class repeated_plan final : public started_call {
public:
    /// `plan`: of the ranks of `part`. `memory`: bytes that are kept for it; `held`: the same, if the process counts them.
    repeated_plan(collective_service& service, std::shared_ptr<detail::job> part, planned_function what,
                  std::unique_ptr<startable> plan, std::int64_t memory, held_memory held, MPI_Comm communicator);
    ~repeated_plan() override;
    repeated_plan(repeated_plan const&) = delete;
    repeated_plan& operator=(repeated_plan const&) = delete;
    repeated_plan(repeated_plan&&) = delete;
    repeated_plan& operator=(repeated_plan&&) = delete;

    [[nodiscard]] std::int64_t memory() const noexcept { return memory_; }
    /// These return a code of MPI, of which the error handler has heard.
    [[nodiscard]] int start();
    [[nodiscard]] int test(bool& over);
    [[nodiscard]] int wait();

    void free() noexcept { freed_.store(true, std::memory_order_release); }
    /// Nobody has it any more, and nothing of it is under way on this rank.
    [[nodiscard]] bool is_free() const noexcept { return freed_.load(std::memory_order_acquire) && !started_; }
    void finish() noexcept override {
        if (started_) static_cast<void>(wait());
    }
    /// Its communicator is going: errors are told to the program's first one.
    void outlive_communicator() noexcept { communicator_ = MPI_COMM_WORLD; }

    [[nodiscard]] bool running() const noexcept override { return running_.load(std::memory_order_seq_cst); }
    [[nodiscard]] bool is_forgotten() noexcept override { return running() && !asked_.exchange(false, std::memory_order_relaxed); }
    void help(hand who) noexcept override;

private:
    template <class Action> int told(Action action) noexcept;
    bool proceed();

    collective_service& service_;
    std::shared_ptr<detail::job> part_; // outlives the plan
    planned_function what_;
    std::unique_ptr<startable> plan_;
    std::int64_t memory_;
    held_memory held_;
    MPI_Comm communicator_;
    bool started_ = false;       // and not waited for
    std::exception_ptr failure_; // met by the helper
    std::atomic<bool> taken_{false};
    std::atomic<bool> running_{false};
    std::atomic<bool> asked_{false};
    std::atomic<bool> freed_{false};
};

} // namespace sode::internal::interpose
