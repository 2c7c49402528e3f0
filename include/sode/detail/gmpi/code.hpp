// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/portable.hpp>

namespace sode::gmpi {

/// How something ended, as a kernel gets it. No wait of a kernel lasts for ever, and none ends a kernel.
enum class code : std::uint8_t {
    ok = 0,
    would_block, ///< not now: of try_ functions and of test()
    timeout,     ///< options::deadline has passed; the context is of no further use
    aborted,     ///< the host, or another thread whose wait has failed, ended the context
    peer,        ///< the other rank has died
    truncated,   ///< the message was longer than the memory for it
    transport,   ///< what carries messages between machines has failed
    usage,       ///< a rank, tag, window or number that does not exist
    stale        ///< no such request: it was waited for before
};

} // namespace sode::gmpi
