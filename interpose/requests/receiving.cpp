// SPDX-License-Identifier: Apache-2.0
#include "interpose/datatypes/head.hpp"
#include "interpose/requests/layer.hpp"

#include <array>

namespace sode::interpose {

namespace {

std::byte* bytes_at(void* buffer) {
    return static_cast<std::byte*>(buffer);
}

} // namespace

void layer::track(receive_arguments const& a, MPI_Request request, bool persistent) {
    int const source = a.source == MPI_ANY_SOURCE ? MPI_ANY_SOURCE : peers_.in_world(a.communicator, a.source);
    if (source != MPI_ANY_SOURCE && !here_.neighbour(source)) return;
    tracked_request t;
    t.communicator = a.communicator;
    t.persistent = persistent;
    t.active = !persistent;
    t.receives = true;
    t.match = {a.source, a.tag};
    t.where.buffer = bytes_at(a.buffer);
    try {
        if (layout_pays(a.type, a.count))
            t.where.form = types_.find(a.type, a.count);
        else
            t.unread = types_.refer(a.type, a.count);
    } catch (error const&) {
        return; // a type that only MPI understands; its sender does not send a record either
    }
    requests_.put(request, std::make_unique<tracked_request>(std::move(t)));
}

/// Makes the layout of a receive whose message may be a record. False: none can be made, so it is none.
bool layer::read(tracked_request& t) {
    if (!t.unread) return true;
    try {
        t.where.form = t.unread->find();
    } catch (error const&) {
        return false;
    }
    t.unread.reset();
    return true;
}

int layer::received(receive_arguments const& a, MPI_Status& status, int result) {
    if (result == MPI_SUCCESS && !has_length_of_record(status)) return MPI_SUCCESS;
    try {
        return received(landing{bytes_at(a.buffer), types_.find(a.type, a.count)}, a.communicator, status, result);
    } catch (error const&) {
        return result; // a type that only MPI understands; its sender has not sent a record either
    }
}

int layer::received(landing const& where, MPI_Comm communicator, MPI_Status& status, int result) {
    if (result != MPI_SUCCESS) {
        int kind = MPI_SUCCESS;
        PMPI_Error_class(result, &kind);
        if (kind == MPI_ERR_TRUNCATE) refuse_cut_off(where, communicator, status);
        return result;
    }
    if (!has_length_of_record(status)) return MPI_SUCCESS;
    int cancelled = 0;
    PMPI_Test_cancelled(&status, &cancelled);
    if (cancelled != 0) return MPI_SUCCESS;
    std::array<std::byte, sizeof(record)> head{};
    std::size_t const got = read_head(where.form->form(), where.buffer, head);
    auto const r = inbox_.recognise(std::span{head}.first(got));
    return r ? raise(communicator, take(*r, where, status)) : MPI_SUCCESS;
}

int layer::take(record const& r, landing const& where, MPI_Status& status) {
    try {
        arrival const a = inbox_.take(r, where);
        set_bytes(status, a.bytes);
        return a.truncated ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    } catch (error const& e) {
        return code_of(e);
    }
}

bool layer::copy(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into) {
    if (length_of(count, type) != length_of(room, into) || !concerns(count, type)) return false;
    try {
        if (!layout_pays(type, count) || !layout_pays(into, room)) return false;
        auto const source = types_.find(type, count);
        inbox_.copy(*source, static_cast<std::byte const*>(from), {bytes_at(to), types_.find(into, room)});
        return true;
    } catch (error const&) {
        return false; // a type that only MPI understands
    }
}

/// The record did not fit. MPI has told the user that the message did not, which is as true.
void layer::refuse_cut_off(landing const& where, MPI_Comm communicator, MPI_Status const& status) {
    std::array<std::byte, sizeof(record)> head{};
    std::size_t const got = read_head(where.form->form(), where.buffer, head);
    inbox_.refuse(peers_.in_world(communicator, status.MPI_SOURCE), status.MPI_TAG, std::span{head}.first(got));
}

/// Moves what has come for a receive that nobody waits for at the moment, because its sender may be waiting. Holds the table's
/// lock. True: the entry is over.
bool layer::poll(MPI_Request request, tracked_request& entry) {
    if (!entry.receives || !entry.active || entry.arrived || entry.plain) return false; // nothing to look for
    int flag = 0;
    MPI_Status status{};
    if (mpi_itself().request_get_status(request, &flag, &status) != MPI_SUCCESS || flag == 0) return false;
    std::array<std::byte, sizeof(record)> head{};
    int cancelled = 0;
    PMPI_Test_cancelled(&status, &cancelled);
    std::optional<record> r;
    if (cancelled == 0 && has_length_of_record(status) && read(entry))
        r = inbox_.recognise(std::span{head}.first(read_head(entry.where.form->form(), entry.where.buffer, head)));
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

} // namespace sode::interpose
