// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/binding.hpp"
#include "engine/exchange_tracer.hpp"
#include "engine/plan_messages.hpp"

#include <sode/error.hpp>

#include <memory>
#include <string>

namespace sode {

/// Runs a plan in the caller's own time: what can be done is done in start() and test(), the rest in wait(). Nothing here
/// allocates, and no system call is made while the peers keep up (the first one is a yield, after wait_policy::spins polls). Cost:
/// 0-2 ns a descriptor beyond its copy (docs/decisions).
class inline_engine {
public:
    /// `p` and `b` must outlive the engine.
    inline_engine(plan const& p, binding const& b, context const& c);

    /// Begins the next epoch. `halves`: bit g is the half at which array group g is now.
    /// Errors: usage, if the last epoch is not over, or the plan needs alternating halves and they did not alternate.
    void start(unsigned halves = 0);
    /// One round over what is left. True if the epoch is over.
    bool test();
    /// Errors: peer, if a rank that is waited for has died; timeout. The plan is then of no further use.
    void wait();

    [[nodiscard]] bool running() const noexcept { return live_ != 0; }
    [[nodiscard]] std::uint64_t epoch() const noexcept { return epoch_; }
    /// Descriptors executed since the engine was made: what an epoch costs in steps is testable, and tested.
    [[nodiscard]] std::uint64_t executed() const noexcept { return executed_; }

private:
    struct progress {
        std::uint32_t at = 0;   // index of the next descriptor
        std::uint32_t loop = 0; // index of the loop descriptor we are in, valid if in_loop
        std::uint32_t iteration = 0;
        bool in_loop = false;
    };

    // What a descriptor's program and trigger come to: looked up once, so that a step costs no chain of table look-ups.
    struct bound_step {
        copy_kernel kernel = nullptr;
        copy_program const* program = nullptr;
        std::atomic<std::uint64_t> const* trigger[2] = {nullptr, nullptr}; // by epoch parity
        std::int64_t step = 1;
    };

    // What is traced and what is not are two functions of one text, picked once a round: the untraced one has nothing of the other.
    template <bool Traced> bool advance(progress& s); // true: the stream has ended
    template <bool Traced> bool advance_loop(progress& s);
    template <bool Traced> bool one_round();
    bool hear_of_messages(); // true: some are over
    [[nodiscard]] int awaited_at(progress const& s) const noexcept;
    void publish(descriptor const& d, std::int64_t shift) const noexcept;
    bool round() { return trace_ ? one_round<true>() : one_round<false>(); } // true: something moved
    void look_after_peers(double elapsed);
    [[noreturn]] void give_up(error_kind kind, std::string const& problem, std::string const& why, std::string const& suggestion);

    plan const& plan_;
    binding const& binding_;
    context context_;
    std::vector<bound_step> steps_; // by descriptor
    std::vector<progress> streams_; // those still running come first
    std::size_t live_ = 0;
    std::uint64_t epoch_ = 0;
    std::uint64_t executed_ = 0;
    unsigned halves_ = 0;
    unsigned combination_ = 0; // of parities
    plan_messages messages_;
    bool warned_ = false;
    std::byte* const* buffers_ = nullptr;
    binding::bound_counter const* counters_ = nullptr;
    std::unique_ptr<exchange_tracer> trace_; // null: nobody looks
};

} // namespace sode
