// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/error.hpp>

#include <cuda_runtime.h>

#include <string>

namespace sode::internal::cuda {

/// Errors: environment, if `status` is one; CUDA is asked nothing about it afterwards.
inline void must(cudaError_t status, std::string const& problem, std::string const& suggestion = "look at what nvidia-smi says") {
    if (status == cudaSuccess) return;
    static_cast<void>(cudaGetLastError());
    throw error{error_kind::environment, problem, cudaGetErrorString(status), suggestion};
}

/// Calls of this thread are for that device from now on: ranks may be threads of one process.
inline void select(int device) {
    must(cudaSetDevice(device), "device cuda:" + std::to_string(device) + " cannot be used");
}

} // namespace sode::internal::cuda
