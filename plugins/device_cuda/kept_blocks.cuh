// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "status.cuh"

#include <cstddef>
#include <map>
#include <mutex>

namespace sode::internal::cuda {

/// Blocks of cudaMalloc that nobody has any more, for the next one who asks for as many bytes. To free one, CUDA waits for all
/// kernels on the device, and those of other ranks of this process may wait for the rank that frees.
class kept_blocks {
public:
    explicit kept_blocks(int device) noexcept : device_(device) {}
    ~kept_blocks() { free_all(); }
    kept_blocks(kept_blocks const&) = delete;
    kept_blocks& operator=(kept_blocks const&) = delete;

    /// What it holds is anything. Errors: environment.
    [[nodiscard]] std::byte* take(std::size_t bytes) {
        std::lock_guard const mine{lock_};
        if (auto const again = kept_.find(bytes); again != kept_.end()) {
            auto* const block = again->second;
            kept_.erase(again);
            return block;
        }
        void* block = nullptr;
        auto status = cudaMalloc(&block, bytes);
        if (status == cudaErrorMemoryAllocation && !kept_.empty()) { // better to wait than to fail
            static_cast<void>(cudaGetLastError());
            free_all();
            status = cudaMalloc(&block, bytes);
        }
        must(status, "no room for " + std::to_string(bytes) + " bytes in the memory of a device", "use smaller arrays or more devices");
        return static_cast<std::byte*>(block);
    }
    void keep(std::byte* block, std::size_t bytes) {
        std::lock_guard const mine{lock_};
        kept_.emplace(bytes, block);
    }

private:
    void free_all() noexcept {
        cudaSetDevice(device_);
        for (auto const& [bytes, block] : kept_) cudaFree(block);
        kept_.clear();
    }

    int device_;
    std::mutex lock_;
    std::multimap<std::size_t, std::byte*> kept_;
};

} // namespace sode::internal::cuda
