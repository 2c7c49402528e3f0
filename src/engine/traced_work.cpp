// SPDX-License-Identifier: Apache-2.0
#include "engine/traced_work.hpp"

#include "plan/describe.hpp"

#include <fmt/format.h>

namespace sode::internal {
namespace {

using verb = traced_work::verb;

verb verb_of(plan const& p, descriptor const& d, int peer) {
    switch (d.op) {
    case operation::inline_put: return verb::put;
    case operation::inline_get: return verb::get;
    case operation::pack: return verb::pack;
    case operation::unpack: return verb::unpack;
    case operation::copy: break;
    default: return verb::other;
    }
    auto const &from = p.buffers[d.src], &to = p.buffers[d.dst];
    // The wide halves of a stage: between it and private memory.
    if (to.role == buffer_role::stage) return verb::pack;
    if (from.role == buffer_role::stage) return verb::unpack;
    if (from.role != buffer_role::array || to.role != buffer_role::array) return verb::other;
    return peer < 0 || peer == p.rank ? verb::self : verb::pull;
}

std::string name_of(traced_work const& w) {
    switch (w.what) {
    case verb::pack: return "pack";
    case verb::put: return w.peer < 0 ? "put in line" : fmt::format("put in line for rank {}", w.peer);
    case verb::pull: return fmt::format("pull from rank {}", w.peer);
    case verb::unpack: return w.peer < 0 ? "unpack" : fmt::format("unpack from rank {}", w.peer);
    case verb::get: return fmt::format("get in line from rank {}", w.peer);
    case verb::self: return "copy to itself";
    case verb::other: break;
    }
    return w.peer < 0 ? std::string{to_string(w.op)} : fmt::format("{}, rank {}", to_string(w.op), w.peer);
}

// Does the work bring the edge of that note? What leaves a rank is noted at its target.
bool brings(traced_work const& w, edge_note const& n, int rank) {
    bool const self = n.peer < 0 || n.peer == rank;
    if (w.what == verb::self) return self;
    if (self || n.peer != w.peer) return false;
    bool const in_line = n.chosen == "inline", pulled = n.chosen == "pull" || n.chosen == "reference";
    if (w.what == verb::pull) return pulled;
    if (w.what == verb::get) return in_line;
    return w.what == verb::unpack && !in_line && !pulled;
}

trace_subject::edge edge_of(edge_note const& n) {
    return {.peer = n.peer, .direction = direction_of(n), .bytes = n.rows * n.row_bytes, .channel = n.chosen};
}

} // namespace

std::optional<traced_work> work_of(plan const& p, descriptor const& d, int stream_peer) {
    switch (d.op) {
    case operation::end:
    case operation::signal:
    case operation::wait:
    case operation::credit:
    case operation::loop:
    case operation::end_loop: return std::nullopt;
    default: break;
    }
    int const peer = d.peer >= 0 ? d.peer : stream_peer;
    auto const what = verb_of(p, d, peer);
    // What a verb says already must not make two of one piece of work: the wide copy of a stage is part of packing.
    return traced_work{what, what == verb::other ? d.op : operation::copy, peer};
}

trace_subject subject_of(plan const& p, traced_work const& w, std::int64_t bytes) {
    trace_subject s{.name = name_of(w), .bytes = bytes, .edges = {}};
    for (auto const& n : p.notes)
        if (brings(w, n, p.rank)) s.edges.push_back(edge_of(n));
    return s;
}

trace_subject subject_of(plan const& p) {
    trace_subject s{.name = p.name, .bytes = 0, .edges = {}};
    for (auto const& n : p.notes) {
        s.edges.push_back(edge_of(n));
        s.bytes += s.edges.back().bytes;
    }
    return s;
}

} // namespace sode::internal
