// SPDX-License-Identifier: Apache-2.0
#include "engine/thread_engines.hpp"

#include "base/helper_thread.hpp"
#include "engine/executors.hpp"
#include "engine/inline_engine.hpp"

#include <algorithm>
#include <utility>

#include <sched.h>

namespace sode::internal {

class thread_engines::turn {
public:
    explicit turn(thread_engines const& of) : of_(of) {
        of_.wanted_.fetch_add(1, std::memory_order_relaxed);
        of_.turn_.lock();
        of_.wanted_.fetch_sub(1, std::memory_order_relaxed);
    }
    ~turn() { of_.turn_.unlock(); }
    turn(turn const&) = delete;
    turn& operator=(turn const&) = delete;

private:
    thread_engines const& of_;
};

/// An inline engine whose rounds are the thread's. The rank rings by `rung_` and learns by `over_` and `moves_`.
class thread_engines::one final : public engine {
public:
    one(engine_work const& work, thread_engines const& of)
        : of_(of), behind_({work.steps, work.places, work.around, work.calls, nullptr}) { // the log is the rank's
        turn const mine{of_};
        of_.engines_.push_back(this);
    }
    ~one() override {
        turn const mine{of_};
        std::erase(of_.engines_, this);
    }

    progress start(std::uint64_t number, std::span<std::uint64_t const> halves, std::span<std::uint8_t const> ways) override {
        number_ = number;
        halves_ = halves;
        ways_ = ways;
        rung_.store(number, std::memory_order_release);
        of_.wake();
        return progress::idle;
    }
    progress proceed() override {
        if (over_.load(std::memory_order_acquire) == number_) return progress::over;
        auto const moves = moves_.load(std::memory_order_acquire);
        return std::exchange(seen_, moves) != moves ? progress::moved : progress::idle;
    }
    progress catch_up() override {
        {
            turn const mine{of_};
            static_cast<void>(go());
        }
        return proceed();
    }
    void abandon() noexcept override {
        turn const mine{of_};
        behind_.abandon();
        begun_ = done_ = number_;
    }
    void rebound() override {
        turn const mine{of_};
        behind_.rebound();
    }
    std::size_t standing(std::span<std::uint32_t> at) const noexcept override {
        turn const mine{of_};
        return begun_ == number_ ? behind_.standing(at) : 0;
    }
    [[nodiscard]] std::uint64_t executed() const noexcept override {
        turn const mine{of_};
        return behind_.executed();
    }

    /// By whoever has the turn.
    [[nodiscard]] pass go() {
        auto const wanted = rung_.load(std::memory_order_acquire);
        if (wanted == done_) return pass::nothing_to_do;
        auto const news = std::exchange(begun_, wanted) == wanted ? behind_.proceed() : behind_.start(wanted, halves_, ways_);
        if (news == progress::idle) return pass::idle;
        moves_.fetch_add(1, std::memory_order_release);
        if (news == progress::over) {
            done_ = wanted;
            over_.store(wanted, std::memory_order_release);
        }
        return pass::moved;
    }

private:
    thread_engines const& of_;
    inline_engine behind_;
    std::uint64_t number_ = 0; // of the rank's epoch
    std::uint64_t seen_ = 0;   // moves that the rank knows of
    std::span<std::uint64_t const> halves_;
    std::span<std::uint8_t const> ways_;
    std::atomic<std::uint64_t> rung_{0}; // the epoch that is wanted
    std::uint64_t begun_ = 0;            // by whoever has the turn
    std::uint64_t done_ = 0;
    alignas(64) std::atomic<std::uint64_t> moves_{0};
    std::atomic<std::uint64_t> over_{0};
};

thread_engines::thread_engines(wait_policy const& waiting, std::optional<processor_set> const& where)
    : waiting_(waiting), thread_(start_helper("runs plans", "name other processors by SODE_ENGINE_CORES, or unset SODE_ENGINE",
                                              where, [this] { run(); })) {}

thread_engines::~thread_engines() {
    stop();
}

void thread_engines::stop() noexcept {
    if (!thread_.joinable()) return;
    stopping_.store(true, std::memory_order_release);
    wake();
    thread_.join();
}

std::string thread_engines::cannot_run(schedule const& p) const {
    if (std::ranges::any_of(p.descriptors, [](descriptor const& d) { return is_message(d.op) || is_put(d.op); }))
        return "it has messages or puts, which are for the rank's own thread";
    if (!p.operators.empty() || std::ranges::any_of(p.descriptors, [](descriptor const& d) { return d.op == operation::call; }))
        return "it calls functions of the program, which are for the rank's own thread";
    return lacks_executor(p, executor_kind::thread, 1);
}

std::unique_ptr<engine> thread_engines::make(engine_work const& work) const {
    return std::make_unique<one>(work, *this);
}

void thread_engines::wake() const noexcept {
    started_.fetch_add(1, std::memory_order_release);
    started_.notify_one(); // no system call unless the thread sleeps
}

void thread_engines::run() {
    waiter polls{waiting_};
    int empty = 0;
    while (!stopping_.load(std::memory_order_acquire)) {
        int const started = started_.load(std::memory_order_acquire);
        switch (go_round()) {
        case pass::moved:
            polls.reset();
            empty = 0;
            break;
        case pass::idle:
            static_cast<void>(polls.step());
            empty = 0;
            break;
        case pass::nothing_to_do:
            polls.reset();
            if (empty++ < waiting_.spins)
                static_cast<void>(polls.step());
            else
                started_.wait(started, std::memory_order_acquire);
        }
    }
}

thread_engines::pass thread_engines::go_round() {
    while (wanted_.load(std::memory_order_relaxed) != 0) sched_yield();
    std::lock_guard const mine{turn_};
    auto all = pass::nothing_to_do;
    for (auto* e : engines_) all = std::max(all, e->go());
    return all;
}

} // namespace sode::internal
