// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>

#include <cstdint>
#include <string>

namespace sode::gmpi::detail {

/// What a running kernel has of a device. Ranks that are threads of one process may share a device, and their kernels wait for each
/// other. Each alone may fit where both do not, and then one would wait for ever for what never starts.
class SODE_API device_share {
public:
    /// `blocks` of the `most` that the device could hold of this kernel alone. Errors: usage, if kernels of this process that have
    /// not been waited for leave too little.
    device_share(std::string device, std::uint32_t blocks, std::uint32_t most);
    ~device_share();
    device_share(device_share const&) = delete;
    device_share& operator=(device_share const&) = delete;

private:
    std::string device_;
    std::uint64_t parts_;
};

} // namespace sode::gmpi::detail
