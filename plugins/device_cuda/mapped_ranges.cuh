// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "status.cuh"

#include <cstddef>
#include <map>
#include <mutex>

namespace sode::internal::cuda {

/// What this process has registered of the host's memory; all devices reach it. Ranks of the process share registrations. Those of
/// other processes' blocks end when their owners use the memory for something else: a new block there overlaps the old one.
class mapped_ranges {
public:
    static mapped_ranges& of_process() {
        static mapped_ranges all;
        return all;
    }

    /// Errors: environment.
    void add(std::byte* first, std::size_t bytes) {
        std::lock_guard const mine{lock_};
        auto* const end = first + bytes;
        auto at = ranges_.upper_bound(first);
        if (at != ranges_.begin() && std::prev(at)->first + std::prev(at)->second > first) --at;
        if (at != ranges_.end() && at->first <= first && at->first + at->second >= end) return;
        while (at != ranges_.end() && at->first < end) {
            if (cudaHostUnregister(at->first) != cudaSuccess) static_cast<void>(cudaGetLastError());
            at = ranges_.erase(at);
        }
        auto const status = cudaHostRegister(first, bytes, cudaHostRegisterMapped | cudaHostRegisterPortable);
        if (status == cudaErrorHostMemoryAlreadyRegistered) // by the program
            static_cast<void>(cudaGetLastError());
        else
            must(status, "memory of the host cannot be mapped to a device", "raise `ulimit -l`");
        ranges_.emplace(first, bytes);
    }
    void remove(std::byte* first) noexcept {
        std::lock_guard const mine{lock_};
        auto const at = ranges_.find(first);
        if (at == ranges_.end()) return;
        if (cudaHostUnregister(first) != cudaSuccess) static_cast<void>(cudaGetLastError());
        ranges_.erase(at);
    }

private:
    std::mutex lock_;
    std::map<std::byte*, std::size_t> ranges_;
};

} // namespace sode::internal::cuda
