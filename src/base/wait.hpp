// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sode::internal {

struct config;

/// How this rank waits. Decided once: spinning among more ranks than cores costs whole time slices (docs/decisions).
struct wait_policy {
    int spins = 2000;     ///< polls with a CPU pause (about 50 us) before the first yield; 0 = yield at once
    double warn_s = 30;   ///< a wait this long is told to the user, once; 0 = never
    double timeout_s = 0; ///< a wait this long is an error; 0 = never (SODE_TIMEOUT)
};

/// The policy for `ranks_on_machine` ranks that share `usable_processors` processors (machine_share.hpp finds out both): spin as
/// long as each has its own, yield at once when they are more; SODE_SPIN decides otherwise.
[[nodiscard]] wait_policy make_wait_policy(config const& settings, int ranks_on_machine, int usable_processors) noexcept;

/// One wait in progress: `waiter w{policy}; while (!ready()) if (w.step()) look_after_the_peer(w.elapsed());`
class waiter {
public:
    explicit waiter(wait_policy const& policy) noexcept : policy_(&policy) {}

    /// Spins, then yields. True every few milliseconds of waiting, and never before the first yield: time to see whether the
    /// peer lives and whether the deadline has passed. No system call before the first yield.
    [[nodiscard]] bool step() noexcept {
        if (count_ < policy_->spins) {
            ++count_;
#if defined(__x86_64__)
            __builtin_ia32_pause();
#elif defined(__aarch64__)
            asm volatile("yield");
#endif
            return false;
        }
        return yield();
    }
    /// Seconds since the first yield.
    [[nodiscard]] double elapsed() const noexcept;
    void reset() noexcept {
        count_ = 0;
        started_ns_ = 0;
    }

private:
    bool yield() noexcept;

    wait_policy const* policy_;
    int count_ = 0;
    std::int64_t started_ns_ = 0;
    std::int64_t looked_ns_ = 0;
};

/// Waits until `condition()` is true. The condition may take what it waits for: it is not asked again once it was true.
/// `look(seconds)`: every few milliseconds, and only if the condition, asked once more, is still false.
template <class Condition, class Look> void await(wait_policy const& policy, Condition const& condition, Look const& look) {
    for (waiter w{policy}; !condition();) {
        if (!w.step()) continue;
        if (condition()) return;
        look(w.elapsed());
    }
}

} // namespace sode::internal
