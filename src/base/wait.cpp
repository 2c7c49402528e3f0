// SPDX-License-Identifier: Apache-2.0
#include "base/wait.hpp"

#include "base/clock.hpp"
#include "base/config.hpp"
#include "base/meanwhile.hpp"

#include <atomic>
#include <sched.h>

namespace sode::internal {

namespace {

// Often enough to report a dead peer at once, rarely enough to cost nothing beside the yields (about 0.4 us each).
constexpr std::int64_t look_every_ns = 3'000'000;

// 2000 polls with a CPU pause are about 50 us: longer than any exchange that goes well, far shorter than a time slice.
constexpr int spins_on_own_core = 2000;

std::atomic<void (*)() noexcept> meanwhile{nullptr};

// Open MPI yields as well, each time that it looks for messages: with a look before each yield, a call of four ranks on two
// processors takes 1.6 times as long (docs/lab-book.md).
constexpr unsigned yields_between = 16;

} // namespace

void do_meanwhile(void (*what)() noexcept) noexcept {
    meanwhile.store(what, std::memory_order_release);
}

bool waiter::yield() noexcept {
    if (started_ns_ == 0) started_ns_ = looked_ns_ = now_ns();
    if (auto* const also = meanwhile.load(std::memory_order_acquire)) {
        static thread_local unsigned yields = 0; // of short waits, too, which may be all that there are
        if (++yields % yields_between == 0) also();
    }
    sched_yield();
    std::int64_t const now = now_ns();
    if (now - looked_ns_ < look_every_ns) return false;
    looked_ns_ = now;
    return true;
}

double waiter::elapsed() const noexcept {
    return started_ns_ == 0 ? 0.0 : static_cast<double>(now_ns() - started_ns_) * 1e-9;
}

wait_policy make_wait_policy(config const& settings, int ranks_on_machine, int usable_processors) noexcept {
    wait_policy policy;
    policy.spins = settings.spins >= 0 ? settings.spins : (ranks_on_machine <= usable_processors ? spins_on_own_core : 0);
    policy.warn_s = settings.warn_s;
    policy.timeout_s = settings.timeout_s;
    return policy;
}

} // namespace sode::internal
