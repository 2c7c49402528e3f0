// SPDX-License-Identifier: Apache-2.0
#include "base/worker_pool.hpp"

#include "base/helper_thread.hpp"

#include <utility>

namespace sode::internal {

worker_pool::worker_pool(int threads, wait_policy const& waiting)
    : waiting_(waiting), workers_(static_cast<std::size_t>(threads - 1)) {
    try {
        for (std::size_t i = 0; i < workers_.size(); ++i)
            workers_[i].thread = start_helper("runs loops of a rank", "lower SODE_THREADS, or unset it", std::nullopt,
                                              [this, i] { work(workers_[i], static_cast<int>(i) + 1); });
    } catch (...) {
        stop();
        throw;
    }
}

worker_pool::~worker_pool() {
    stop();
}

void worker_pool::stop() noexcept {
    stopping_ = true;
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (auto& w : workers_)
        if (w.thread.joinable()) w.thread.join();
}

void worker_pool::run(piece f, void* what) {
    if (running_ || std::this_thread::get_id() != owner_) {
        for (int k = 0; k < size(); ++k) f(what, k);
        return;
    }
    running_ = true;
    piece_ = f;
    what_ = what;
    left_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    std::exception_ptr thrown;
    try {
        f(what, 0);
    } catch (...) {
        thrown = std::current_exception();
    }
    waiter others{waiting_};
    while (left_.load(std::memory_order_acquire) != 0) static_cast<void>(others.step());
    running_ = false;
    for (auto& w : workers_)
        if (auto const his = std::exchange(w.thrown, nullptr); his && !thrown) thrown = his;
    if (thrown) std::rethrow_exception(thrown);
}

void worker_pool::work(worker& self, int k) {
    for (std::uint32_t seen = 0;;) {
        waiter next{waiting_};
        for (int polls = 0; round_.load(std::memory_order_acquire) == seen; ++polls)
            if (polls < waiting_.spins)
                static_cast<void>(next.step());
            else
                round_.wait(seen, std::memory_order_acquire);
        ++seen; // the next round begins when all have ended this one
        if (stopping_) return;
        try {
            piece_(what_, k);
        } catch (...) {
            self.thrown = std::current_exception();
        }
        left_.fetch_sub(1, std::memory_order_release);
    }
}

} // namespace sode::internal
