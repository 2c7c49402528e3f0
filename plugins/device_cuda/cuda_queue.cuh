// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/clock.hpp"
#include "device/clocked_queue.hpp"

#include "copy_kernels.cuh"
#include "cuda_graph.cuh"
#include "open_streams.cuh"
#include "status.cuh"

#include <cuda/atomic>

#include <thread>

namespace sode::internal::cuda {

using device_word = ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_system>;

/// One thread looks at the word, at longer and longer intervals, until it is there or everything stops.
__global__ void await_word(std::uint64_t* word, std::uint64_t least, std::uint64_t* stop) {
    constexpr unsigned longest_ns = 1000;
    for (unsigned pause = 20; device_word{*word}.load(::cuda::memory_order_acquire) < least; pause = pause < longest_ns ? 2 * pause : pause) {
        if (device_word{*stop}.load(::cuda::memory_order_relaxed) != 0) return;
        __nanosleep(pause);
    }
}

/// All work before has been done when it runs; the fence takes it to those who are not this device.
__global__ void publish_word(std::uint64_t* word, std::uint64_t value, bool adds, std::uint64_t* stop) {
    if (device_word{*stop}.load(::cuda::memory_order_relaxed) != 0) return;
    __threadfence_system();
    if (adds)
        device_word{*word}.fetch_add(value, ::cuda::memory_order_acq_rel);
    else
        device_word{*word}.store(value, ::cuda::memory_order_release);
}

/// The device's clock, in nanoseconds, moved to that of the host.
__global__ void stamp_time(std::uint64_t* word, std::int64_t behind) {
    std::uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    device_word{*word}.store(now + static_cast<std::uint64_t>(behind), ::cuda::memory_order_release);
}

/// A stream of CUDA.
class cuda_queue final : public device_queue, public clocked_queue, public graph_queue {
public:
    /// `among`: streams of the program, where it is one of those.
    cuda_queue(int device, std::shared_ptr<open_streams> among) : device_(device), among_(std::move(among)) {
        select(device_);
        must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "a stream cannot be made");
        must(cudaEventCreateWithFlags(&mark_, cudaEventDisableTiming), "an event cannot be made");
        for (auto& e : given_so_far_) must(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), "an event cannot be made");
        if (among_) among_->add(stream_);
    }
    ~cuda_queue() override {
        cudaSetDevice(device_);
        cudaStreamSynchronize(stream_);
        if (among_) among_->remove(stream_);
        cudaEventDestroy(mark_);
        for (auto e : given_so_far_) cudaEventDestroy(e);
        cudaStreamDestroy(stream_);
    }

    void copy(std::byte* to, std::byte const* from, std::size_t bytes) override {
        select(device_);
        note(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_));
    }
    void copy(std::shared_ptr<copy_program const> program, std::byte* to, std::byte const* from) override {
        select(device_);
        run_in(stream_, *program, to, from); // the kernel has a copy of the loops
        note(cudaPeekAtLastError());
    }
    void await(shared_word const& word, std::uint64_t least, shared_word const& stop) override {
        select(device_);
        await_word<<<1, 1, 0, stream_>>>(plain(word), least, plain(stop));
        note(cudaPeekAtLastError());
    }
    void publish(shared_word& word, std::uint64_t value, bool adds, shared_word const& stop) override {
        select(device_);
        publish_word<<<1, 1, 0, stream_>>>(plain(word), value, adds, plain(stop));
        note(cudaPeekAtLastError());
    }
    void await(device_queue& other) override {
        auto& theirs = static_cast<cuda_queue&>(other);
        select(device_);
        note(cudaEventRecord(theirs.mark_, theirs.stream_));
        note(cudaStreamWaitEvent(stream_, theirs.mark_));
    }
    void run(std::function<void()> /*kernel*/) override {
        throw error{error_kind::usage, "a function of the host cannot be a kernel of CUDA", "it was not compiled for the device",
                    "launch a kernel in native(), or set SODE_DEVICE=emulated"};
    }
    [[nodiscard]] std::shared_ptr<copy_graph const> make_graph(std::span<copy_box const> copies) override {
        select(device_);
        return std::make_shared<cuda_graph>(copies);
    }
    void launch(std::shared_ptr<copy_graph const> graph) override {
        select(device_);
        note(cudaGraphLaunch(static_cast<cuda_graph const&>(*graph).ready(), stream_)); // which whoever made it keeps
    }
    void stamp(shared_word& when) override {
        select(device_);
        if (!knows_clock_) compare_clocks(when);
        stamp_time<<<1, 1, 0, stream_>>>(plain(when), behind_);
        note(cudaPeekAtLastError());
    }

    [[nodiscard]] std::uint64_t given() const noexcept override { return given_; }
    [[nodiscard]] std::uint64_t done() const noexcept override {
        // What users launch in native() is not counted, and waited for all the same.
        auto const status = cudaStreamQuery(stream_);
        if (status == cudaErrorNotReady) return given_ - 1;
        if (status != cudaSuccess && failure_ == cudaSuccess) failure_ = status;
        return given_;
    }
    [[nodiscard]] std::string failure() const override { return failure_ == cudaSuccess ? "" : cudaGetErrorString(failure_); }
    [[nodiscard]] void* native() const noexcept override { return stream_; }

private:
    // Before the queue waits for anybody: traces begin with its first work.
    void compare_clocks(shared_word& word) {
        stamp_time<<<1, 1, 0, stream_>>>(plain(word), 0);
        note(cudaStreamSynchronize(stream_));
        behind_ = now_ns() - static_cast<std::int64_t>(word.exchange(0));
        knows_clock_ = true;
    }
    static std::uint64_t* plain(shared_word const& w) noexcept {
        return reinterpret_cast<std::uint64_t*>(const_cast<shared_word*>(&w));
    }
    void note(cudaError_t status) noexcept {
        ++given_;
        if (status != cudaSuccess && failure_ == cudaSuccess) failure_ = status;
        if (given_ % at_a_time != 0) return;
        // A stream that is full holds up the caller within CUDA, where no other rank of this process could give its device what this
        // one waits for. So whoever is far ahead waits here.
        auto const now = given_ / at_a_time % 2;
        while (given_ > 2 * at_a_time && cudaEventQuery(given_so_far_[now]) == cudaErrorNotReady) std::this_thread::yield();
        cudaEventRecord(given_so_far_[now], stream_);
    }

    static constexpr std::uint64_t at_a_time = 256; // CUDA has room for 1024

    int device_;
    std::shared_ptr<open_streams> among_; // null: not a program's
    cudaStream_t stream_ = nullptr;
    cudaEvent_t given_so_far_[2]{};
    cudaEvent_t mark_ = nullptr;
    std::int64_t behind_ = 0; // the clock of the host
    bool knows_clock_ = false;
    std::uint64_t given_ = 1;
    mutable cudaError_t failure_ = cudaSuccess;
};

} // namespace sode::internal::cuda
