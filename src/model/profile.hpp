// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/distance.hpp"
#include "model/network.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sode {

/// Measured constants of moving bytes between two cores that share memory. Times in nanoseconds.
struct pair_costs {
    double flag = 0;        ///< one way from store to load of a counter
    double stream_byte = 0; ///< a byte of a wide copy out of the other core's cache
    double row = 0;         ///< starting one more row of 48 bytes or more at the other core
    double short_row = 0;   ///< one row of less than 48 bytes at the other core: a cache miss of its own
    double stage_byte = 0;  ///< a byte of a shared stage that is read or written element by element
};

/// Measured constants of a message between two nodes, or between two ranks that share no memory. Times in nanoseconds.
struct message_costs {
    double overhead = 300;            ///< host time for one message, at each end
    double latency = 1500;            ///< from send to arrival, beyond the overheads
    double byte = 0.1;                ///< a byte on the wire
    double host_byte = 0.05;          ///< host time a byte: copies that the library makes for want of a network card that does
    std::int64_t eager_bytes = 65536; ///< messages up to this travel without asking the receiver first
};                                    // The defaults are guesses until somebody measures them.

/// A machine, as the chooser sees it. Shipped defaults come from docs/decisions/0003; `sode tune` measures them and writes a file
/// (profile_file.hpp, docs/profile.md).
struct profile {
    std::string name = "default";
    pair_costs near{60, 0.020, 5, 3.0, 0.020};
    pair_costs far{270, 0.060, 35, 22.0, 0.200};
    double pack_row = 0.5;            ///< gather or scatter of one short row in the own cache
    double far_row_page = 6.0;        ///< for each page that rows lie on, beyond the first `cached_pages`
    std::int64_t cached_pages = 4096; ///< pages whose address translations a core keeps
    double local_byte = 0.008;        ///< a byte of a wide copy within the own cache
    double local_byte_big = 0.05;     ///< the same when the buffers exceed `cache_bytes`
    std::int64_t cache_bytes = 100 << 10;
    std::int64_t page_bytes = 4096;
    std::int64_t chunk_bytes = 4096;   ///< what is packed and unpacked at a time by method::stage_chunks
    std::int64_t short_row_bytes = 48; ///< rows below this are short
    std::int64_t bridged_gap = 128;    ///< bytes between rows that a prefetcher reads across

    message_costs network{};
    /// Where nodes reach each other in several ways at once: for choose_networks(). Empty: `network` is the only one.
    std::vector<sode::network> networks{};

    /// Of ranks that share memory.
    [[nodiscard]] pair_costs const& at(distance d) const noexcept { return d == distance::near ? near : far; }
};

} // namespace sode
