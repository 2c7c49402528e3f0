// SPDX-License-Identifier: Apache-2.0
#include "engine/traced_work.hpp"

#include "plan/describe.hpp"

#include <fmt/format.h>

namespace sode::internal {
namespace {

using verb = traced_work::verb;

verb verb_of(schedule const& p, descriptor const& d, int peer) {
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
    if (peer < 0 || peer == p.rank) return verb::self;
    return to.host == p.rank ? verb::pull : verb::store;
}

std::string name_of(traced_work const& w) {
    switch (w.what) {
    case verb::pack: return "pack";
    case verb::put: return w.peer < 0 ? "put in line" : fmt::format("put in line for rank {}", w.peer);
    case verb::pull: return fmt::format("pull from rank {}", w.peer);
    case verb::store: return fmt::format("store at rank {}", w.peer);
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
    bool const in_line = n.chosen == "inline", pulled = n.chosen == "pull" || n.chosen == "device-pull" || n.chosen == "reference";
    bool const stored = n.chosen == "device-push"; // by its source
    if (w.what == verb::pull) return pulled;
    if (w.what == verb::get) return in_line;
    return w.what == verb::unpack && !in_line && !pulled && !stored;
}

trace_subject::edge edge_of(edge_note const& n) {
    return {.peer = n.peer, .direction = direction_of(n), .bytes = n.rows * n.row_bytes, .channel = n.chosen};
}

// Bytes that a descriptor moves in an epoch; `times` it runs.
std::int64_t moved_by(schedule const& p, descriptor const& d, std::int64_t times) {
    return d.program < p.programs.size() && moves_data(d.op) ? times * p.programs[d.program].bytes : 0;
}

} // namespace

std::optional<traced_work> work_of(schedule const& p, descriptor const& d, int stream_peer) {
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

trace_subject subject_of(traced_work const& w, std::int64_t bytes) {
    return {.name = name_of(w), .bytes = bytes, .edges = {}};
}

trace_subject subject_of(plan const& p, traced_work const& w, std::int64_t bytes) {
    auto s = subject_of(w, bytes);
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

std::vector<std::uint32_t> add_work(trace_log& log, schedule const& p,
                                    std::function<trace_subject(traced_work const&, std::int64_t bytes)> const& describe) {
    std::vector work(p.descriptors.size(), no_work);
    for (auto const& s : p.streams) {
        std::optional<traced_work> last;
        std::vector<std::size_t> members;
        std::vector<std::int64_t> times{1}; // that what is here runs, loop by loop
        std::int64_t bytes = 0;
        auto const finish = [&] {
            if (last) {
                auto const subject = log.add(describe(*last, bytes));
                for (auto const m : members) work[m] = subject;
            }
            members.clear();
            bytes = 0;
        };
        for (std::size_t i = s.first;; ++i) {
            auto const& d = p.descriptors[i];
            if (d.op == operation::loop) times.push_back(times.back() * d.argument);
            if (d.op == operation::end_loop) times.pop_back();
            // A loop goes on with what it is in, or every iteration would be a piece of its own.
            if (d.op == operation::loop || d.op == operation::end_loop) {
                work[i] = work_as_before;
                continue;
            }
            auto const one = work_of(p, d, s.peer);
            if (one != last) {
                finish();
                last = one;
            }
            members.push_back(i);
            bytes += moved_by(p, d, times.back());
            if (d.op == operation::end) break;
        }
        finish();
    }
    return work;
}

} // namespace sode::internal
