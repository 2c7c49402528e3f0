// SPDX-License-Identifier: Apache-2.0
#include "engine/round_thread.hpp"

#include "base/helper_thread.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <sched.h>

namespace sode::internal {

round_thread::round_thread(wait_policy const& waiting, std::optional<processor_set> const& where, std::string const& does)
    : waiting_(waiting), polls_(waiting_),
      thread_(start_helper(does, "name other processors by SODE_ENGINE_CORES, or unset SODE_ENGINE", where, [this] { run(); })) {}

round_thread::~round_thread() {
    stop();
}

void round_thread::stop() noexcept {
    if (!thread_.joinable()) return;
    stopping_.store(true, std::memory_order_release);
    wake();
    thread_.join();
}

void round_thread::add(worker& one) {
    turn const mine{*this};
    workers_.push_back(&one);
}

void round_thread::remove(worker& one) {
    turn const mine{*this};
    std::erase(workers_, &one);
}

void round_thread::wake() noexcept {
    woken_.fetch_add(1, std::memory_order_release);
    woken_.notify_one();
}

round_thread::pass round_thread::help(worker& one) {
    std::unique_lock const mine{turn_, std::try_to_lock};
    if (!mine) return pass::idle;
    helped_.fetch_add(1, std::memory_order_relaxed);
    return one.go();
}

void round_thread::run() {
    while (!stopping_.load(std::memory_order_acquire)) {
        int const woken = woken_.load(std::memory_order_acquire);
        auto const news = go_round();
        empty_ = news == pass::nothing_to_do ? empty_ + 1 : 0;
        constexpr int enough = 20; // naps
        if (empty_ > (lends() ? enough : waiting_.spins))
            woken_.wait(woken, std::memory_order_acquire);
        else
            rest(news);
    }
}

// Between two rounds.
void round_thread::rest(pass last) {
    if (last == pass::moved) return polls_.reset();
    if (!lends()) {
        if (last == pass::nothing_to_do) polls_.reset();
        static_cast<void>(polls_.step());
        return;
    }
    // Who waits takes the steps; if it has come since, its time is better spent there. Nobody helps a rank that computes.
    using namespace std::chrono_literals;
    bool const helped = std::exchange(helped_before_, helped_.load(std::memory_order_relaxed)) != helped_before_;
    std::this_thread::sleep_for(last == pass::nothing_to_do || helped ? 1000us : 50us);
}

round_thread::pass round_thread::go_round() {
    while (wanted_.load(std::memory_order_relaxed) != 0) sched_yield();
    std::lock_guard const mine{turn_};
    auto all = pass::nothing_to_do;
    for (auto* w : workers_) all = std::max(all, w->go());
    return all;
}

} // namespace sode::internal
