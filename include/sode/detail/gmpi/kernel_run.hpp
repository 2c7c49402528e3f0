// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>

namespace sode::gmpi::detail {

/// A kernel that was launched, wherever it runs.
class SODE_API kernel_run {
public:
    kernel_run() = default;
    virtual ~kernel_run() = default;
    kernel_run(kernel_run const&) = delete;
    kernel_run& operator=(kernel_run const&) = delete;
    [[nodiscard]] virtual bool is_over() = 0;
    /// Once it is over. Errors: what a thread of it has thrown; environment, if the device says that it has failed.
    virtual void end() = 0;
};

} // namespace sode::gmpi::detail
