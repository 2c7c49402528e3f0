// SPDX-License-Identifier: Apache-2.0
// libsode-device-cuda.so: the devices of CUDA, for src/device.
#include "base/warn.hpp"
#include "device/cuda/plugin.hpp"
#include "device/shared_blocks.hpp"

#include "cuda_queue.cuh"
#include "ipc_blocks.cuh"
#include "kept_blocks.cuh"
#include "mapped_ranges.cuh"

#include <sode/detail/gmpi/cuda_start.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace sode::internal::cuda {
namespace {

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

/// Memory of one device, by cudaMalloc. Ranks of one process reach each other's; other processes map it.
class cuda_memory final : public memory_provider {
public:
    cuda_memory(int device, device_terms const& terms)
        : device_(device), whole_pages_(!terms.shared.one_address_space()), kept_(std::make_shared<kept_blocks>(device)),
          blocks_(std::make_unique<ipc_blocks>(device, terms.is_private), terms) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "cuda"; }
    [[nodiscard]] std::byte* allocate(std::size_t bytes) override {
        select(device_);
        bytes = room_for(bytes);
        auto* const block = kept_->take(bytes);
        clear(block, bytes);
        blocks_.add(block, bytes);
        return block;
    }
    void release(std::byte* block, std::size_t bytes) noexcept override {
        blocks_.remove(block, [kept = kept_, block, bytes = room_for(bytes)] { kept->keep(block, bytes); });
    }
    [[nodiscard]] handle tell(std::byte* place) override { return blocks_.tell(place); }
    [[nodiscard]] std::byte* open(int host, handle const& from) override { return blocks_.open(host, from); }
    void close(std::byte* place, bool again) noexcept override { blocks_.close(place, again); }
    [[nodiscard]] std::optional<found> find(std::byte const* place) const override { return blocks_.find(place); }
    [[nodiscard]] std::byte* open_found(int host, found const& place) override { return blocks_.open(host, place); }

    [[nodiscard]] bool locks_host() const noexcept override { return true; }
    void map_host(std::byte* first, std::size_t bytes) override {
        select(device_);
        mapped_ranges::of_process().add(first, bytes);
    }
    void unmap_host(std::byte* first, std::size_t /*bytes*/) noexcept override { mapped_ranges::of_process().remove(first); }

private:
    [[nodiscard]] std::size_t room_for(std::size_t bytes) const noexcept {
        return whole_pages_ ? ipc_blocks::whole_pages(bytes) : bytes;
    }
    // By a stream that waits for nothing: other ranks' kernels on this device may wait for this rank.
    static void clear(std::byte* block, std::size_t bytes) {
        constexpr char const* problem = "memory of a device cannot be cleared";
        cudaStream_t alone = nullptr;
        must(cudaStreamCreateWithFlags(&alone, cudaStreamNonBlocking), problem);
        auto status = cudaMemsetAsync(block, 0, bytes, alone);
        if (status == cudaSuccess) status = cudaStreamSynchronize(alone);
        cudaStreamDestroy(alone);
        must(status, problem);
    }

    int device_;
    bool whole_pages_;
    std::shared_ptr<kept_blocks> kept_;
    shared_blocks blocks_;
};

// As the kernel of the host says; -1: it does not.
int socket_of(int device) {
    char bus[32]{};
    if (cudaDeviceGetPCIBusId(bus, sizeof bus, device) != cudaSuccess) return -1;
    std::string name{bus};
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    int node = -1;
    std::ifstream{"/sys/bus/pci/devices/" + name + "/numa_node"} >> node;
    return node < 0 ? -1 : node;
}

class cuda_device final : public accelerator {
public:
    cuda_device(int number, device_terms const& terms)
        : number_(number), memory_(number, terms) {
        select(number_);
        if (!attribute(cudaDevAttrCanUseHostPointerForRegisteredMem, number_))
            throw error{error_kind::environment, name() + " cannot be used", "it cannot access host memory at the host's addresses",
                        "use another device, or set SODE_DEVICE=emulated"};
        int count = 0;
        must(cudaGetDeviceCount(&count), "there are no devices");
        for (int other = 0; other < count; ++other) reach(other);
    }

    [[nodiscard]] std::string name() const override {
        cudaDeviceProp facts{};
        must(cudaGetDeviceProperties(&facts, number_), "the properties of a device cannot be read");
        return std::string{facts.name} + " (cuda:" + std::to_string(number_) + ")";
    }
    [[nodiscard]] bool emulated() const noexcept override { return false; }
    [[nodiscard]] memory_provider& memory() noexcept override { return memory_; }
    [[nodiscard]] std::unique_ptr<device_queue> make_queue(queue_use use) override {
        return std::make_unique<cuda_queue>(number_, use == queue_use::program ? program_ : nullptr);
    }
    [[nodiscard]] int socket() const override { return socket_of(number_); }
    [[nodiscard]] bool reaches_peers() const noexcept override { return reaches_all_; }
    [[nodiscard]] std::shared_ptr<void> enter() override { return nullptr; }
    // Memory is used again without CUDA's knowledge.
    void settle() noexcept override {
        cudaSetDevice(number_);
        if (!program_->settle())
            warn("an array is destroyed while a stream still has work", "it waits for another rank, or for itself",
                 "call synchronize() before you destroy arrays");
    }

private:
    void reach(int other) {
        if (other == number_) return;
        int can = 0;
        if (cudaDeviceCanAccessPeer(&can, number_, other) != cudaSuccess || !can) {
            reaches_all_ = false;
            return;
        }
        if (cudaDeviceEnablePeerAccess(other, 0) != cudaSuccess) static_cast<void>(cudaGetLastError()); // another rank has done so
    }

    int number_;
    std::shared_ptr<open_streams> program_ = std::make_shared<open_streams>();
    cuda_memory memory_;
    bool reaches_all_ = true;
};

class all_devices final : public cuda_devices {
public:
    explicit all_devices(int count) noexcept : count_(count) {}
    [[nodiscard]] int count() const noexcept override { return count_; }
    [[nodiscard]] device_facts facts(int number) const override {
        cudaDeviceProp said{};
        must(cudaGetDeviceProperties(&said, number), "the properties of a device cannot be read");
        device_facts f;
        f.name = std::string{said.name} + " (cuda:" + std::to_string(number) + ")";
        f.bytes = said.totalGlobalMem;
        f.socket = socket_of(number);
        f.maps_host = said.canMapHostMemory != 0;
        f.peers = true;
        for (int other = 0; other < count_; ++other) {
            int can = other == number;
            if (other != number) cudaDeviceCanAccessPeer(&can, number, other);
            f.peers = f.peers && can;
        }
        return f;
    }
    [[nodiscard]] std::unique_ptr<accelerator> open(int number, device_terms const& terms) override {
        return std::make_unique<cuda_device>(number, terms);
    }

private:
    int count_;
};

} // namespace
} // namespace sode::internal::cuda

extern "C" {
[[gnu::visibility("default")]] char const* sode_device_plugin_version() {
    return SODE_VERSION;
}

[[gnu::visibility("default")]] sode::internal::cuda_devices* sode_device_plugin_devices(char* why) {
    constexpr std::size_t room = 256;
    auto const found = sode::gmpi::detail::find_cuda_devices();
    if (found.count == 0) {
        std::snprintf(why, room, "CUDA: %s", found.why_not.c_str());
        return nullptr;
    }
    static sode::internal::cuda::all_devices devices{found.count};
    return &devices;
}
}
