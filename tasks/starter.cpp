// SPDX-License-Identifier: Apache-2.0
#include "tasks/starter.hpp"

#include "tasks/quiet_thread.hpp"
#include "tasks/seccomp_filter.hpp"

#include <exception>

namespace sode::internal {

starter::starter(std::uintptr_t low, std::uintptr_t high) : thread_(quiet_thread([=, this] { work(low, high); })) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return ready_; });
    if (!refused_) return;
    lock.unlock();
    thread_.join();
    std::rethrow_exception(refused_);
}

starter::~starter() {
    {
        std::lock_guard const lock{mutex_};
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

long starter::clone(clone_args& how, entry_plan& plan) {
    std::unique_lock lock{mutex_};
    how_ = &how;
    plan_ = &plan;
    changed_.notify_all();
    changed_.wait(lock, [&] { return how_ == nullptr; });
    return result_;
}

void starter::work(std::uintptr_t low, std::uintptr_t high) {
    std::unique_lock lock{mutex_};
    try {
        listener_ = filter_this_thread(low, high);
    } catch (...) {
        refused_ = std::current_exception();
    }
    ready_ = true;
    changed_.notify_all();
    if (refused_) return;
    for (;;) {
        changed_.wait(lock, [&] { return stop_ || how_ != nullptr; });
        if (stop_) return;
        result_ = clone_task(*how_, *plan_);
        how_ = nullptr;
        changed_.notify_all();
    }
}

} // namespace sode::internal
