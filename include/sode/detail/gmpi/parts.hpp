// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/portable.hpp>

namespace sode::gmpi::detail {

/// A ring of requests between threads of a device, who fill it, and one thread, which takes them out: by default the host's
/// manager. Its memory, as all see it. Positions count units and never reset. All of it is zero at first.
struct ring {
    word* units = nullptr;      ///< two words each; host memory that the device can store to
    word* tail = nullptr;       ///< units that were taken out; beside them, on a line of its own, written by who takes
    word* head = nullptr;       ///< units that were claimed; device memory: the host never looks
    word* tail_cache = nullptr; ///< what some thread has seen of `tail`; device memory
    word size = 0;              ///< units, a power of two, at least one long entry
};

/// Requests that are under way.
struct slots {
    word* free = nullptr;       ///< a bit each: 1 if free; device memory
    word* generation = nullptr; ///< of each slot, as its last owner left it; device memory
    word* state = nullptr;      ///< of each slot, written by the host alone; mapped host memory or device memory
    word* hint = nullptr;       ///< where to look first; device memory
    std::uint32_t count = 0;    ///< up to 2^20
};

/// Words by number.
struct word_table {
    word* words = nullptr;
    std::uint32_t count = 0;
};

/// The end of a context before its time.
struct alarm {
    word* host = nullptr;   ///< set by the host: a code
    word* device = nullptr; ///< set by a thread of the device, by the first alone; device memory
    word* report = nullptr; ///< what that thread waited for: five words for the host, `told` the last
    word deadline = 0;      ///< of a wait, nanoseconds; 0: none
};

/// Which place of a report holds what.
enum report_word : std::uint32_t { report_told, report_site, report_request, report_seen, report_expected, report_words };

/// Where a thread of a device waits.
enum class site : std::uint32_t { none, room_on_ring, free_slot, request, exchange, signal, part };

} // namespace sode::gmpi::detail
