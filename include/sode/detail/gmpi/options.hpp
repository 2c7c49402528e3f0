// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/portable.hpp>

namespace sode::gmpi {

/// Options of a context. The description of a member says whether it must be equal on all ranks. The defaults fit most programs.
struct options {
    /// Rings between device and host, 1 to 8. Messages to different ranks use different rings, in turn.
    std::uint32_t rings = 1;
    /// Requests that a ring holds, a power of two.
    std::uint32_t entries = 256;
    /// Maximum number of requests in progress, up to 2^20.
    std::uint32_t requests = 1024;
    /// Signals of a rank. Equal on all ranks.
    std::uint32_t signals = 256;
    /// Parts of all partitioned messages that this rank receives.
    std::uint32_t parts = 1024;
    /// Seconds that a wait in a kernel may take; 0: SODE_TIMEOUT, or no limit if SODE_TIMEOUT is not set.
    double deadline = 0;
    /// The words that report complete requests are in device memory. Which is faster depends on the machine.
    bool state_on_device = false;
    /// A resident kernel forwards requests from device to host, as in the GMPI paper (docs/references.md). For comparison.
    bool two_hops = false;
};

} // namespace sode::gmpi
