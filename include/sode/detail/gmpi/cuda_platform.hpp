// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/threads_platform.hpp>

#include <cuda/atomic>

// Only nvcc includes this file.

namespace sode::gmpi::detail {

/// How threads of an NVIDIA GPU access the words of the protocol. In host memory that is mapped to the device, only loads and
/// stores are atomic for both sides. Therefore every read-modify-write operation has device scope, and operates on a word in device
/// memory.
struct cuda_platform {
    static constexpr std::uint32_t polls_between_looks = 1024;

    template <scope S>
    static constexpr auto thread_scope = S == scope::device ? cuda::thread_scope_device : cuda::thread_scope_system;
    template <scope S> using reference = cuda::atomic_ref<word, thread_scope<S>>;

    SODE_GPU static word load(word const& w) { return at<scope::system>(w).load(cuda::memory_order_relaxed); }
    SODE_GPU static void store(word& w, word value) { at<scope::system>(w).store(value, cuda::memory_order_relaxed); }
    SODE_GPU static word load_device(word const& w) { return at<scope::device>(w).load(cuda::memory_order_relaxed); }
    SODE_GPU static void store_device(word& w, word value) { at<scope::device>(w).store(value, cuda::memory_order_relaxed); }
    /// One store of 16 bytes. Each half is written atomically, as the protocol requires.
    SODE_GPU static void store_pair(word* w, word first, word second) {
#if defined(__CUDA_ARCH__)
        asm volatile("st.relaxed.sys.v2.u64 [%0], {%1, %2};" ::"l"(w), "l"(first), "l"(second) : "memory");
#else
        store(w[0], first);
        store(w[1], second);
#endif
    }
    SODE_GPU static word fetch_add(word& w, word n) {
        return at<scope::device>(w).fetch_add(n, cuda::memory_order_relaxed);
    }
    SODE_GPU static bool compare_exchange_relaxed(word& w, word expected, word value) {
        return at<scope::device>(w).compare_exchange_strong(expected, value, cuda::memory_order_relaxed);
    }
    template <ordering, scope S> SODE_GPU static bool compare_exchange(word& w, word expected, word value) {
        return at<S>(w).compare_exchange_strong(expected, value, cuda::memory_order_acq_rel);
    }
    template <ordering, scope S> SODE_GPU static word load_acquire(word const& w) {
        return at<S>(w).load(cuda::memory_order_acquire);
    }
    template <ordering, scope S> SODE_GPU static void store_release(word& w, word value) {
        at<S>(w).store(value, cuda::memory_order_release);
    }
    template <ordering, scope S> SODE_GPU static word fetch_and(word& w, word bits) {
        return at<S>(w).fetch_and(bits, cuda::memory_order_acquire);
    }
    template <ordering, scope S> SODE_GPU static word fetch_or(word& w, word bits) {
        return at<S>(w).fetch_or(bits, cuda::memory_order_acq_rel);
    }
    template <ordering, scope S> SODE_GPU static void fence_release() {
        cuda::atomic_thread_fence(cuda::memory_order_release, thread_scope<S>);
    }
    template <ordering, scope S> SODE_GPU static void fence_acquire() {
        cuda::atomic_thread_fence(cuda::memory_order_acquire, thread_scope<S>);
    }
    template <ordering> SODE_GPU static constexpr bool meets() {
        return true;
    }

    // On the host, this code runs on an ordinary thread. Device code never contains this branch.
    SODE_GPU static void pause([[maybe_unused]] std::uint32_t n) {
#if !defined(__CUDA_ARCH__)
        threads_platform::pause(n);
#endif
    }
    SODE_GPU static word now() {
#if defined(__CUDA_ARCH__)
        word ns = 0;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
        return ns;
#else
        return threads_platform::now();
#endif
    }

private:
    template <scope S> SODE_GPU static reference<S> at(word const& w) {
        return reference<S>{const_cast<word&>(w)};
    }
};

} // namespace sode::gmpi::detail
