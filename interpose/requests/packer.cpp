// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/packer.hpp"

#include "base/clock.hpp"
#include "interpose/datatypes/packed_form.hpp"
#include "interpose/requests/statuses.hpp"
#include "interpose/transport/waiting_since.hpp"

#include <algorithm>
#include <array>
#include <climits>

namespace sode::internal::interpose {

namespace {

constexpr std::size_t most_spare = 8;

auto nonblocking(call_table const& functions, send_mode mode) {
    return mode == send_mode::synchronous ? functions.issend : mode == send_mode::ready ? functions.irsend : functions.isend;
}
auto blocking(call_table const& functions, send_mode mode) {
    return mode == send_mode::synchronous ? functions.ssend : mode == send_mode::ready ? functions.rsend : functions.send;
}

} // namespace

bool packer::is_between(MPI_Count count, MPI_Datatype type, MPI_Comm communicator, int peer) {
    if (peer < 0 || surely_predefined(type) || !on_.is_long(count, type)) return false;
    int const rank = on_.communicators().in_world(communicator, peer);
    return rank >= 0 && !on_.here().neighbour(rank) && rank != on_.here().rank();
}

packer::remembered const& packer::recall(message_layout const& form, own_ends ours, MPI_Datatype type) {
    // Layouts are named for ever, so what is remembered stays true.
    constexpr std::size_t messages = 64;
    thread_local std::array<remembered, messages> known;
    remembered& r = known[(2 * form.id().serial + (ours == own_ends::source ? 0U : 1U)) % messages];
    if (r.owner == identity_ && r.id == form.id() && r.ours == ours) return r;
    r = {identity_, form.id(), ours};
    bool const understood = ours == own_ends::target || can_be_sent_packed(type);
    r.packable = !form.contiguous() && form.bytes() <= INT_MAX && understood;
    message_features m;
    m.bytes = form.bytes();
    m.source = m.target = {pattern::contiguous, 1, m.bytes, 0, 1.0};
    (ours == own_ends::source ? m.source : m.target) = form.how();
    m.ours = ours;
    m.apart = distance::far;
    m.least_bytes = on_.least_bytes();
    m.eager_bytes = on_.eager_bytes();
    r.by_model = choose(m, on_.here().costs(), on_.forced()).how;
    if (on_.knows_paths() && r.packable) r.learnt = on_.learnt().of(form.id(), m, on_.here().costs());
    return r;
}

std::optional<packer::considered> packer::consider(MPI_Count count, MPI_Datatype type, MPI_Comm communicator, int peer,
                                                   own_ends ours) {
    if (!is_between(count, type, communicator, peer)) return std::nullopt;
    considered c;
    try {
        auto const* const known = on_.types().known(type, count);
        if (known == nullptr && !(on_.layout_pays(type, count) && on_.is_committed(type, count))) return std::nullopt;
        c.form = known != nullptr ? *known : on_.types().find(type, count);
    } catch (error const&) {
        return std::nullopt; // a type that only MPI understands
    }
    remembered const& r = recall(*c.form, ours, type);
    if (!r.packable) return std::nullopt;
    auto const p = r.learnt != nullptr ? r.learnt->next(std::nullopt) : learnt_path::proposal{};
    bool const packs = p.how.value_or(r.by_model) == message_path::staged;
    if (!packs && !p.timed) return std::nullopt;
    if (p.timed) c.end.learnt = r.learnt;
    c.end.bytes = c.form->bytes();
    if (packs) c.end.room = room_of(c.end.bytes);
    return c;
}

std::unique_ptr<std::byte[]> packer::room_of(std::int64_t bytes) {
    {
        std::lock_guard const lock{mutex_};
        auto const at = std::find_if(spare_.begin(), spare_.end(), [&](spare const& s) { return s.bytes == bytes; });
        if (at != spare_.end()) {
            auto room = std::move(at->room);
            spare_.erase(at);
            return room;
        }
    }
    return std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
}

void packer::give_back(packed_end& end) {
    if (!end.room) return;
    std::lock_guard const lock{mutex_};
    if (spare_.size() == most_spare) spare_.erase(spare_.begin());
    spare_.push_back({std::move(end.room), end.bytes});
}

void packer::pack(considered& c, void const* buffer) {
    run(programs_.find(*c.form, packed_form(c.end.bytes))->whole, c.end.room.get(), static_cast<std::byte const*>(buffer));
}

void packer::unpack(packed_end const& end, landing const& where, MPI_Status const& status) {
    std::int64_t const came = std::min(bytes_of(status), end.bytes);
    if (came <= 0 || was_cancelled(status)) return;
    if (report* const told = on_.told(); told != nullptr && end.is_short) told->unpack_short(came);
    run(programs_.find(packed_form(came), *where.form)->whole, where.buffer, end.room.get());
}

/// Who is as fast as MPI is no better: programs overlap what MPI does with what they compute, and not what we do.
void packer::tell(packed_end const& end, std::int64_t took_ns) noexcept {
    if (end.learnt == nullptr || took_ns <= 0) return;
    if (end.room)
        end.learnt->note(message_path::staged, took_ns + took_ns / 20);
    else
        end.learnt->note(message_path::plain, took_ns);
}

void packer::count(send_arguments const& a, considered const& c, std::int64_t spent_ns) {
    report* const told = on_.told();
    if (told == nullptr) return;
    if (!c.end.room)
        told->leave(left_alone::no_gain, c.end.bytes);
    else
        told->end(told->begin(a.buffer, a.count, a.type, c.end.bytes), message_path::staged, c.end.bytes, spent_ns);
}

std::optional<int> packer::send_packed(entry const& call, send_arguments const& a, send_mode mode) {
    auto c = consider(a.count, a.type, a.communicator, a.destination, own_ends::source);
    if (!c) return std::nullopt;
    auto const begun = now_ns();
    int result = MPI_SUCCESS;
    if (c->end.room) {
        pack(*c, a.buffer);
        count(a, *c, now_ns() - begun);
        result = blocking(call.next(), mode)(c->end.room.get(), static_cast<int>(c->end.bytes), MPI_PACKED, a.destination, a.tag,
                                             a.communicator);
    } else {
        count(a, *c, 0);
        result = blocking(call.next(), mode)(a.buffer, static_cast<int>(a.count), a.type, a.destination, a.tag, a.communicator);
    }
    if (result == MPI_SUCCESS) tell(c->end, now_ns() - begun);
    give_back(c->end);
    return result;
}

std::optional<int> packer::isend_packed(entry const& call, send_arguments const& a, send_mode mode, MPI_Request* request) {
    auto c = consider(a.count, a.type, a.communicator, a.destination, own_ends::source);
    if (!c) return std::nullopt;
    auto const begun = now_ns();
    int result = MPI_SUCCESS;
    if (c->end.room) {
        pack(*c, a.buffer);
        count(a, *c, now_ns() - begun);
        result = nonblocking(call.next(), mode)(c->end.room.get(), static_cast<int>(c->end.bytes), MPI_PACKED, a.destination, a.tag,
                                                a.communicator, request);
    } else {
        count(a, *c, 0);
        result = nonblocking(call.next(), mode)(a.buffer, static_cast<int>(a.count), a.type, a.destination, a.tag, a.communicator,
                                                request);
    }
    if (result != MPI_SUCCESS) return result;
    c->end.spent_ns = now_ns() - begun;
    tracked_request t;
    t.communicator = a.communicator;
    t.packed = std::make_unique<packed_end>(std::move(c->end));
    requests_.put(*request, std::make_unique<tracked_request>(std::move(t)));
    return MPI_SUCCESS;
}

std::optional<int> packer::receive_packed(entry const& call, receive_arguments const& a, MPI_Status& status) {
    auto c = consider(a.count, a.type, a.communicator, a.source, own_ends::target);
    if (!c) return std::nullopt;
    auto const begun = now_ns();
    int result = MPI_SUCCESS;
    if (c->end.room) {
        result = call.next().recv(c->end.room.get(), static_cast<int>(c->end.bytes), MPI_PACKED, a.source, a.tag, a.communicator,
                                  &status);
        if (result == MPI_SUCCESS) unpack(c->end, {static_cast<std::byte*>(a.buffer), c->form}, status);
    } else {
        result = call.next().recv(a.buffer, static_cast<int>(a.count), a.type, a.source, a.tag, a.communicator, &status);
    }
    if (result == MPI_SUCCESS) tell(c->end, now_ns() - begun);
    give_back(c->end);
    return result;
}

std::optional<int> packer::ireceive_packed(entry const& call, receive_arguments const& a, MPI_Request* request) {
    auto c = consider(a.count, a.type, a.communicator, a.source, own_ends::target);
    if (!c) return std::nullopt;
    auto const begun = now_ns();
    int const result =
        c->end.room ? call.next().irecv(c->end.room.get(), static_cast<int>(c->end.bytes), MPI_PACKED, a.source, a.tag,
                                        a.communicator, request)
                    : call.next().irecv(a.buffer, static_cast<int>(a.count), a.type, a.source, a.tag, a.communicator, request);
    if (result != MPI_SUCCESS) return result;
    c->end.spent_ns = now_ns() - begun;
    tracked_request t;
    t.communicator = a.communicator;
    t.receives = true;
    t.match = {a.source, a.tag};
    t.where = {static_cast<std::byte*>(a.buffer), std::move(c->form)};
    t.packed = std::make_unique<packed_end>(std::move(c->end));
    requests_.put(*request, std::make_unique<tracked_request>(std::move(t)));
    return MPI_SUCCESS;
}

void packer::unpack(tracked_request& t, MPI_Status const& status) {
    if (t.packed->room) unpack(*t.packed, t.where, status);
}

void packer::conclude(tracked_request& t, MPI_Status const& status, int result) {
    packed_end& end = *t.packed;
    if (t.receives && !t.arrived && result == MPI_SUCCESS) unpack(t, status);
    // Of what nobody waited for, nobody knows how long it took.
    auto const waited = waiting_since::for_ns();
    if (result == MPI_SUCCESS && !t.arrived && waited > 0) tell(end, end.spent_ns + waited);
    give_back(end);
}

} // namespace sode::internal::interpose
