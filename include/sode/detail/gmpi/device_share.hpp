// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>

#include <cstdint>
#include <string>

namespace sode::gmpi::detail {

/// The share of a device that a running kernel occupies. Ranks that are threads of one process may share a device, and their
/// kernels wait for each other. If two kernels do not fit on the device together, the second kernel never starts, and the first
/// kernel waits forever.
class SODE_API device_share {
public:
    /// Occupies `blocks` blocks. `most` is the number of blocks of the kernel that an idle device can hold. Throws a usage error if
    /// unfinished kernels of this process leave too little room on the device.
    device_share(std::string device, std::uint32_t blocks, std::uint32_t most);
    ~device_share();
    device_share(device_share const&) = delete;
    device_share& operator=(device_share const&) = delete;

private:
    std::string device_;
    std::uint64_t parts_;
};

} // namespace sode::gmpi::detail
