// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>

namespace sode::gmpi::detail {

/// A launched kernel, on any device.
class SODE_API kernel_run {
public:
    kernel_run() = default;
    virtual ~kernel_run() = default;
    kernel_run(kernel_run const&) = delete;
    kernel_run& operator=(kernel_run const&) = delete;
    [[nodiscard]] virtual bool is_over() = 0;
    /// Called after the kernel has finished. Rethrows an exception of the kernel's threads. Throws an environment error if the
    /// device reports a failure.
    virtual void end() = 0;
};

} // namespace sode::gmpi::detail
