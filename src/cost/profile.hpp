// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/distance.hpp"
#include "cost/network.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sode::internal {

/// Measured constants of moving bytes between two cores that share memory. Times in nanoseconds.
struct pair_costs {
    double flag = 0;        ///< one way from store to load of a counter
    double stream_byte = 0; ///< a byte of a wide copy out of the other core's cache
    double row = 0;         ///< starting one more row of 48 bytes or more at the other core
    double short_row = 0;   ///< one row of less than 48 bytes at the other core: a cache miss of its own
    double stage_byte = 0;  ///< a byte of a shared stage that is read or written element by element
    /// A computed byte that is stored where the other core has read: the line must come back from its cache. Wide copies need not
    /// read the lines that they write.
    double reclaim_byte = 0;
};

/// Measured constants of a message of derived datatypes between two cores that share memory. Times in nanoseconds.
struct datatype_costs {
    double mpi = 0;          ///< a message that is left to MPI, beyond its rows and bytes,
    double mpi_asking = 0;   ///< and beyond that one that MPI does not send without asking the receiver
    double mpi_row = 0;      ///< a row that MPI packs or unpacks,
    double mpi_list_row = 0; ///< and one of an indexed type
    double mpi_byte = 0;     ///< a byte through MPI, both its copies
    double handshake = 0;    ///< a control record instead of the message, and word back that the copy is done
    double line = 0;         ///< a cache line out of the other core's cache that is used as a whole,
    double sparse_line = 0;  ///< one of which less than half is used;
    double push = 0;         ///< a line written into the other core's cache as a whole,
    double sparse_push = 0;  ///< and one of which less than half is written
    double stage_byte = 0;   ///< a byte through a stage in shared memory, beyond packing and unpacking its rows,
    double stage = 0;        ///< and the message, beyond the handshake
    double page = 0;         ///< a page of the other one's memory on which rows lie
};

/// Measured constants of a message between two machines, or between two ranks that share no memory. Times in nanoseconds.
struct message_costs {
    double overhead = 300;            ///< host time for one message, at each end
    double latency = 1500;            ///< from send to arrival, beyond the overheads
    double byte = 0.1;                ///< a byte on the wire
    double host_byte = 0.05;          ///< host time a byte: copies that the library makes for want of a network card that does
    std::int64_t eager_bytes = 65536; ///< messages up to this travel without asking the receiver first
};                                    // The defaults are guesses until somebody measures them.

/// What it costs to start plans and to run them, by who does (src/engine). Times in nanoseconds. Guesses until somebody measures
/// them.
struct engine_costs {
    double start = 100;          ///< of the caller, by engine inline or thread
    double wake = 200;           ///< until another core has seen what one has written for it: a thread, or a caller that waits
    double thread = 0;           ///< of planning, where a thread is made for it; 0: there is a pool
    double doorbell = 100;       ///< of the caller, by engine triggered,
    double queued = 10;          ///< and for each descriptor that it hands to a queue
    double made = 50;            ///< of planning, for each of these
    double packet = 100;         ///< of a network interface: the least time from one message to the next
    double trigger = 100;        ///< of a network interface, from an arrival to what it moves on
    double loopback = 500;       ///< from a packet of a network interface to its own machine to the queue that it moves on
    std::int64_t interfaces = 1; ///< that a machine has, each with the network's rate
    double yield = 1000;         ///< of a core that ranks share, until the next of them runs when one has nothing to do
};

/// What it costs to move bytes between devices of a machine, by how they are connected; and messages of their memory. Times in
/// nanoseconds. Guesses until somebody measures them.
struct device_pair_costs {
    double word = 1000;      ///< until a queue has seen a word that another device, or the host, has set
    double byte = 0.001;     ///< between devices that reach each other on one side of the machine, or within one
    double far_word = 1500;  ///< the same between devices at different sockets,
    double far_byte = 0.1;   ///< whose link is slow (paper P0: 290 MB/s)
    double host_byte = 0.04; ///< over the bus to pinned memory, or from it
    double turn = 8000;      ///< of a queue, for one more segment: to wait for a word, to begin a copy, and to set a word
    /// Of an MPI that takes memory of devices; it goes by the host, or in a pipeline, as its size says. Empty: as memory of the
    /// host.
    std::vector<network_protocol> messages{};
};

/// What moving bytes costs between the cores of one class of pairs.
struct pair_class {
    pair_costs memory;
    datatype_costs datatypes;
};

/// A machine, as the chooser sees it. Shipped defaults come from docs/decisions/0003; `sode tune` measures them and writes a file
/// (profile_file.hpp, docs/profile.md).
struct profile {
    std::string name = "default";
    /// By distance. Near as fitted on a Sapphire Rapids; datatypes far times as much as it was on a Zen 5: no such pair was seen
    /// since.
    std::array<pair_class, 2> pairs{{
        {{60, 0.020, 5, 3.0, 0.020, 0.020}, {1140, 580, 1.25, 2.25, 0.094, 1550, 3.75, 5.0, 4.5, 5.0, 0.16, 0, 2}},
        {{270, 0.060, 35, 22.0, 0.200, 0.130}, {1700, 1200, 2.4, 4.4, 0.23, 2400, 7.5, 17.5, 22, 5.8, 0.36, 0, 4}},
    }};
    double pack_row = 0.5;            ///< gather or scatter of one short row in the own cache
    double far_row_page = 6.0;        ///< for each page that rows lie on, beyond the first `cached_pages`
    std::int64_t cached_pages = 4096; ///< pages whose address translations a core keeps
    double local_byte = 0.008;        ///< a byte of a wide copy within the own cache
    double local_byte_big = 0.05;     ///< the same when the buffers exceed `cache_bytes`
    std::int64_t cache_bytes = 100 << 10;
    std::int64_t page_bytes = 4096;
    std::int64_t chunk_bytes = 4096;   ///< what is packed and unpacked at a time by stage-chunks
    std::int64_t short_row_bytes = 48; ///< rows below this are short
    std::int64_t bridged_gap = 128;    ///< bytes between rows that a prefetcher reads across

    double copied_row = 0.2;     ///< starting one row of a copy from layout to layout
    double packed_row = 1.17;    ///< a row that is packed into a stage, or unpacked
    double missed_line = 2.3;    ///< a line that neither core's cache holds
    double new_layout = 150e3;   ///< making a layout of a datatype at each end of a message, and the copies between them,
    double new_layout_entry = 8; ///< and for each number that describes the datatype
    std::int64_t core_cache_bytes = 2 << 20;    ///< of the cache that a core has for itself
    std::int64_t shared_copy_bytes = 16 << 10;  ///< in lines; below, a copy is over before a second core has begun
    std::int64_t least_message_bytes = 4 << 10; ///< up to here a message of datatypes is over before a control record has paid

    message_costs network{};
    engine_costs engines{};
    device_pair_costs devices{};
    /// Where machines reach each other in several ways at once: for choose_networks(). Empty: `network` is the only one.
    std::vector<sode::internal::network> networks{};

    /// Of ranks that share memory: `d` is no other machine.
    [[nodiscard]] pair_class& of(distance d) noexcept { return pairs[static_cast<std::size_t>(d)]; }
    [[nodiscard]] pair_class const& of(distance d) const noexcept { return pairs[static_cast<std::size_t>(d)]; }
};

} // namespace sode::internal
