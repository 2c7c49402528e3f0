// SPDX-License-Identifier: Apache-2.0
#include "gmpi/transfers.hpp"

#include <algorithm>
#include <cstring>

namespace sode::internal::kernels {

namespace {
code fit(word bytes, word room) {
    return bytes > room ? code::truncated : code::ok;
}
} // namespace

void transfers::send(envelope const& to, std::byte const* data, word bytes, goal const& whose) {
    auto& peer = ranks_[to.peer];
    if (peer.gone) return tells_.over(whose, code::peer, 0);
    frame f{.kind = frame_kind::message, .communicator = to.communicator, .tag = to.tag, .bytes = bytes};
    if (bytes <= peer.link->most_payload()) {
        f.length = static_cast<std::uint32_t>(bytes);
        return peer.leaving.add({.of = departure::kind::frame, .said = f, .data = data, .whose = whose});
    }
    auto const where = ranks_.memory.for_peer(to.peer, data);
    f.kind = frame_kind::offer;
    f.from = sends_.add({to.peer, data, bytes, whose});
    f.reached = where.how;
    f.where = where.where;
    f.block = where.block;
    peer.leaving.add({.of = departure::kind::frame, .said = f});
}

void transfers::send_short(envelope const& to, word const* data, word bytes, goal const& whose) {
    auto& peer = ranks_[to.peer];
    if (peer.gone) return tells_.over(whose, code::peer, 0);
    departure d{.said = {.kind = frame_kind::message, .communicator = to.communicator, .tag = to.tag, .bytes = bytes},
                .whose = whose};
    d.said.length = static_cast<std::uint32_t>(bytes);
    std::memcpy(d.own.data(), data, bytes);
    peer.leaving.add(d);
}

void transfers::receive_from(envelope const& from, receive const& r) {
    if (auto const a = matcher_.match(from, r)) return take(from, r, *a);
    if (ranks_[from.peer].gone)
        for (auto const& none : matcher_.give_up(from.peer)) tells_.over(none.whose, code::peer, 0);
}

void transfers::take(envelope const& of, receive const& r, arrival const& a) {
    if (a.said.kind == frame_kind::offer) return begin(of.peer, r, a.said);
    arrive(r, a.bytes.data(), a.said.bytes);
}

void transfers::arrive(receive const& r, std::byte const* payload, word bytes) {
    auto const fits = std::min(bytes, r.room);
    if (tells_.deliver(r.whose, fit(bytes, r.room), payload, fits)) return;
    put_into(r, 0, payload, fits);
    tells_.over(r.whose, fit(bytes, r.room), fits);
}

void transfers::put_into(receive const& r, word at, std::byte const* payload, word bytes) {
    if (bytes == 0) return;
    auto const copy = memory_.begin_copy(r.to + at, payload, bytes);
    while (copy != 0 && !memory_.is_over(copy)) {
    } // a few KB out of a frame that is about to be another's
}

bool transfers::read(int peer, frame const& f, std::byte const* payload) {
    switch (f.kind) {
    case frame_kind::message:
    case frame_kind::offer: {
        envelope const of{f.communicator, peer, f.tag};
        auto const r = matcher_.match(of);
        if (!r)
            matcher_.keep(of, {f, {payload, payload + f.length}});
        else if (f.kind == frame_kind::offer)
            begin(peer, *r, f);
        else
            arrive(*r, payload, f.bytes);
        return true;
    }
    case frame_kind::accept: // the rest, if the receive has less room, stays here
        if (auto const* const s = sends_.find(f.to)) {
            auto const whose = s->whose;
            ranks_[peer].leaving.add({.of = departure::kind::stream,
                                      .said = {.kind = frame_kind::piece, .to = f.from},
                                      .data = s->data,
                                      .bytes = f.bytes,
                                      .whose = whose});
            sends_.remove(f.to);
        }
        return true;
    case frame_kind::piece:
        if (auto* const a = arriving_.find(f.to)) {
            put_into(a->into, f.offset, payload, f.length);
            a->done += f.length;
            if (a->done == a->wanted) end(f.to, *a, fit(a->bytes, a->into.room));
        }
        return true;
    case frame_kind::over:
        if (auto const* const s = sends_.find(f.to)) {
            auto const done = *s;
            sends_.remove(f.to);
            tells_.over(done.whose, f.how, done.bytes);
        }
        return true;
    default: return false;
    }
}

void transfers::begin(int peer, receive const& r, frame const& offer) {
    arriving a{.peer = peer, .into = r, .bytes = offer.bytes, .wanted = std::min(offer.bytes, r.room), .offer = offer.from};
    a.told = {offer.reached, offer.where, offer.block};
    if (offer.reached != reach::not_at_all && a.wanted != 0) a.source = ranks_.memory.at(peer, a.told);
    auto const number = arriving_.add(a);
    if (!a.source && a.wanted != 0)
        ranks_[peer].leaving.add({.said = {.kind = frame_kind::accept, .from = number, .to = offer.from, .bytes = a.wanted}});
    else if (a.wanted == 0)
        end(number, a, fit(a.bytes, r.room));
}

void transfers::end(std::uint32_t number, arriving const& a, code how) {
    auto const done = a;
    arriving_.remove(number);
    ranks_.memory.end_of(done.told, done.source);
    if (done.source || done.wanted == 0) ranks_[done.peer].leaving.add({.said = {.kind = frame_kind::over, .to = done.offer}});
    tells_.over(done.into.whose, how, done.done);
}

bool transfers::pull(std::uint32_t number, arriving& a) {
    auto const now = std::min<word>(a.wanted - a.done, memory_.most_of_a_copy());
    if (a.copy == 0)
        a.copy = memory_.begin_copy(a.into.to + a.done, a.source + a.done, now);
    else if (!memory_.is_over(a.copy))
        return false;
    else
        a.copy = 0;
    if (a.copy != 0) return true;
    a.done += now;
    if (a.done == a.wanted) end(number, a, fit(a.bytes, a.into.room));
    return true;
}

bool transfers::go() {
    bool any = false;
    arriving_.each([&](std::uint32_t number, arriving& a) {
        if (a.source) any |= pull(number, a);
    });
    return any;
}

bool transfers::awaits(int peer) {
    bool found = false;
    sends_.each([&](std::uint32_t, sending const& s) { found |= s.peer == peer; });
    arriving_.each([&](std::uint32_t, arriving const& a) { found |= a.peer == peer; });
    return found || matcher_.waits_for(peer);
}

void transfers::give_up(int peer, code why) {
    for (auto const& r : matcher_.give_up(peer)) tells_.over(r.whose, why, 0);
    sends_.each([&](std::uint32_t number, sending const& s) {
        if (s.peer != peer) return;
        auto const whose = s.whose;
        sends_.remove(number);
        tells_.over(whose, why, 0);
    });
    arriving_.each([&](std::uint32_t number, arriving const& a) {
        if (a.peer != peer) return;
        auto const whose = a.into.whose;
        ranks_.memory.end_of(a.told, a.source);
        arriving_.remove(number);
        tells_.over(whose, why, 0);
    });
}

} // namespace sode::internal::kernels
