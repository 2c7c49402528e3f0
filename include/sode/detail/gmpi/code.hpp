// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/portable.hpp>

namespace sode::gmpi {

/// The result of an operation in a kernel. Every wait in a kernel ends eventually, and no error terminates the kernel itself.
enum class code : std::uint8_t {
    ok = 0,
    would_block, ///< not possible now (from try_ functions and test())
    timeout,     ///< a wait took longer than options::deadline; the context cannot be used any more
    aborted,     ///< the host, or another thread whose wait failed, ended the context
    peer,        ///< the other rank has died
    truncated,   ///< the message was longer than the buffer
    transport,   ///< a message between machines failed
    usage,       ///< a rank, tag, window or number that does not exist
    stale        ///< there is no such request, because it was already waited for
};

} // namespace sode::gmpi
