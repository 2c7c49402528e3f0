// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/portable.hpp>

namespace sode::gmpi {

/// Options of a context. The description of each member says whether the member must be equal on all ranks. The defaults are
/// suitable for most programs.
struct options {
    /// The number of rings between device and host, 1 to 8. Messages to different ranks use different rings, in turn.
    std::uint32_t rings = 1;
    /// The number of requests that a ring can hold, a power of two.
    std::uint32_t entries = 256;
    /// The maximum number of requests in progress, up to 2^20.
    std::uint32_t requests = 1024;
    /// The number of signals of a rank. Must be equal on all ranks.
    std::uint32_t signals = 256;
    /// The total number of parts of all partitioned messages that this rank receives.
    std::uint32_t parts = 1024;
    /// The maximum time in seconds of a wait in a kernel; 0: SODE_TIMEOUT, or no limit if SODE_TIMEOUT is not set.
    double deadline = 0;
    /// The words that report completed requests are in device memory. Which choice is faster depends on the machine.
    bool state_on_device = false;
    /// A resident kernel forwards requests from device to host, as in the GMPI paper (docs/references.md). The option is for
    /// comparison only.
    bool two_hops = false;
};

} // namespace sode::gmpi
