// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/proof/job.hpp"

#include <deque>
#include <tuple>

namespace sode::internal::proof {

/// One descriptor about to run, with the shifts of its loops applied.
struct step {
    std::uint32_t actor = 0;
    std::uint32_t rank = 0;
    std::uint32_t index = 0;   ///< of the descriptor in its plan
    std::uint64_t message = 0; ///< of a message or put: how many this descriptor had begun before, in all epochs
    bool carried = false;      ///< by a message: it is over when the other end has begun, too
    int epoch = 0;
    int turn = 0; ///< what epoch its counters and stages are at: the same, but for ways that count epochs of their own
    descriptor const* what = nullptr;
    std::uint32_t trigger = none; ///< line
    bool trigger_is_sum = false;
    std::int64_t threshold = 0;
    std::uint32_t signal = none; ///< line
    bool signal_is_sum = false;
    std::int64_t value = 0;
    std::int64_t src_offset = 0;
    std::int64_t dst_offset = 0;
    std::int64_t operand_offset = 0;
};

/// Is told what happens, in one possible order.
class observer {
public:
    virtual ~observer() = default;
    virtual void starts(std::size_t rank, int epoch) = 0; ///< the user calls start
    virtual void runs(step const& s) = 0; ///< the trigger is satisfied; the signal has not been given; a message begins
    /// Both ends of a message have begun. Its bytes move, then the signals of both are given; of a put and its landing, the
    /// landing's.
    virtual void moves(step const& send, step const& receive) = 0;
    virtual void ends(std::size_t rank, int epoch) = 0; ///< wait returns to the user
    [[nodiscard]] virtual bool enough() const { return false; }
};

/// What carries puts from one machine to another.
enum class put_carrier : std::uint8_t {
    network, ///< which writes into the peer's memory, whatever that does
    messages
};

/// Runs all streams of all ranks as far as they go. Counters only grow and streams issue in order, so what can happen does not
/// depend on the order in which it is tried: if this run ends, every run ends; where it stops, every run stops. A value: a copy can
/// be run ahead to see what happens while one actor stands still.
class machine {
public:
    machine(job const& all, int epochs, turns_of_ways ways, put_carrier puts);

    /// Starts epoch 1 everywhere and runs. Waits for sums come last: by then everything that can be added without them has been.
    void run(observer& o);
    /// Goes on from here, for copies made inside observer::runs.
    void run_ahead(observer& o) { drain(o); }

    [[nodiscard]] bool finished() const noexcept;
    [[nodiscard]] std::int64_t value(std::uint32_t line) const noexcept { return values_[line]; }
    /// What each stream that has not ended waits for.
    [[nodiscard]] std::vector<step> stuck() const;

private:
    struct cursor {
        std::uint32_t at = 0;
        std::uint32_t next = none; // in the list of actors that wait for the same line
        int turn = 0;              // as of its steps
        std::vector<loop_turn> turns{};
        bool live = false;
    };
    struct progress {
        int epoch = 0;
        std::uint32_t running = 0; // streams, and ends of puts that are carried
    };

    void start(std::size_t rank, observer& o);
    void drain(observer& o);
    void advance(std::uint32_t actor, bool patient, observer& o);
    [[nodiscard]] step next_of(std::uint32_t actor) const;
    void give(step const& s);
    void post(step const& s, observer& o);
    void leave(step const& s, observer& o);
    void finish_one(std::size_t rank, observer& o);
    [[nodiscard]] bool is_carried(std::size_t rank, descriptor const& d) const noexcept {
        return is_message(d.op) || (is_put(d.op) && puts_ == put_carrier::messages && !job_->stores_to(rank, ix(d.peer)));
    }

    /// What epoch it is for that stream; 0: it does not run in this one.
    [[nodiscard]] int turn(std::size_t rank, sode::internal::stream const& s, int epoch) const;

    job const* job_;
    int epochs_;
    turns_of_ways ways_;
    put_carrier puts_;
    std::vector<cursor> cursors_;
    std::vector<std::int64_t> values_;
    std::vector<std::uint32_t> waiters_; // by line: head of a list through cursor::next
    std::vector<progress> ranks_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> messages_; // begun so far, by rank and descriptor
    /// Messages of which one end has begun, by sender, receiver and number; in order, as MPI keeps it.
    std::map<std::tuple<std::int32_t, std::int32_t, std::uint32_t>, std::deque<step>> begun_;
    std::vector<std::uint32_t> ready_;
    std::vector<std::uint32_t> patient_; // could pass a sum; a queue
    std::size_t patient_head_ = 0;
};

} // namespace sode::internal::proof
