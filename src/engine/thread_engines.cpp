// SPDX-License-Identifier: Apache-2.0
#include "engine/thread_engines.hpp"

#include "engine/executors.hpp"
#include "engine/inline_engine.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace sode::internal {

using pass = round_thread::pass;
using turn = round_thread::turn;

/// An inline engine whose rounds are the thread's. The rank rings by `rung_` and learns by `over_` and `moves_`.
class thread_engines::one final : public engine, private round_thread::worker {
public:
    one(engine_work const& work, round_thread& thread)
        : thread_(thread), behind_({work.steps, work.places, work.around, work.calls, nullptr}) { // the log is the rank's
        thread_.add(*this);
    }
    ~one() override { thread_.remove(*this); }

    progress start(std::uint64_t number, std::span<std::uint64_t const> halves, std::span<std::uint8_t const> ways) override {
        number_ = number;
        halves_ = halves;
        ways_ = ways;
        rung_.store(number, std::memory_order_release);
        thread_.wake();
        return progress::idle;
    }
    progress proceed() override {
        if (over_.load(std::memory_order_acquire) == number_) return progress::over;
        if (thread_.lends()) static_cast<void>(thread_.help(*this));
        return news();
    }
    progress catch_up() override {
        {
            turn const mine{thread_};
            static_cast<void>(go());
        }
        return news();
    }
    void abandon() noexcept override {
        turn const mine{thread_};
        behind_.abandon();
        begun_ = done_ = number_;
    }
    void rebound() override {
        turn const mine{thread_};
        behind_.rebound();
    }
    std::size_t standing(std::span<std::uint32_t> at) const noexcept override {
        turn const mine{thread_};
        return begun_ == number_ ? behind_.standing(at) : 0;
    }
    [[nodiscard]] std::uint64_t executed() const noexcept override {
        turn const mine{thread_};
        return behind_.executed();
    }

    [[nodiscard]] pass go() override {
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
    progress news() {
        if (over_.load(std::memory_order_acquire) == number_) return progress::over;
        auto const moves = moves_.load(std::memory_order_acquire);
        return std::exchange(seen_, moves) != moves ? progress::moved : progress::idle;
    }

    round_thread& thread_;
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
    : thread_(waiting, where, "runs plans") {}

std::string thread_engines::cannot_run(schedule const& p, context const& /*c*/) const {
    if (std::ranges::any_of(p.descriptors, [](descriptor const& d) { return is_message(d.op) || is_put(d.op); }))
        return "it has messages or puts, which only the rank's own thread can start";
    if (!p.operators.empty() || std::ranges::any_of(p.descriptors, [](descriptor const& d) { return d.op == operation::call; }))
        return "it calls functions of the program, which only the rank's own thread can call";
    return lacks_executor(p, executor_kind::thread, 1);
}

std::unique_ptr<engine> thread_engines::make(engine_work const& work) const {
    return std::make_unique<one>(work, thread_);
}

} // namespace sode::internal
