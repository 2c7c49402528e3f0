// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/chosen_device.hpp>
#include <sode/detail/gmpi/cuda_memory.hpp>
#include <sode/detail/gmpi/cuda_start.hpp>
#include <sode/detail/gmpi/cuda_thread.hpp>
#include <sode/detail/gmpi/device_share.hpp>
#include <sode/detail/gmpi/forwarder.hpp>
#include <sode/detail/gmpi/grid.hpp>
#include <sode/detail/gmpi/handle.hpp>
#include <sode/detail/gmpi/kernel_run.hpp>

#include <memory>
#include <string>
#include <utility>

// Only nvcc includes this file.

namespace sode::gmpi::detail {

template <class Kernel, class... Arguments> __global__ void run_on_cuda(Kernel kernel, Arguments... arguments) {
    kernel(cuda_thread{}, arguments...);
}

/// The resident kernel for two hops. The kernel has one thread for each ring, and runs until the host reports that the kernel that
/// fills the rings has finished.
struct hops {
    ring from[device_handle::most_rings];
    ring to[device_handle::most_rings];
    alarm ends;
    word* stop;
};
template <class P> __global__ void forward_on_cuda(hops all) {
    P const p;
    forwarder<P> hop{p, all.from[threadIdx.x], all.to[threadIdx.x], all.ends};
    code how = code::ok;
    while (how == code::ok) {
        bool const last = p.template load_acquire<ordering::heed, scope::system>(*all.stop) != 0;
        if (hop.step(how) == 0 && last) return;
    }
}

/// A kernel on a GPU, on its own stream.
class cuda_run final : public kernel_run {
public:
    cuda_run(cuda_memory& memory, launch_shape shape, void const* function, void** arguments, device_handle const& h,
             ring const* host_rings)
        : memory_(memory) {
        check(cudaSetDevice(memory.device()), "cudaSetDevice");
        auto const most = require_room(shape, function, h.two_hops);
        share_ = std::make_unique<device_share>("CUDA device " + std::to_string(memory.device()), shape.blocks, most);
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
        if (h.two_hops) forward(h, host_rings);
        check(cudaLaunchCooperativeKernel(function, dim3{shape.blocks}, dim3{shape.threads}, arguments, 0, stream_),
              "cudaLaunchCooperativeKernel");
    }
    ~cuda_run() override {
        if (stream_) cudaStreamSynchronize(stream_);
        stop_forwarding();
        if (resident_) {
            cudaStreamSynchronize(resident_);
            cudaStreamDestroy(resident_);
        }
        if (stop_) memory_.release(memory::kind::mapped, reinterpret_cast<std::byte*>(stop_));
        if (stream_) cudaStreamDestroy(stream_);
    }

    [[nodiscard]] bool is_over() override {
        auto const status = cudaStreamQuery(stream_);
        if (status == cudaErrorNotReady) return false;
        stop_forwarding();
        return !resident_ || cudaStreamQuery(resident_) != cudaErrorNotReady;
    }
    void end() override { check(cudaStreamSynchronize(stream_), "a kernel"); }

private:
    // Blocks may wait for each other, or for other ranks. Therefore all blocks must be resident. One multiprocessor is left for the
    // kernels of plans, which the host starts in the meantime. \return the number of blocks that can be resident
    static std::uint32_t require_room(launch_shape shape, void const* function, bool two_hops) {
        int device = 0, processors = 0, of_one = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_one, function, static_cast<int>(shape.threads), 0),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        auto const most = static_cast<std::uint32_t>((processors - (two_hops ? 2 : 1)) * of_one);
        if (shape.blocks != 0 && shape.blocks <= most) return most;
        throw error{
            error_kind::usage,
            "a kernel of " + std::to_string(shape.blocks) + " blocks of " + std::to_string(shape.threads) + " threads cannot run",
            shape.blocks == 0
                ? "it has no threads"
                : "its blocks may wait for each other, and the device has room for " + std::to_string(most) + " of them at a time",
            shape.blocks == 0 ? "launch one block of one thread, or more"
                              : "launch fewer of them, and let each do more work in a loop"};
    }
    void forward(device_handle const& h, ring const* host_rings) {
        stop_ = reinterpret_cast<word*>(memory_.allocate(memory::kind::mapped, sizeof(word)));
        hops all{};
        for (std::uint32_t r = 0; r < h.ring_count; ++r) {
            all.from[r] = h.rings[r];
            all.to[r] = host_rings[r];
        }
        all.ends = h.alarm;
        all.stop = stop_;
        check(cudaStreamCreateWithFlags(&resident_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
        forward_on_cuda<cuda_platform><<<1, h.ring_count, 0, resident_>>>(all);
        check(cudaGetLastError(), "the resident kernel");
    }
    void stop_forwarding() {
        if (stop_) memory_.tell(stop_, memory::kind::mapped, 1);
    }

    cuda_memory& memory_;
    std::unique_ptr<device_share> share_;
    cudaStream_t stream_ = nullptr, resident_ = nullptr;
    word* stop_ = nullptr;
};

template <class Kernel, class... Arguments>
std::unique_ptr<kernel_run> launch_on(memory& where, launch_shape shape, device_handle const& h, ring const* host_rings,
                                      Kernel kernel, Arguments... arguments) {
    auto* const gpu = dynamic_cast<cuda_memory*>(&where);
    if (!gpu) return {};
    void* pointers[] = {&kernel, &arguments...};
    auto* const function = reinterpret_cast<void const*>(&run_on_cuda<Kernel, Arguments...>);
    return std::make_unique<cuda_run>(*gpu, shape, function, pointers, h, host_rings);
}

/// The memory of a GPU, if there is a GPU. From now on, this thread uses this GPU.
inline std::shared_ptr<memory> native_memory(chosen_device const& device) {
    if (device.emulated) return std::make_shared<host_memory>(device.name);
    refuse_cuda_in_tasks();
    auto const found = find_cuda_devices();
    // If a GPU exists but is not used, only longer run times would show it.
    if (found.too_old)
        throw error{error_kind::environment, "CUDA devices cannot be used", found.why_not,
                    "install a newer driver, compile with an older toolkit, or set SODE_DEVICE=emulated"};
    if (found.count == 0 && device.needed)
        throw error{error_kind::environment, "there is no CUDA device", found.why_not,
                    "set SODE_DEVICE=emulated to try a program without a device"};
    if (found.count == 0) return std::make_shared<host_memory>(device.name);
    if (device.number >= found.count)
        throw error{error_kind::environment, "there is no device cuda:" + std::to_string(device.number),
                    "this machine has " + std::to_string(found.count) + ", numbered from 0",
                    "name one of them in SODE_DEVICE, or none"};
    check(cudaSetDevice(device.number >= 0 ? device.number : device.place % found.count), "cudaSetDevice");
    return std::make_shared<cuda_memory>();
}

} // namespace sode::gmpi::detail
