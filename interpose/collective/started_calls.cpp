// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/started_calls.hpp"

#include "interpose/collective/started_call.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <pthread.h>

namespace sode::internal::interpose {

namespace {

constexpr std::chrono::microseconds unasked{1000}, between_turns{50};
constexpr int idle_turns = 100; // until the helper sleeps

} // namespace

started_calls::~started_calls() {
    {
        std::lock_guard const lock{mutex_};
        over_ = true;
    }
    news_.notify_all();
    if (helper_.joinable()) helper_.join();
}

void started_calls::add(started_call& one) {
    std::lock_guard const lock{mutex_};
    all_.push_back(&one);
    if (helper_.joinable()) return;
    sigset_t every, before; // signals are the program's affair
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    helper_ = std::thread{[this] { help(); }};
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void started_calls::remove(started_call& one) {
    std::lock_guard const lock{mutex_};
    std::erase(all_, &one);
}

void started_calls::rouse() noexcept {
    {
        std::lock_guard const lock{mutex_};
        sleeps_.store(false, std::memory_order_seq_cst);
    }
    news_.notify_all();
}

void started_calls::finish() {
    for (auto* const one : [this] {
             std::lock_guard const lock{mutex_};
             return all_;
         }())
        one->finish();
}

void started_calls::go_on() noexcept {
    // If the helper is at it, it is not for long; and other ranks count on it that who waits has gone on with all else.
    std::lock_guard const lock{mutex_};
    for (auto* const one : all_)
        if (one->running()) one->help(started_call::hand::program);
}

bool started_calls::help_forgotten(bool& running) {
    bool helped = false;
    for (auto* const one : all_) {
        running = running || one->running();
        if (!one->is_forgotten()) continue;
        one->help(started_call::hand::helper);
        helped = true;
    }
    return helped;
}

void started_calls::help() {
    std::unique_lock lock{mutex_};
    for (int idle = 0; !over_;) {
        bool running = false;
        bool const helped = help_forgotten(running);
        idle = running ? 0 : idle + 1;
        if (idle < idle_turns) {
            news_.wait_for(lock, helped ? between_turns : unasked, [&] { return over_; });
            continue;
        }
        sleeps_.store(true, std::memory_order_seq_cst);
        // Who starts one says so before it looks whether we sleep.
        if (std::ranges::none_of(all_, [](auto* one) { return one->running(); }))
            news_.wait(lock, [&] { return over_ || !sleeps_.load(std::memory_order_seq_cst); });
        sleeps_.store(false, std::memory_order_seq_cst);
        idle = 0;
    }
}

} // namespace sode::internal::interpose
