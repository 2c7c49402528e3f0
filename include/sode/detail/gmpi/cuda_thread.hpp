// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/cuda_platform.hpp>
#include <sode/detail/gmpi/groups.hpp>

#include <cooperative_groups.h>

// Only nvcc includes this file.

namespace sode::gmpi {

/// The threads of a block on a GPU.
struct cuda_block {
    __device__ std::uint32_t thread_rank() const { return threadIdx.x; }
    __device__ std::uint32_t size() const { return blockDim.x; }
    __device__ void sync() const { __syncthreads(); }
    __device__ std::uint32_t broadcast(std::uint32_t value) const {
        __shared__ std::uint32_t told;
        if (threadIdx.x == 0) told = value;
        __syncthreads();
        std::uint32_t const result = told;
        __syncthreads();
        return result;
    }
    __device__ static detail::cuda_platform platform() { return {}; }
};

namespace detail {
template <> struct broadcast_of<cooperative_groups::thread_block> {
    __device__ static std::uint32_t broadcast(cooperative_groups::thread_block const&, std::uint32_t value) {
        return cuda_block{}.broadcast(value);
    }
};
} // namespace detail

/// The threads of a warp on a GPU.
struct cuda_warp {
    __device__ std::uint32_t thread_rank() const { return threadIdx.x % warpSize; }
    __device__ std::uint32_t size() const {
        std::uint32_t const rest = blockDim.x - threadIdx.x / warpSize * warpSize;
        return rest < warpSize ? rest : warpSize;
    }
    __device__ void sync() const { __syncwarp(mask()); }
    __device__ std::uint32_t broadcast(std::uint32_t value) const { return __shfl_sync(mask(), value, 0); }
    __device__ static detail::cuda_platform platform() { return {}; }

private:
    __device__ unsigned mask() const { return size() == 32 ? 0xffffffffU : (1U << size()) - 1; }
};

struct cuda_single {
    __device__ static constexpr std::uint32_t thread_rank() { return 0; }
    __device__ static constexpr std::uint32_t size() { return 1; }
    __device__ static constexpr void sync() {}
    __device__ static detail::cuda_platform platform() { return {}; }
};

/// A thread of a GPU kernel, with the same interface as emulated_thread.
struct cuda_thread {
    static constexpr std::uint32_t warp_size = 32;
    __device__ std::uint32_t block_rank() const { return blockIdx.x; }
    __device__ std::uint32_t blocks() const { return gridDim.x; }
    __device__ std::uint32_t thread_rank() const { return threadIdx.x; }
    __device__ std::uint32_t threads() const { return blockDim.x; }
    __device__ cuda_block block() const { return {}; }
    __device__ cuda_warp warp() const { return {}; }
    __device__ cuda_single thread() const { return {}; }
    __device__ cooperative_groups::grid_group grid() const { return cooperative_groups::this_grid(); }
};

} // namespace sode::gmpi
