// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace sode::internal::cuda {

/// Streams in which a rank's program has work.
class open_streams {
public:
    void add(cudaStream_t one) {
        std::lock_guard const mine{lock_};
        all_.push_back(one);
    }
    void remove(cudaStream_t one) {
        std::lock_guard const mine{lock_};
        std::erase(all_, one);
    }
    /// Waits until all of them are idle, not for ever. False: they are not.
    [[nodiscard]] bool settle() noexcept {
        constexpr std::chrono::seconds longest{10};
        auto const since = std::chrono::steady_clock::now();
        std::lock_guard const mine{lock_};
        for (auto const one : all_)
            while (cudaStreamQuery(one) == cudaErrorNotReady) {
                if (std::chrono::steady_clock::now() - since > longest) return false;
                std::this_thread::yield();
            }
        return true;
    }

private:
    std::mutex lock_;
    std::vector<cudaStream_t> all_;
};

} // namespace sode::internal::cuda
