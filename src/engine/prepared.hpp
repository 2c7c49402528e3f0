// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/binding.hpp"
#include "engine/engine.hpp"
#include "engine/exchange_tracer.hpp"
#include "engine/plan_calls.hpp"
#include "engine/wait_watch.hpp"
#include "plan/plan.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sode::internal {

/// What a plan meets in this process. Arrays, and where their halves are told, must live as long as what is prepared.
struct plan_terms {
    std::span<bound_array const> arrays{};
    std::uint64_t fingerprint = 0;                 ///< as in binding
    std::vector<int const*> halves{};              ///< by array group: the half at which its arrays are when the plan is started
    std::vector<plan_calls::function> calls{};     ///< by plan::calls
    std::vector<plan_calls::combiner> operators{}; ///< by plan::operators
};

/// A plan that can run: its names bound to this process, and an engine that executes it. Halos, copies, exchanges, reductions are
/// each one of these, or a few that run together (prepared_list.hpp); what their callers may do wrong is found here, once.
///
/// It stays where it is made: engine and watch refer to its parts. One that is destroyed while it runs is waited for.
///
/// start(), test() and wait() allocate nothing and make no system call while the peers keep up (the first one is a yield, after
/// wait_policy::spins polls). Engines are asked by a virtual call for each of them, and for each poll of a wait; none for a step.
class prepared {
public:
    /// Collective. Run by engines of context::engines if these can, else in the caller's own time. Errors: as binding; usage, if
    /// nobody has the executors that it names.
    prepared(plan steps, context const& around, plan_terms terms);
    ~prepared();
    prepared(prepared const&) = delete;
    prepared& operator=(prepared const&) = delete;

    /// Begins the next epoch. Errors: usage, if the last one is under way; if the plan needs halves that alternate, and they did
    /// not; if the runtime is gone.
    void start();
    /// Begins the next epoch behind all that `in` has been given, and before all that it will be given; the caller waits for
    /// nothing. Epochs that are enqueued may be several: wait() and test() are about the last. Where messages are among its steps,
    /// the one before is waited for; the host must go on with them in test(), wait() or turn(). Errors: those of start(); usage,
    /// if no device runs the plan.
    void enqueue(device_queue& in);
    /// One turn of a wait: goes on, and looks after peers now and then. Errors: those of wait().
    void turn(waiter& w);
    /// Goes on without waiting. True if the epoch is over. What a function of the plan has thrown is thrown then, here or by
    /// wait().
    bool test();
    /// Once after each start(). Errors: usage, if there was none; those of wait_watch::look(), and of the messages that the plan
    /// sends, after which it is of no further use.
    void wait();

    /// From now on it runs on other arrays, which lie as those do that it was made for. Collective where others can load them.
    /// Cost: then a meeting of its ranks, else nothing, if they are where they were. Errors: usage, if it runs; those of
    /// binding::rebind().
    void rebind(std::span<bound_array const> arrays);
    /// From the next start on, that choice of the plan (from 1) goes that way; way 0, if nothing is said. All ranks that take part
    /// say so for the same epoch. Errors: internal, if the plan has no such thing.
    void take_way(std::uint32_t choice, std::uint8_t way);
    /// Its next epoch comes after the last one of `before`, which does the same with the same arrays.
    void follow(prepared const& before);
    /// All ranks that take part have met since the last epoch: whatever they read of each other then, they have read.
    void all_met() noexcept { have_met_ = true; }
    /// The steps of the k-th epoch from here, for who takes them in place of the engine (engine::lanes), where buffered arrays are
    /// flipped before each but the first.
    [[nodiscard]] std::optional<std::vector<std::vector<bound_step>>> lanes_ahead(std::uint64_t k, std::uint64_t phases);
    /// So many epochs have been made so.
    void made_elsewhere(std::uint64_t epochs) noexcept;
    /// start() is for arrays at their other halves, of which the program does not know yet.
    void look_ahead(bool odd) noexcept { looks_ahead_ = odd; }
    /// Of buffered arrays; false, if there are none.
    [[nodiscard]] bool is_at_odd_half() const noexcept { return !group_halves_.empty() && *group_halves_.front() != 0; }
    /// What start() would refuse, for those who start several at once.
    void require_startable() const;
    /// Started, and not waited for.
    [[nodiscard]] bool started() const noexcept { return started_; }
    /// Started, and not over.
    [[nodiscard]] bool running() const noexcept { return running_; }
    /// The same, or nobody has heard of the end of what start() began, by test() or wait(). When it is over depends on the peers,
    /// so what a program may do next must not depend on that: one rank would be refused, and another one go ahead of it.
    [[nodiscard]] bool under_way() const noexcept { return running_ || unheard_; }
    /// A wait has ended with an error: the ranks are no longer in step.
    [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }
    /// The epoch at hand will never be over.
    void abandon() noexcept;
    /// Waits for what is running, where an error cannot be thrown: it is told, and the process will fail. False if it gave up.
    bool settle() noexcept;

    [[nodiscard]] plan const& steps() const noexcept { return steps_; }
    [[nodiscard]] binding& places() noexcept { return places_; }
    /// Descriptors executed since it was made: what an epoch costs in steps is testable, and tested.
    [[nodiscard]] std::uint64_t executed() const noexcept { return engine_->executed(); }
    /// Times started.
    [[nodiscard]] std::uint64_t epochs() const noexcept { return epoch_; }
    /// What was chosen for its edges and what it should cost, the memory, and who runs it, if that is not the caller.
    [[nodiscard]] std::string explain() const;

private:
    friend class prepared_list;

    void begin();
    template <class Begin> void begin_by(Begin how);
    void finish();
    [[noreturn, gnu::cold, gnu::noinline]] void refuse_start() const; // out of the way of those who do it right
    [[noreturn, gnu::cold, gnu::noinline]] void refuse_start_at_same_half() const;
    [[noreturn, gnu::cold, gnu::noinline]] void refuse_wait() const;
    template <class Step> progress or_give_up(Step step); // step(); what it throws ends the epoch
    void come_to_end() noexcept;
    [[nodiscard]] std::uint64_t halves_now(std::size_t word) const noexcept; // that word of them
    [[nodiscard]] bool none_has_stayed() const noexcept;                     // since the last start
    [[nodiscard]] bool is_at_same_half() const noexcept;                     // though neighbours may read it still
    [[nodiscard]] engine_kind const& choose() const;
    [[nodiscard]] bool is_worth_engines() const noexcept;
    void require_job() const {
        if (around_.ended && *around_.ended) [[unlikely]]
            refuse_ended(steps_.name);
    }

    context around_;
    plan steps_;
    std::vector<int const*> group_halves_;
    plan_calls calls_;
    binding places_;
    std::unique_ptr<exchange_tracer> trace_; // null: nobody looks
    std::unique_ptr<engine> engine_;
    wait_watch watch_;
    std::uint64_t epoch_ = 0;
    std::uint64_t before_ = 0;          // epochs of the same exchange that others have run: follow()
    bool have_met_ = true;              // since the last start
    std::vector<std::uint64_t> halves_; // of the last start
    std::vector<std::uint8_t> ways_;    // the same, by plan::choices
    std::vector<std::uint8_t> next_ways_;
    bool looks_ahead_ = false;
    bool started_ = false; // and not waited for
    bool running_ = false;
    bool unheard_ = false; // started, and neither test() nor wait() has said that it is over
    bool gave_up_ = false;
};

} // namespace sode::internal
