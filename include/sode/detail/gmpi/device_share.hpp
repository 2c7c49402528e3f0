// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>

#include <cstdint>
#include <string>

namespace sode::gmpi::detail {

/// The share of a device that a running kernel takes. Ranks that are threads of one process may share a device, and their kernels
/// wait for each other. If two kernels do not fit on the device together, one waits for ever for the other, which never starts.
class SODE_API device_share {
public:
    /// Takes `blocks` blocks; `most`: how many blocks of this kernel an idle device holds. Errors: usage, if too little is left by
    /// kernels of this process that have not been waited for.
    device_share(std::string device, std::uint32_t blocks, std::uint32_t most);
    ~device_share();
    device_share(device_share const&) = delete;
    device_share& operator=(device_share const&) = delete;

private:
    std::string device_;
    std::uint64_t parts_;
};

} // namespace sode::gmpi::detail
