// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/portable.hpp>

namespace sode::gmpi::detail {

/// A ring of requests. Threads of a device fill the ring; one thread, by default the host's manager, takes the requests out. All
/// threads use the same pointers. Positions count units and are never reset. All memory is initially zero.
struct ring {
    word* units = nullptr;      ///< two words each; in host memory to which the device can store
    word* tail = nullptr;       ///< units taken out; near the units, on its own cache line; written by the reader
    word* head = nullptr;       ///< units claimed; in device memory: the host never reads it
    word* tail_cache = nullptr; ///< a value of `tail` that a thread has read; in device memory
    word size = 0;              ///< units, a power of two, at least one long entry
};

/// Requests in progress.
struct slots {
    word* free = nullptr;       ///< one bit for each slot: 1 if free; in device memory
    word* generation = nullptr; ///< generation of each slot, written by the last owner of the slot; in device memory
    word* state = nullptr;      ///< state of each slot, written only by the host; in mapped host memory or in device memory
    word* hint = nullptr;       ///< where to start the search; in device memory
    std::uint32_t count = 0;    ///< up to 2^20
    word* short_data = nullptr; ///< data of short messages that have arrived, short_words for each slot; written only by the host;
                                ///< null: the host always copies
    word* target = nullptr;     ///< where the receive of each slot wants its data; in device memory
};

/// The maximum length of messages that are sent in the words of requests. For such messages, no device memory is copied.
constexpr std::uint32_t short_words = 4, short_bytes = short_words * sizeof(word);

/// Numbered words.
struct word_table {
    word* words = nullptr;
    std::uint32_t count = 0;
};

/// Terminates a context early.
struct alarm {
    word* host = nullptr;   ///< set by the host: a code
    word* device = nullptr; ///< set by the first device thread whose wait fails; device memory
    word* report = nullptr; ///< five words that tell the host which wait failed; report_told is written last
    word deadline = 0;      ///< longest wait in nanoseconds; 0: no limit
};

/// Index of each word of a report.
enum report_word : std::uint32_t { report_told, report_site, report_request, report_seen, report_expected, report_words };

/// The places where a thread of a device waits.
enum class site : std::uint32_t { none, room_on_ring, free_slot, request, exchange, signal, part };

} // namespace sode::gmpi::detail
