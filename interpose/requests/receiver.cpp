// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/receiver.hpp"

#include "base/clock.hpp"
#include "interpose/calls/next.hpp"
#include "interpose/datatypes/head.hpp"

#include <array>
#include <cerrno>
#include <sys/uio.h>
#include <unistd.h>

namespace sode::internal::interpose {

namespace {

std::byte* bytes_at(void* buffer) {
    return static_cast<std::byte*>(buffer);
}

/// Whether so much as a record has can be read there. A program may receive into memory that is not the processor's.
bool is_memory(std::byte* at) {
    std::array<std::byte, sizeof(record)> head{};
    iovec const to{head.data(), head.size()}, from{at, head.size()};
    return ::process_vm_readv(::getpid(), &to, 1, &from, 1, 0) >= 0 || errno != EFAULT;
}

bool is_cut_off(int result) {
    int kind = MPI_SUCCESS;
    PMPI_Error_class(result, &kind);
    return kind == MPI_ERR_TRUNCATE;
}

} // namespace

void receiver::track(receive_arguments const& a, MPI_Request request, bool persistent) {
    int const source = a.source == MPI_ANY_SOURCE ? MPI_ANY_SOURCE : on_.communicators().in_world(a.communicator, a.source);
    if (source != MPI_ANY_SOURCE && !on_.here().neighbour(source)) return;
    if (note(a, request, source, persistent)) return;
    tracked_request t;
    t.communicator = a.communicator;
    t.persistent = persistent;
    t.active = !persistent;
    t.receives = true;
    t.match = {a.source, a.tag};
    t.source = source;
    t.where.buffer = bytes_at(a.buffer);
    try {
        // Of a short persistent one it costs little, and less than each start without.
        bool const short_one = persistent && !on_.is_long(a.count, a.type);
        if (short_one || on_.layout_pays(a.type, a.count, persistent ? foundation::starts : 1)) {
            t.where.form = on_.types().find(a.type, a.count);
            if (note(a, request, source, persistent)) return;
        } else {
            t.unread = on_.types().refer(a.type, a.count);
        }
    } catch (error const&) {
        return; // a type that only MPI understands; its sender does not send a record either
    }
    requests_.put(request, std::make_unique<tracked_request>(std::move(t)));
}

/// Where one thread receives, and the layout is known or need not be.
bool receiver::note(receive_arguments const& a, MPI_Request request, int source, bool persistent) {
    if (!on_.has_one_thread()) return false;
    bool const predefined = surely_predefined(a.type);
    auto const* const form = predefined ? nullptr : on_.types().known(a.type, a.count);
    if (!predefined && form == nullptr) return false;
    noted_receive* const r = requests_.noted().add(request);
    if (r == nullptr) return false;
    r->describe(a.buffer, a.count, a.type, a.communicator);
    r->now = {source, false, false, persistent, false, false};
    if (!predefined) r->set_form(*form);
    if (on_.is_long(a.count, a.type)) requests_.noted().note_long(*r);
    r->from = a.source;
    r->tag = a.tag;
    return true;
}

/// Makes the layout, if it is missing. False: none can be made.
bool receiver::read(noted_receive& r) {
    try {
        if (!r.now.has_form) r.form = on_.types().find(r.type, r.count);
        r.now.has_form = true;
        return true;
    } catch (error const&) {
        return false;
    }
}

tracked_request receiver::tracked(noted_receive r) {
    tracked_request t;
    t.receives = true;
    t.communicator = r.communicator;
    t.persistent = r.now.persistent;
    t.match = {r.from, r.tag};
    t.source = r.now.source;
    t.plain = r.now.plain || !read(r);
    t.arrived = r.now.arrived;
    t.status = r.status;
    t.result = r.result;
    t.where = r.where();
    return t;
}

bool receiver::read(tracked_request& t) {
    if (!t.unread) return true;
    try {
        t.where.form = t.unread->find();
    } catch (error const&) {
        return false;
    }
    t.unread.reset();
    return true;
}

int receiver::received(receive_arguments const& a, MPI_Status& status, int result) {
    if (result == MPI_SUCCESS && !has_length_of_record(status)) {
        if (is_timed(a.count, a.type)) tell_of_mpi(on_.communicators().in_world(a.communicator, status.MPI_SOURCE), status);
        return MPI_SUCCESS;
    }
    if (result != MPI_SUCCESS && !is_cut_off(result)) return result; // the datatype may be none
    try {
        return received(landing{bytes_at(a.buffer), on_.types().find(a.type, a.count)}, a.communicator, status, result);
    } catch (error const&) {
        return result; // a type that only MPI understands; its sender has not sent a record either
    }
}

int receiver::received_unseen(receive_arguments const& a, MPI_Status* status, int result) {
    if (result != MPI_SUCCESS && !is_cut_off(result)) return result;
    bool const told_length = status != MPI_STATUS_IGNORE && result == MPI_SUCCESS;
    if (told_length && !has_length_of_record(*status)) return result;
    landing where{bytes_at(a.buffer), {}};
    try {
        where.form = on_.types().find(a.type, a.count);
    } catch (error const&) {
        return result;
    }
    if (!told_length && !is_memory(where.buffer + where.form->extent().first)) return result;
    auto const r = record_in(where);
    if (!r) return result;
    if (result != MPI_SUCCESS) {
        inbox_.refuse(*r);
        return result;
    }
    wanted_status told{status};
    return foundation::raise(a.communicator, take(*r, where, *told));
}

std::optional<int> receiver::receive_short(entry const& call, receive_arguments const& a, MPI_Status& status) {
    auto* const end = shorts_.receiving(a);
    if (end == nullptr) return std::nullopt;
    bool const by_us = end->trial.next() == packing_trial::way::by_us;
    receive_arguments to = a;
    if (by_us) to.buffer = short_ends::room(), to.count = end->form->bytes(), to.type = MPI_PACKED;
    bool const timed = !end->trial.is_over();
    MPI_Message message = MPI_MESSAGE_NULL;
    if (timed) { // what it takes from when it is there
        int const there = call.next().mprobe(a.source, a.tag, a.communicator, &message, &status);
        if (there != MPI_SUCCESS) return there;
    }
    auto const begun = timed ? now_ns() : 0;
    if (timed && has_length_of_record(status)) end->trial.note_other();
    int const result =
        timed ? call.next().mrecv(to.buffer, static_cast<int>(to.count), to.type, &message, &status)
              : call.next().recv(to.buffer, static_cast<int>(to.count), to.type, a.source, a.tag, a.communicator, &status);
    if (!by_us && (result != MPI_SUCCESS || has_length_of_record(status))) return received(a, status, result);
    if (result != MPI_SUCCESS) return result;
    if (has_length_of_record(status))
        if (auto const r = inbox_.recognise(std::span{short_ends::room(), sizeof(record)}))
            return foundation::raise(a.communicator, take(*r, {bytes_at(a.buffer), end->form}, status));
    if (is_timed(a.count, a.type)) tell_of_mpi(on_.communicators().in_world(a.communicator, status.MPI_SOURCE), status);
    if (by_us) shorts_.unpack(*end, a.buffer, bytes_of(status));
    if (timed) end->trial.note(by_us ? packing_trial::way::by_us : packing_trial::way::by_mpi, now_ns() - begun);
    return result;
}

bool receiver::holds_record(noted_receive& r) {
    if (r.now.arrived) return true;
    return !r.now.plain && read(r) && is_memory(r.buffer + r.form->extent().first) && record_in(r.where()).has_value();
}

int receiver::received(landing const& where, MPI_Comm communicator, MPI_Status& status, int result) {
    if (result != MPI_SUCCESS) {
        if (is_cut_off(result)) refuse_cut_off(where, communicator, status);
        return result;
    }
    if (!has_length_of_record(status)) return MPI_SUCCESS;
    auto const r = record_in(where, status);
    return r ? foundation::raise(communicator, take(*r, where, status)) : MPI_SUCCESS;
}

/// Of a message that may be one.
std::optional<record> receiver::record_in(landing const& where, MPI_Status const& status) const {
    return was_cancelled(status) ? std::nullopt : record_in(where);
}

/// The buffer alone tells: no message that is no record begins like one.
std::optional<record> receiver::record_in(landing const& where) const {
    std::array<std::byte, sizeof(record)> head{};
    return inbox_.recognise(std::span{head}.first(read_head(where.form->form(), where.buffer, head)));
}

int receiver::take(record const& r, landing const& where, MPI_Status& status) {
    try {
        arrival const a = inbox_.take(r, where);
        set_bytes(status, a.bytes);
        return a.truncated ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    } catch (error const& e) {
        return on_.code_of(e);
    }
}

bool receiver::copy(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into) {
    if (length_of(count, type) != length_of(room, into) || !on_.concerns(count, type)) return false;
    try {
        if (!on_.layout_pays(type, count) || !on_.layout_pays(into, room)) return false;
        if (!on_.is_committed(type, count) || !on_.is_committed(into, room)) return false; // MPI says so
        auto const source = on_.types().find(type, count);
        inbox_.copy(*source, static_cast<std::byte const*>(from), {bytes_at(to), on_.types().find(into, room)});
        return true;
    } catch (error const&) {
        return false; // a type that only MPI understands
    }
}

/// What has come by MPI, and took so long.
void receiver::tell_of_mpi(int sender, MPI_Status const& status) {
    if (!inbox_.is_asked(sender)) return;
    auto const now = now_ns(); // before more lines of the sender are asked for, which the message had nothing to do with
    int bytes = 0;
    PMPI_Get_count(&status, MPI_BYTE, &bytes);
    inbox_.came_by_mpi(sender, status.MPI_TAG, bytes, now);
}

/// The record did not fit. MPI has told the user that the message did not, which is as true.
void receiver::refuse_cut_off(landing const& where, MPI_Comm communicator, MPI_Status const& status) {
    std::array<std::byte, sizeof(record)> head{};
    std::size_t const got = read_head(where.form->form(), where.buffer, head);
    inbox_.refuse(on_.communicators().in_world(communicator, status.MPI_SOURCE), status.MPI_TAG, std::span{head}.first(got));
}

bool receiver::poll(MPI_Request request, tracked_request& entry) {
    if (!entry.receives || !entry.active || entry.arrived || entry.plain) return false; // nothing to look for
    int flag = 0;
    MPI_Status status{};
    if (mpi_itself().request_get_status(request, &flag, &status) != MPI_SUCCESS || flag == 0) return false;
    if (entry.packed) {
        if (auto const r = record_in_room(entry, status))
            entry.result = take(*r, entry.where, status);
        else
            packer_.unpack(entry, status);
        entry.status = status;
        entry.arrived = true;
        if (entry.orphaned) mpi_itself().request_free(&request);
        return entry.orphaned;
    }
    std::optional<record> r;
    if (has_length_of_record(status) && read(entry)) r = record_in(entry.where, status);
    entry.plain = !r;
    if (r) {
        entry.result = take(*r, entry.where, status); // the user hears of errors when he asks for the request
        entry.status = status;
        entry.arrived = true;
    }
    if (!entry.orphaned) return false;
    mpi_itself().request_free(&request);
    return true;
}

void receiver::poll(noted_receive& r) {
    if (r.now.arrived || r.now.plain) return;
    int flag = 0;
    MPI_Status status{};
    if (mpi_itself().request_get_status(r.handle, &flag, &status) != MPI_SUCCESS || flag == 0) return;
    std::optional<record> found;
    if (has_length_of_record(status) && read(r)) found = record_in(r.where(), status);
    r.now.plain = !found && !r.now.persistent; // which may start again meanwhile
    if (!found) return;
    r.result = take(*found, r.where(), status); // the user hears of errors when he asks for the request
    r.status = status;
    r.now.arrived = true;
}

void receiver::progress() {
    constexpr std::size_t at_a_time = 8;
    if (!requests_.noted().empty()) requests_.noted().some(at_a_time, [this](noted_receive& r) { poll(r); });
    if (!requests_.tracks() || !requests_.receiving()) return;
    requests_.some(at_a_time, [this](MPI_Request request, tracked_request& entry) { return poll(request, entry); });
}

int receiver::conclude(noted_receive r, MPI_Status& status, int result) {
    if (r.now.arrived) {
        tell(status, r.status);
        return r.result == MPI_SUCCESS ? result : foundation::raise(r.communicator, r.result);
    }
    if (result == MPI_SUCCESS && !has_length_of_record(status)) {
        if (r.now.is_long && r.now.source >= 0 && on_.learns()) tell_of_mpi(r.now.source, status);
        return MPI_SUCCESS;
    }
    return !r.now.plain && read(r) ? received(r.where(), r.communicator, status, result) : result;
}

/// A message that was to be unpacked from a room may be a record.
std::optional<record> receiver::record_in_room(tracked_request const& t, MPI_Status const& status) const {
    // What a room held before may be one, too, and is there still if the receive was cancelled.
    if (!t.packed->room || !has_length_of_record(status) || was_cancelled(status)) return std::nullopt;
    if (t.packed->bytes < static_cast<std::int64_t>(record_limit)) return std::nullopt;
    return inbox_.recognise(std::span{t.packed->room.get(), sizeof(record)});
}

int receiver::conclude(tracked_request& t, MPI_Status& status, int result) {
    if (t.packed && !t.arrived && result == MPI_SUCCESS) {
        if (auto const r = record_in_room(t, status)) {
            t.result = take(*r, t.where, status);
            t.status = status;
            t.arrived = true;
        }
    }
    if (t.packed) packer_.conclude(t, status, result);
    if (t.arrived) {
        tell(status, t.status);
        return t.result == MPI_SUCCESS ? result : foundation::raise(t.communicator, t.result);
    }
    if (t.packed) return result;
    bool const ours = t.active && (result != MPI_SUCCESS || has_length_of_record(status)) && read(t);
    bool const told = on_.learns() && t.source >= 0 && t.active && !ours && result == MPI_SUCCESS;
    if (told && t.where.form && t.where.form->bytes() > on_.least_bytes()) tell_of_mpi(t.source, status);
    return ours ? received(t.where, t.communicator, status, result) : result;
}

} // namespace sode::internal::interpose
