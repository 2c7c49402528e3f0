// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/profile.hpp"

#include <concepts>

namespace sode::internal {

/// Calls f(name, field) for every field, in the order of the file. One list for reading, writing and for the test that holds
/// docs/profile.md against it. `P` is the struct or a const of it.
template <class P, class F>
requires std::same_as<std::remove_const_t<P>, pair_costs>
void each_field(P& c, F&& f) {
    f("flag", c.flag);
    f("stream_byte", c.stream_byte);
    f("row", c.row);
    f("short_row", c.short_row);
    f("stage_byte", c.stage_byte);
    f("reclaim_byte", c.reclaim_byte);
}

template <class P, class F>
requires std::same_as<std::remove_const_t<P>, datatype_costs>
void each_field(P& c, F&& f) {
    f("mpi", c.mpi);
    f("mpi_asking", c.mpi_asking);
    f("mpi_row", c.mpi_row);
    f("mpi_list_row", c.mpi_list_row);
    f("mpi_byte", c.mpi_byte);
    f("handshake", c.handshake);
    f("line", c.line);
    f("sparse_line", c.sparse_line);
    f("push", c.push);
    f("sparse_push", c.sparse_push);
    f("stage_byte", c.stage_byte);
    f("stage", c.stage);
    f("page", c.page);
}

template <class P, class F>
requires std::same_as<std::remove_const_t<P>, message_costs>
void each_field(P& c, F&& f) {
    f("overhead", c.overhead);
    f("latency", c.latency);
    f("byte", c.byte);
    f("host_byte", c.host_byte);
    f("eager_bytes", c.eager_bytes);
}

template <class P, class F>
requires std::same_as<std::remove_const_t<P>, engine_costs>
void each_field(P& c, F&& f) {
    f("start", c.start);
    f("wake", c.wake);
    f("thread", c.thread);
    f("doorbell", c.doorbell);
    f("queued", c.queued);
    f("made", c.made);
    f("packet", c.packet);
    f("trigger", c.trigger);
    f("loopback", c.loopback);
    f("interfaces", c.interfaces);
    f("yield", c.yield);
}

template <class P, class F>
requires std::same_as<std::remove_const_t<P>, network_protocol>
void each_field(P& c, F&& f) {
    f("up_to_bytes", c.up_to_bytes);
    f("overhead", c.overhead);
    f("latency", c.latency);
    f("byte", c.byte);
    f("host_byte", c.host_byte);
}

template <class P, class F>
requires std::same_as<std::remove_const_t<P>, device_pair_costs>
void each_field(P& c, F&& f) {
    f("word", c.word);
    f("byte", c.byte);
    f("far_word", c.far_word);
    f("far_byte", c.far_byte);
    f("host_byte", c.host_byte);
    f("turn", c.turn);
    f("messages", c.messages);
}

template <class P, class F>
requires std::same_as<std::remove_const_t<P>, network>
void each_field(P& n, F&& f) {
    f("name", n.name);
    f("protocols", n.protocols);
    f("strided_from", n.strided_from);
    f("row", n.row);
    f("pack", n.pack);
    f("pack_row", n.pack_row);
    f("pack_byte", n.pack_byte);
    f("serial", n.serial);
    f("within", n.within);
    f("links", n.links);
}

template <class P, class F>
requires std::same_as<std::remove_const_t<P>, profile>
void each_field(P& p, F&& f) {
    f("name", p.name);
    f("near", p.of(distance::near).memory);
    f("far", p.of(distance::far).memory);
    f("pack_row", p.pack_row);
    f("far_row_page", p.far_row_page);
    f("cached_pages", p.cached_pages);
    f("local_byte", p.local_byte);
    f("local_byte_big", p.local_byte_big);
    f("cache_bytes", p.cache_bytes);
    f("page_bytes", p.page_bytes);
    f("chunk_bytes", p.chunk_bytes);
    f("short_row_bytes", p.short_row_bytes);
    f("bridged_gap", p.bridged_gap);
    f("datatypes_near", p.of(distance::near).datatypes);
    f("datatypes_far", p.of(distance::far).datatypes);
    f("copied_row", p.copied_row);
    f("packed_row", p.packed_row);
    f("missed_line", p.missed_line);
    f("new_layout", p.new_layout);
    f("new_layout_entry", p.new_layout_entry);
    f("core_cache_bytes", p.core_cache_bytes);
    f("shared_copy_bytes", p.shared_copy_bytes);
    f("least_message_bytes", p.least_message_bytes);
    f("network", p.network);
    f("engines", p.engines);
    f("devices", p.devices);
    f("networks", p.networks);
}

static_assert(sizeof(pair_costs) == 6 * 8 && sizeof(datatype_costs) == 13 * 8 && sizeof(pair_class) == 19 * 8 &&
                  sizeof(message_costs) == 5 * 8 && sizeof(engine_costs) == 11 * 8 &&
                  sizeof(device_pair_costs) == 6 * 8 + sizeof(std::vector<network_protocol>) && sizeof(network_protocol) == 5 * 8 &&
                  sizeof(network) == sizeof(std::string) + sizeof(std::vector<network_protocol>) + 8 * 8 &&
                  sizeof(profile) == sizeof(std::string) + 2 * sizeof(pair_class) + 18 * 8 + sizeof(message_costs) +
                                         sizeof(engine_costs) + sizeof(device_pair_costs) + sizeof(std::vector<network>),
              "add a new field to each_field and to docs/profile.md");

} // namespace sode::internal
