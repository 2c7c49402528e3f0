// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/sender.hpp"
#include "base/clock.hpp"
#include "interpose/requests/completed_request.hpp"
#include "interpose/transport/signature.hpp"

#include <array>
#include <climits>
#include <cstring>

namespace sode::internal::interpose {

sender::remembered const& sender::recall(send_arguments const& a, message_layout const& form, int receiver) {
    // Layouts are named for ever, so what is remembered stays true.
    constexpr std::size_t messages = 64;
    thread_local std::array<remembered, messages> known;
    remembered& r = known[form.id().serial % messages];
    distance const apart = on_.here().apart(receiver);
    if (r.record_bytes != 0 && r.id == form.id() && r.apart == apart && r.mutual == a.mutual) return r;
    message_features m;
    m.bytes = form.bytes();
    m.source = m.target = form.how();
    m.apart = apart;
    m.mutual = a.mutual;
    m.reachable = on_.here().reachable(receiver);
    m.least_bytes = on_.least_bytes();
    m.eager_bytes = on_.eager_bytes();
    r = {form.id(), apart, a.mutual, record_bytes(a.type, a.count).value_or(-1), propose(m, on_.here().costs()), nullptr};
    if (on_.knows_paths() && r.record_bytes > 0) r.learnt = on_.learnt().of(form.id(), m, on_.here().costs());
    // As long as packing takes, at most half of that: whoever waits for nothing then loses little.
    r.patience_ns = static_cast<std::int64_t>(500 * predict(m, message_path::staged, on_.here().costs()));
    return r;
}

std::optional<sender::considered> sender::consider(send_arguments const& a, bool learns, int uses) {
    if (a.destination == MPI_PROC_NULL) return std::nullopt; // no message
    int const receiver = on_.communicators().in_world(a.communicator, a.destination);
    if (!on_.here().neighbour(receiver)) return on_.leave(left_alone::elsewhere, length_of(a.count, a.type));
    parcel p;
    try {
        auto const* const known = on_.types().known(a.type, a.count);
        if (known == nullptr && !on_.layout_pays(a.type, a.count, uses))
            return on_.leave(left_alone::new_type, length_of(a.count, a.type));
        if (known == nullptr && !on_.is_committed(a.type, a.count))
            return on_.leave(left_alone::unknown, length_of(a.count, a.type));
        p.form = known != nullptr ? *known : on_.types().find(a.type, a.count);
    } catch (error const&) {
        return on_.leave(left_alone::unknown, length_of(a.count, a.type));
    }
    bool const reachable = on_.here().reachable(receiver);
    std::int64_t const bytes = p.form->bytes();
    if (p.form->contiguous() && ((!on_.forced() && !reachable) || bytes <= on_.eager_bytes()))
        return on_.leave(left_alone::contiguous, bytes);
    remembered const& r = recall(a, *p.form, receiver);
    if (r.record_bytes < 0) return on_.leave(left_alone::unknown, bytes);
    p.look = on_.here().distances().owes_look(receiver);
    learnt_path::proposal learnt;
    std::int64_t looked_ns = 0; // part of what a message costs where nobody wonders, too
    if (learns && r.learnt != nullptr && r.learnt->wonders()) looked_ns = outbox_.catch_up();
    if (r.learnt != nullptr && !p.look)
        learnt = learns ? r.learnt->next(on_.here().followed().next(receiver, static_cast<std::uint64_t>(bytes)))
                        : learnt_path::proposal{r.learnt->kept(), false, false};
    if (learnt.timed) p.learns = r.learnt, p.sent_ns = now_ns() - looked_ns;
    bool const leave = learnt.how ? *learnt.how == message_path::plain : r.what == proposal::leave;
    if (!on_.forced() && leave && !p.look) {
        p.receiver = receiver;
        p.tag = a.tag;
        if (learnt.timed) outbox_.ask_of_mpi(p);
        return on_.leave(left_alone::no_gain, bytes);
    }
    bool const packed = learnt.how ? *learnt.how == message_path::staged : r.what == proposal::pack;
    bool const late = !packed && outbox_.expects_late(receiver);
    if (late) p.learns = nullptr; // nobody waits for it
    bool const better_staged = packed || late || (!learnt.how && outbox_.expects_stage(receiver, *p.form));
    p.stage = !reachable || on_.forced() == message_path::staged || (!on_.forced() && !p.look && better_staged);
    if (learnt.how) p.wanted = static_cast<std::uint8_t>(*learnt.how);
    // MPI would have sent that without a receiver; so do we, if need be.
    p.reserve = bytes <= on_.eager_bytes();
    p.mutual = a.mutual;
    p.together = learnt.together;
    p.patience_ns = r.patience_ns;
    p.buffer = static_cast<std::byte const*>(a.buffer);
    p.receiver = receiver;
    p.tag = a.tag;
    if (report* const told = on_.told()) p.row = told->begin(a.buffer, a.count, a.type, bytes);
    return considered{std::move(p), r.record_bytes};
}

std::optional<sender::offer> sender::make_offer(send_arguments const& a, bool stage) {
    auto c = consider(a, !stage, 1);
    if (!c) return std::nullopt;
    c->what.stage = c->what.stage || stage;
    auto const slot = outbox_.open(c->what);
    if (!slot) return on_.leave(left_alone::no_room, c->what.form->bytes());
    return offer{*slot, c->record_bytes};
}

int sender::await(std::uint32_t slot, MPI_Comm communicator) {
    // The receiver may be waiting for what MPI has to send first.
    constexpr unsigned rarely = 64;
    try {
        outbox_.await(slot, [this, asked = 0U]() mutable {
            receiver_.progress();
            if (++asked % rarely == 0) on_.give_mpi_its_turn();
        });
    } catch (error const& e) {
        return foundation::raise(communicator, on_.code_of(e));
    }
    return MPI_SUCCESS;
}

std::optional<int> sender::send(entry const& call, send_arguments const& a, send_mode mode) {
    auto const o = make_offer(a, false);
    if (!o) return std::nullopt;
    auto const* const message = outbox_.record_of(o->slot).data();
    // A synchronous send ends when its record is met, not before; what is packed meanwhile costs nothing.
    MPI_Request met = MPI_REQUEST_NULL;
    int const sent = mode == send_mode::synchronous
                         ? call.next().issend(message, o->record_bytes, MPI_BYTE, a.destination, a.tag, a.communicator, &met)
                     : mode == send_mode::ready
                         ? call.next().rsend(message, o->record_bytes, MPI_BYTE, a.destination, a.tag, a.communicator)
                         : call.next().send(message, o->record_bytes, MPI_BYTE, a.destination, a.tag, a.communicator);
    if (sent != MPI_SUCCESS) {
        outbox_.withdraw(o->slot);
        return sent;
    }
    bool const staged = outbox_.fill(o->slot);
    int const result = staged ? MPI_SUCCESS : await(o->slot, a.communicator);
    if (met != MPI_REQUEST_NULL) mpi_itself().wait(&met, MPI_STATUS_IGNORE);
    return result;
}

namespace {

auto nonblocking(call_table const& functions, send_mode mode) {
    return mode == send_mode::synchronous ? functions.issend : mode == send_mode::ready ? functions.irsend : functions.isend;
}

auto persistent(call_table const& functions, send_mode mode) {
    return mode == send_mode::synchronous ? functions.ssend_init
           : mode == send_mode::ready     ? functions.rsend_init
                                          : functions.send_init;
}

} // namespace

std::optional<int> sender::isend(entry const& call, send_arguments const& a, send_mode mode, MPI_Request* request) {
    auto const o = make_offer(a, false);
    if (!o) return std::nullopt;
    MPI_Request going = MPI_REQUEST_NULL;
    int const sent = nonblocking(call.next(), mode)(outbox_.record_of(o->slot).data(), o->record_bytes, MPI_BYTE, a.destination,
                                                    a.tag, a.communicator, &going);
    if (sent != MPI_SUCCESS) {
        outbox_.withdraw(o->slot);
        return sent;
    }
    if (outbox_.fill(o->slot)) { // all that remains is MPI's
        *request = going;
        return MPI_SUCCESS;
    }
    if (mode == send_mode::synchronous) {
        *request = going; // the buffer may be free long before the record is met
    } else {
        // What the user waits for is ours; the record is on its way, and lies in the slot until it has come.
        mpi_itself().request_free(&going);
        *request = completed_request();
    }
    tracked_request t;
    t.communicator = a.communicator;
    t.slot = o->slot;
    requests_.put(*request, std::make_unique<tracked_request>(std::move(t)));
    return MPI_SUCCESS;
}

std::optional<int> sender::sendrecv(entry const& call, send_arguments const& s, receive_arguments const& r, MPI_Status* status) {
    if (prober_.has_peeked())
        if (auto const result = prober_.sendrecv(call, s, r, status)) return result;
    if (!on_.concerns(s.count, s.type)) return std::nullopt;
    send_arguments out = s;
    out.mutual = true;
    auto const o = make_offer(out, false);
    if (!o) return std::nullopt;
    wanted_status came{status};
    std::array<MPI_Request, 2> both{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    // Counts beyond int come from MPI_Sendrecv_c alone, which leaves them to MPI.
    int result = call.next().irecv(r.buffer, static_cast<int>(r.count), r.type, r.source, r.tag, r.communicator, &both[0]);
    if (result != MPI_SUCCESS) {
        outbox_.withdraw(o->slot);
        return result;
    }
    result = call.next().isend(outbox_.record_of(o->slot).data(), o->record_bytes, MPI_BYTE, s.destination, s.tag, s.communicator,
                               &both[1]);
    if (result != MPI_SUCCESS) {
        outbox_.withdraw(o->slot);
        PMPI_Cancel(both.data());
        mpi_itself().wait(both.data(), MPI_STATUS_IGNORE);
        return result;
    }
    bool const staged = outbox_.fill(o->slot);
    result = receiver_.received(r, *came, call.next().wait(both.data(), came.get()));
    mpi_itself().wait(&both[1], MPI_STATUS_IGNORE);
    int const moved = staged ? MPI_SUCCESS : await(o->slot, s.communicator);
    return result != MPI_SUCCESS ? result : moved;
}

std::optional<int> sender::sendrecv_replace(entry const& call, send_arguments const& s, receive_arguments const& r,
                                            MPI_Status* status) {
    if (prober_.has_peeked())
        if (auto const result = prober_.sendrecv(call, s, r, status)) return result;
    if (!on_.concerns(s.count, s.type)) return std::nullopt;
    // What comes lands where what goes has been: it is packed first, so the receive cannot begin before.
    auto const o = make_offer(s, true);
    if (!o) return std::nullopt;
    outbox_.fill(o->slot);
    wanted_status came{status};
    int const result =
        call.next().sendrecv(outbox_.record_of(o->slot).data(), o->record_bytes, MPI_BYTE, s.destination, s.tag, r.buffer,
                             static_cast<int>(r.count), r.type, r.source, r.tag, r.communicator, came.get());
    return receiver_.received(r, *came, result);
}

std::optional<int> sender::send_init(entry const& call, send_arguments const& a, send_mode mode, MPI_Request* request) {
    if (a.count > INT_MAX) return std::nullopt; // from MPI_Send_init_c alone
    if (length_of(a.count, a.type) <= on_.eager_bytes()) return on_.leave(left_alone::buffered, length_of(a.count, a.type));
    auto const c = consider(a, false, foundation::starts);
    if (!c) return std::nullopt;
    tracked_request t;
    t.communicator = a.communicator;
    t.persistent = true;
    t.active = false;
    t.again = std::make_unique<repeated_send>();
    t.again->what = c->what;
    // Now, because the program may free the datatype and the communicator.
    int const kept = persistent(mpi_itself(), mode)(a.buffer, static_cast<int>(a.count), a.type, a.destination, a.tag,
                                                    a.communicator, &t.by_mpi);
    if (kept != MPI_SUCCESS) return kept;
    int const made = persistent(call.next(), mode)(t.again->message.data(), c->record_bytes, MPI_BYTE, a.destination, a.tag,
                                                   a.communicator, request);
    if (made != MPI_SUCCESS) {
        mpi_itself().request_free(&t.by_mpi);
        return made;
    }
    requests_.put(*request, std::make_unique<tracked_request>(std::move(t)));
    return MPI_SUCCESS;
}

int sender::start(entry const& call, MPI_Request* request, tracked_request& t) {
    auto const slot = outbox_.open(t.again->what);
    if (!slot) { // the handle is bound to a record, so it stays inactive
        int const sent = mpi_itself().start(&t.by_mpi);
        t.active = t.unstarted = sent == MPI_SUCCESS;
        return sent;
    }
    t.again->message = outbox_.record_of(*slot);
    int const started = call.next().start(request);
    if (started != MPI_SUCCESS) {
        outbox_.withdraw(*slot);
        return started;
    }
    t.active = true;
    if (!outbox_.fill(*slot)) t.slot = slot;
    return MPI_SUCCESS;
}

bool sender::unfinished(tracked_request& t) {
    if (t.slot && !outbox_.finished(*t.slot)) return true;
    int ended = 1;
    if (t.goes_by_mpi()) mpi_itself().test(&t.by_mpi, &ended, MPI_STATUS_IGNORE);
    return ended == 0;
}

int sender::conclude(tracked_request& t, MPI_Status const& status, int result) {
    if (t.packed) packer_.conclude(t, status, result);
    if (!t.slot) return result;
    if (was_cancelled(status))
        outbox_.withdraw(*t.slot);
    else
        result = await(*t.slot, t.communicator);
    t.slot.reset();
    return result;
}

void sender::release(tracked_request& t) {
    if (t.slot) outbox_.leave(*t.slot);
    if (t.by_mpi != MPI_REQUEST_NULL) mpi_itself().request_free(&t.by_mpi);
    // What MPI may not have sent yet.
    if (t.again && t.active) outbox_.keep(std::shared_ptr<repeated_send>{std::move(t.again)});
    if (t.copy) outbox_.keep(std::move(t.copy));
    if (t.packed) outbox_.keep(std::shared_ptr<packed_end>{std::move(t.packed)});
}

} // namespace sode::internal::interpose
