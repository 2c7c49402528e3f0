// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/portable.hpp>

namespace sode::gmpi {

/// How a context is made. Numbers are equal on all ranks where the words say so; each has a default that fits most programs.
struct options {
    /// Rings between device and host, 1 to 8. Messages to different ranks go by different ones, by turns.
    std::uint32_t rings = 1;
    /// Requests that a ring holds, a power of two.
    std::uint32_t entries = 256;
    /// Requests that can be under way at a time, up to 2^20.
    std::uint32_t requests = 1024;
    /// Signals that a rank has. Equal on all ranks.
    std::uint32_t signals = 256;
    /// Parts of all partitioned messages that come.
    std::uint32_t parts = 1024;
    /// Seconds that a wait of a kernel may last; 0: for ever, or as SODE_TIMEOUT says.
    double deadline = 0;
    /// Words that say that a request is over lie in memory of the device. Which is faster depends on the machine.
    bool state_on_device = false;
    /// A resident kernel between device and host, as in paper P2, to compare.
    bool two_hops = false;
};

} // namespace sode::gmpi
