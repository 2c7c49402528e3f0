// SPDX-License-Identifier: Apache-2.0
#include "gmpi/windows.hpp"

#include <utility>

namespace sode::internal::kernels {

windows::~windows() {
    for (auto const& w : all_)
        for (auto const& p : w.parts) ranks_.memory.end_of(p.where, p.seen);
}

int windows::add(std::byte* own, std::vector<part> parts) {
    all_.push_back({own, std::move(parts)});
    return static_cast<int>(all_.size()) - 1;
}

void windows::put(gmpi::detail::entry const& e, goal const& whose) {
    auto const target = static_cast<int>(e.peer);
    if (e.window >= all_.size()) return tells_.over(whose, code::usage, 0);
    auto const& to = all_[e.window].parts[e.peer];
    if (e.offset > to.bytes || e.bytes > to.bytes - e.offset) return tells_.over(whose, code::usage, 0);
    auto& peer = ranks_[target];
    if (peer.gone) return tells_.over(whose, code::peer, 0);

    frame const f{.kind = frame_kind::put, .communicator = e.window, .tag = e.signal, .offset = e.offset, .where = e.value};
    auto const* const data = reachable::pointer_to(e.address);
    if (!to.seen && e.bytes != 0)
        return peer.leaving.add({.of = departure::kind::stream, .said = f, .data = data, .bytes = e.bytes, .whose = whose});
    if (e.bytes != 0)
        peer.leaving.add({.of = departure::kind::copy, .data = data, .bytes = e.bytes, .to = to.seen + e.offset, .whose = whose});
    if (e.signal != 0) peer.leaving.add({.said = f, .whose = e.bytes == 0 ? whose : goal{}});
    if (e.signal == 0 && e.bytes == 0) tells_.over(whose, code::ok, 0);
}

void windows::signal(int peer, std::uint32_t which, word value) {
    if (!ranks_[peer].gone) ranks_[peer].leaving.add({.said = {.kind = frame_kind::put, .tag = which + 1, .where = value}});
}

bool windows::read(frame const& f, std::byte const* payload) {
    if (f.kind != frame_kind::put) return false;
    if (f.length != 0) {
        auto const copy = memory_.begin_copy(all_[f.communicator].own + f.offset, payload, f.length);
        while (copy != 0 && !memory_.is_over(copy)) {
        } // out of a frame that is about to be another's
    }
    if (f.tag != 0) raise(f.tag, f.where);
    return true;
}

void windows::raise(std::uint32_t from_1, word value) {
    if (from_1 > signals_.count) return;
    counts_[from_1 - 1] += value;
    memory_.tell(signals_.words + from_1 - 1, signals_in_, counts_[from_1 - 1]);
}

} // namespace sode::internal::kernels
