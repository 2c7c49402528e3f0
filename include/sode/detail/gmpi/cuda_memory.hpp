// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/memory.hpp>
#include <sode/error.hpp>

#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// Only nvcc includes this file: libsode does not link to CUDA, but the program does.

namespace sode::gmpi {

namespace detail {

inline void check(cudaError_t status, char const* call) {
    if (status == cudaSuccess) return;
    throw error{error_kind::environment, std::string{call} + " failed", cudaGetErrorString(status),
                "look at the output of nvidia-smi; on a machine without a GPU, compile kernels with another compiler than nvcc"};
}

} // namespace detail

/// Memory of the GPU that this thread has selected (cudaSetDevice). Copies use their own stream, so copies do not wait for kernels.
/// Nothing uses the legacy stream, so kernels do not wait for the legacy stream. Released memory is kept and reused. To free
/// memory, CUDA would wait for all kernels on the device, and kernels of other ranks may wait for this rank.
class cuda_memory final : public memory {
public:
    cuda_memory() {
        detail::check(cudaGetDevice(&device_), "cudaGetDevice");
        detail::check(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
        detail::check(cudaHostAlloc(&words_, told_at_a_time * sizeof(word), cudaHostAllocPortable), "cudaHostAlloc");
        for (auto& e : halves_) detail::check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    }
    ~cuda_memory() override {
        cudaStreamSynchronize(copies_);
        for (auto const& [number, event] : under_way_) cudaEventDestroy(event);
        for (auto const event : idle_) cudaEventDestroy(event);
        for (auto const event : halves_) cudaEventDestroy(event);
        cudaStreamDestroy(copies_);
        for (auto const& [what, block] : kept_)
            if (what.first == kind::device)
                cudaFree(block);
            else
                cudaFreeHost(block);
        cudaFreeHost(words_);
    }

    [[nodiscard]] std::string_view name() const noexcept override { return "CUDA"; }
    [[nodiscard]] int device() const noexcept { return device_; }

    [[nodiscard]] std::byte* allocate(kind k, std::size_t bytes) override {
        std::lock_guard const mine{lock_};
        void* place = nullptr;
        if (auto const again = kept_.find({k, bytes}); again != kept_.end()) {
            place = again->second;
            kept_.erase(again);
        } else if (k == kind::device) {
            detail::check(cudaMalloc(&place, bytes), "cudaMalloc");
        } else { // not write-combined: the host reads it
            detail::check(cudaHostAlloc(&place, bytes, cudaHostAllocMapped | cudaHostAllocPortable), "cudaHostAlloc");
        }
        sizes_[static_cast<std::byte*>(place)] = bytes;
        if (k == kind::device) {
            detail::check(cudaMemsetAsync(place, 0, bytes, copies_), "cudaMemsetAsync");
            detail::check(cudaStreamSynchronize(copies_), "cudaStreamSynchronize");
        } else {
            for (std::size_t i = 0; i < bytes; ++i) static_cast<char volatile*>(place)[i] = 0;
        }
        return static_cast<std::byte*>(place);
    }
    void release(kind k, std::byte* address) noexcept override {
        std::lock_guard const mine{lock_};
        if (auto const known = sizes_.find(address); known != sizes_.end()) {
            kept_.emplace(std::pair{k, known->second}, address);
            sizes_.erase(known);
        }
    }
    void write(std::byte* to, void const* from, std::size_t bytes) override {
        detail::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, copies_), "cudaMemcpyAsync");
        detail::check(cudaStreamSynchronize(copies_), "cudaStreamSynchronize");
    }

    [[nodiscard]] bool is_plain(void const* address) const override {
        cudaPointerAttributes what{};
        return cudaPointerGetAttributes(&what, address) != cudaSuccess || what.type != cudaMemoryTypeDevice;
    }
    [[nodiscard]] std::size_t most_of_a_copy() const noexcept override { return ~std::size_t{0}; }
    [[nodiscard]] std::uint64_t begin_copy(void* to, void const* from, std::size_t bytes) override {
        detail::check(cudaSetDevice(device_), "cudaSetDevice"); // for the calling thread
        detail::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, copies_), "cudaMemcpyAsync");
        cudaEvent_t event = nullptr;
        if (idle_.empty())
            detail::check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
        else {
            event = idle_.back();
            idle_.pop_back();
        }
        detail::check(cudaEventRecord(event, copies_), "cudaEventRecord");
        under_way_.emplace(++last_, event);
        return last_;
    }
    [[nodiscard]] bool is_over(std::uint64_t copy) override {
        auto const found = under_way_.find(copy);
        if (found == under_way_.end()) return true;
        auto const status = cudaEventQuery(found->second);
        if (status == cudaErrorNotReady) return false;
        detail::check(status, "cudaEventQuery");
        idle_.push_back(found->second);
        under_way_.erase(found);
        return true;
    }
    void tell(word* to, kind where, word value) override {
        if (where == kind::mapped) return std::atomic_ref<word>{*to}.store(value, std::memory_order_release);
        // By halves: what was told so long ago has been copied, or will be soon.
        auto const half_is_copied = halves_[told_ / told_of_half % 2];
        if (told_ % told_of_half == 0 && told_ >= told_at_a_time)
            while (cudaEventQuery(half_is_copied) == cudaErrorNotReady) {
            }
        auto& from = words_[told_++ % told_at_a_time];
        from = value;
        detail::check(cudaSetDevice(device_), "cudaSetDevice");
        detail::check(cudaMemcpyAsync(to, &from, sizeof from, cudaMemcpyHostToDevice, copies_), "cudaMemcpyAsync");
        if (told_ % told_of_half == 0) detail::check(cudaEventRecord(half_is_copied, copies_), "cudaEventRecord");
    }

private:
    static constexpr std::uint64_t told_at_a_time = 4096, told_of_half = told_at_a_time / 2;

    int device_ = 0;
    std::mutex lock_; // protects the lists of allocated and kept memory
    std::unordered_map<std::byte*, std::size_t> sizes_;
    std::multimap<std::pair<kind, std::size_t>, std::byte*> kept_;
    cudaStream_t copies_ = nullptr;
    word* words_ = nullptr; // being copied to the device
    cudaEvent_t halves_[2]{};
    std::uint64_t told_ = 0;
    std::uint64_t last_ = 0;
    std::unordered_map<std::uint64_t, cudaEvent_t> under_way_;
    std::vector<cudaEvent_t> idle_;
};

} // namespace sode::gmpi
