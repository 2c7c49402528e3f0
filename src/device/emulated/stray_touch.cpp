// SPDX-License-Identifier: Apache-2.0
#include "device/emulated/stray_touch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <string_view>

#include <unistd.h>

namespace sode::internal::stray_touch {
namespace {

// Signal handlers are the process's, and so is what this one knows; it may run at any moment, so it takes no lock.
struct watched_pages {
    std::atomic<std::uintptr_t> first;
    std::atomic<std::size_t> bytes;
};
constinit std::array<watched_pages, 512> watched{};
constinit struct sigaction before {};
constinit std::once_flag installed{};

bool is_watched(std::uintptr_t at) noexcept {
    return std::any_of(watched.begin(), watched.end(), [&](watched_pages const& w) {
        auto const first = w.first.load(std::memory_order_acquire);
        return first != 0 && at - first < w.bytes.load(std::memory_order_relaxed);
    });
}

void tell(int /*number*/, siginfo_t* info, void* /*context*/) {
    constexpr std::string_view text = "sode: error: the host has accessed device memory (only the device may access it)\n  copy it "
                                      "to a host array by download(), or access the array in a loop on a stream\n";
    if (is_watched(reinterpret_cast<std::uintptr_t>(info->si_addr)))
        static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
    ::sigaction(SIGSEGV, &before, nullptr); // and the load or store is tried again
}

void install() noexcept {
    struct sigaction mine {};
    mine.sa_sigaction = tell;
    mine.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigaction(SIGSEGV, &mine, &before);
}

} // namespace

void expect(std::byte const* first, std::size_t bytes) noexcept {
    std::call_once(installed, install);
    for (auto& w : watched) {
        std::uintptr_t none = 0;
        // Claimed as pages of no bytes, so that the handler never sees a size of another block.
        if (!w.first.compare_exchange_strong(none, reinterpret_cast<std::uintptr_t>(first), std::memory_order_acq_rel)) continue;
        w.bytes.store(bytes, std::memory_order_release);
        return;
    }
}

void forget(std::byte const* first) noexcept {
    for (auto& w : watched)
        if (w.first.load(std::memory_order_relaxed) == reinterpret_cast<std::uintptr_t>(first)) {
            w.bytes.store(0, std::memory_order_relaxed);
            w.first.store(0, std::memory_order_release);
            return;
        }
}

} // namespace sode::internal::stray_touch
