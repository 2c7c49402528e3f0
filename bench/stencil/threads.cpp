// SPDX-License-Identifier: Apache-2.0
#include "stencil/threads.hpp"
#include "support/cores.hpp"

namespace sode::internal::bench {

thread_crew::thread_crew(std::vector<int> const& cores) : seats_(cores.size()) {
    for (std::size_t t = 1; t < cores.size(); ++t)
        helpers_.emplace_back([this, t, core = cores[t]] { help(static_cast<int>(t), core); });
}

thread_crew::~thread_crew() {
    task_ = nullptr;
    for (std::size_t t = 1; t < seats_.size(); ++t) seats_[t].wake.release();
    for (auto& h : helpers_) h.join();
}

void thread_crew::help(int t, int core) {
    bind_to_core(core);
    auto& wake = seats_[static_cast<std::size_t>(t)].wake;
    constexpr int polls = 20000; // some 100 us: runs that follow each other must not pay for waking up
    for (;;) {
        bool called = false;
        for (int i = 0; i < polls && !called; ++i) called = wake.try_acquire();
        if (!called) wake.acquire();
        if (task_ == nullptr) return;
        (*task_)(t);
        barrier(t);
    }
}

void thread_crew::run(std::function<void(int)> const& task) {
    task_ = &task;
    for (std::size_t t = 1; t < seats_.size(); ++t) seats_[t].wake.release();
    task(0);
    barrier(0);
}

void thread_crew::barrier(int t) noexcept {
    auto& mine = seats_[static_cast<std::size_t>(t)].arrived;
    std::uint64_t const turn = mine.load(std::memory_order_relaxed) + 1;
    mine.store(turn, std::memory_order_release);
    for (auto const& s : seats_)
        while (s.arrived.load(std::memory_order_acquire) < turn) {
        }
}

} // namespace sode::internal::bench
