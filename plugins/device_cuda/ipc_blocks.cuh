// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device/block_driver.hpp"
#include "status.cuh"

#include <cstring>

namespace sode::internal::cuda {

/// CUDA IPC: a ticket is what cudaIpcGetMemHandle says of a block of cudaMalloc.
class ipc_blocks final : public block_driver {
public:
    ipc_blocks(int device, bool gives_none) noexcept : device_(device), gives_none_(gives_none) {}

    /// Small blocks of cudaMalloc share pages, and who maps one of them gets the page.
    [[nodiscard]] static std::size_t whole_pages(std::size_t bytes) noexcept {
        constexpr std::size_t page = std::size_t{2} << 20;
        return (bytes + page - 1) / page * page;
    }

    [[nodiscard]] std::string issue(std::byte* block, ticket& t) override {
        if (gives_none_) return "SODE_DEVICE makes the memory of this device private";
        select(device_);
        cudaIpcMemHandle_t handle;
        static_assert(sizeof handle <= sizeof t);
        if (auto const status = cudaIpcGetMemHandle(&handle, block); status != cudaSuccess) return reason("cudaIpcGetMemHandle", status);
        std::memcpy(t.data(), &handle, sizeof handle);
        return {};
    }
    [[nodiscard]] std::byte* map(ticket const& t, process_identity const& /*owner*/, std::size_t /*bytes*/, std::string& why_not) override {
        select(device_);
        cudaIpcMemHandle_t handle;
        std::memcpy(&handle, t.data(), sizeof handle);
        void* block = nullptr;
        auto const status = cudaIpcOpenMemHandle(&block, handle, cudaIpcMemLazyEnablePeerAccess);
        if (status == cudaSuccess) return static_cast<std::byte*>(block);
        why_not = reason("cudaIpcOpenMemHandle", status);
        return nullptr;
    }
    void unmap(std::byte* block, std::size_t /*bytes*/) noexcept override {
        cudaSetDevice(device_);
        cudaIpcCloseMemHandle(block);
    }
    [[nodiscard]] bool maps_own() const noexcept override { return false; } // CUDA refuses that

private:
    static std::string reason(char const* call, cudaError_t status) {
        static_cast<void>(cudaGetLastError());
        return std::string{call} + ": " + cudaGetErrorString(status);
    }

    int device_;
    bool gives_none_;
};

} // namespace sode::internal::cuda
