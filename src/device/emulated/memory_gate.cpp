// SPDX-License-Identifier: Apache-2.0
#include "device/emulated/memory_gate.hpp"

#include "device/emulated/stray_touch.hpp"

#include <sched.h>
#include <sys/mman.h>

namespace sode::internal {

class memory_gate::locked {
public:
    explicit locked(memory_gate& g) noexcept : gate_(g) {
        while (gate_.lock_.exchange(1, std::memory_order_acquire) != 0) sched_yield();
    }
    ~locked() { gate_.lock_.store(0, std::memory_order_release); }
    locked(locked const&) = delete;
    locked& operator=(locked const&) = delete;

private:
    memory_gate& gate_;
};

// The kernel refuses only where a process has too many mappings: then the pages stay open, and nothing is wrong but that a touch of
// the host's goes unnoticed.
void memory_gate::add(std::byte* first, std::size_t bytes) noexcept {
    locked const now{*this};
    if (count_ == most_blocks) return;
    if (inside_ == 0 && ::mprotect(first, bytes, PROT_NONE) != 0) return;
    blocks_[count_++] = {first, bytes};
    stray_touch::expect(first, bytes);
}

void memory_gate::remove(std::byte* first) noexcept {
    locked const now{*this};
    for (std::size_t i = 0; i < count_; ++i)
        if (blocks_[i].first == first) {
            ::mprotect(first, blocks_[i].bytes, PROT_READ | PROT_WRITE);
            stray_touch::forget(first);
            blocks_[i] = blocks_[--count_];
            return;
        }
}

void memory_gate::enter() noexcept {
    locked const now{*this};
    if (inside_++ != 0) return;
    for (std::size_t i = 0; i < count_; ++i) ::mprotect(blocks_[i].first, blocks_[i].bytes, PROT_READ | PROT_WRITE);
}

void memory_gate::leave() noexcept {
    locked const now{*this};
    if (--inside_ != 0) return;
    for (std::size_t i = 0; i < count_; ++i) ::mprotect(blocks_[i].first, blocks_[i].bytes, PROT_NONE);
}

} // namespace sode::internal
