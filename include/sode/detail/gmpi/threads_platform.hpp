// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/ordering.hpp>

#include <atomic>
#include <chrono>
#include <thread>

// The thread sanitizer does not understand fences. So with this sanitizer, each access has the memory order that a fence would
// provide.
#if defined(__SANITIZE_THREAD__)
#define SODE_GMPI_ORDERED_WORDS 1
#else
#define SODE_GMPI_ORDERED_WORDS 0
#endif

namespace sode::gmpi::detail {

/// How host threads access the words of the protocol: on the host's side, and on both sides of the emulated device.
struct threads_platform {
    static constexpr std::uint32_t polls_between_looks = 16;
    static constexpr bool has_fences = SODE_GMPI_ORDERED_WORDS == 0;
    static constexpr auto plain_load = has_fences ? std::memory_order_relaxed : std::memory_order_acquire;
    static constexpr auto plain_store = has_fences ? std::memory_order_relaxed : std::memory_order_release;

    static word load(word const& w) { return at(w).load(plain_load); }
    static void store(word& w, word value) { at(w).store(value, plain_store); }
    static word load_device(word const& w) { return at(w).load(std::memory_order_relaxed); }
    static void store_device(word& w, word value) { at(w).store(value, std::memory_order_relaxed); }
    static void store_pair(word* w, word first, word second) {
        store(w[0], first);
        store(w[1], second);
    }
    static word fetch_add(word& w, word n) {
        return at(w).fetch_add(n, has_fences ? std::memory_order_relaxed : std::memory_order_acq_rel);
    }
    static bool compare_exchange_relaxed(word& w, word expected, word value) {
        return at(w).compare_exchange_strong(expected, value, std::memory_order_relaxed);
    }
    template <ordering, scope> static bool compare_exchange(word& w, word expected, word value) {
        return at(w).compare_exchange_strong(expected, value, std::memory_order_acq_rel);
    }
    template <ordering, scope> static word load_acquire(word const& w) { return at(w).load(std::memory_order_acquire); }
    template <ordering, scope> static void store_release(word& w, word value) { at(w).store(value, std::memory_order_release); }
    template <ordering, scope> static word fetch_and(word& w, word bits) {
        return at(w).fetch_and(bits, std::memory_order_acquire);
    }
    template <ordering, scope> static word fetch_or(word& w, word bits) { return at(w).fetch_or(bits, std::memory_order_acq_rel); }
    template <ordering, scope> static void fence_release() {
        if constexpr (has_fences) std::atomic_thread_fence(std::memory_order_release);
    }
    template <ordering, scope> static void fence_acquire() {
        if constexpr (has_fences) std::atomic_thread_fence(std::memory_order_acquire);
    }
    template <ordering> static constexpr bool meets() { return true; }

    /// Called after poll `n` of a wait. There are usually more device threads than CPUs.
    static void pause(std::uint32_t n) {
        constexpr std::uint32_t spins = 8, naps_from = 64; // constant yielding would take CPU time from threads that have work
        if (n > naps_from)
            std::this_thread::sleep_for(std::chrono::microseconds{50});
        else if (n > spins)
            std::this_thread::yield();
    }
    static word now() {
        return static_cast<word>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count());
    }

private:
    // std::atomic_ref of a const word needs C++26.
    static std::atomic_ref<word> at(word const& w) { return std::atomic_ref<word>{const_cast<word&>(w)}; }
};

} // namespace sode::gmpi::detail
