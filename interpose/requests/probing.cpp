// SPDX-License-Identifier: Apache-2.0
// Probes, and receives of what they have met.
#include "interpose/requests/completed_request.hpp"
#include "interpose/requests/layer.hpp"
#include "layout/layout_algebra.hpp"

#include <algorithm>

namespace sode::interpose {

/// Takes a message whose probe told `status` out of MPI, if it may be a record. False: another thread has received it meanwhile.
bool layer::peek(MPI_Comm communicator, MPI_Status const& status) {
    std::lock_guard const lock{peeking_};
    int flag = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status met{};
    if (mpi_itself().improbe(status.MPI_SOURCE, status.MPI_TAG, communicator, &flag, &message, &met) != MPI_SUCCESS || flag == 0)
        return false;
    peeked_.add(open(communicator, message, met));
    return true;
}

peeked_message layer::open(MPI_Comm communicator, MPI_Message message, MPI_Status const& status) {
    peeked_message m;
    m.communicator = communicator;
    m.status = of_message(status);
    m.bytes = static_cast<int>(sode::interpose::bytes_of(status));
    mpi_itself().mrecv(m.content.data(), m.bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    m.announced = inbox_.recognise(std::span{m.content}.first(static_cast<std::size_t>(m.bytes)));
    if (m.announced) set_bytes(m.status, inbox_.bytes_of(*m.announced));
    return m;
}

bool layer::may_be_record(MPI_Comm communicator, MPI_Status const& status) {
    return has_length_of_record(status) && here_.neighbour(peers_.in_world(communicator, status.MPI_SOURCE));
}

int layer::probe(entry const& call, int source, int tag, MPI_Comm communicator, MPI_Status* status) {
    wanted_status told{status};
    while (true) {
        if (has_peeked())
            if (auto const known = peeked_.look(source, tag, communicator)) {
                tell(*told, *known);
                return MPI_SUCCESS;
            }
        int const result = call.next().probe(source, tag, communicator, told.get());
        if (result != MPI_SUCCESS || !may_be_record(communicator, *told)) return result;
        static_cast<void>(peek(communicator, *told));
    }
}

int layer::iprobe(entry const& call, int source, int tag, MPI_Comm communicator, int* flag, MPI_Status* status) {
    wanted_status told{status};
    if (has_peeked())
        if (auto const known = peeked_.look(source, tag, communicator)) {
            tell(*told, *known);
            *flag = 1;
            return MPI_SUCCESS;
        }
    int const result = call.next().iprobe(source, tag, communicator, flag, told.get());
    if (result != MPI_SUCCESS || *flag == 0 || !may_be_record(communicator, *told)) return result;
    *flag = 0;
    if (!peek(communicator, *told)) return MPI_SUCCESS;
    if (auto const known = peeked_.look(source, tag, communicator)) {
        tell(*told, *known);
        *flag = 1;
    }
    return MPI_SUCCESS;
}

int layer::mprobe(entry const& call, int source, int tag, MPI_Comm communicator, MPI_Message* message, MPI_Status* status) {
    if (has_peeked()) {
        int flag = 0;
        int const result = improbe(call, source, tag, communicator, &flag, message, status);
        if (result != MPI_SUCCESS || flag != 0) return result;
    }
    wanted_status told{status};
    int const result = call.next().mprobe(source, tag, communicator, message, told.get());
    if (result == MPI_SUCCESS && may_be_record(communicator, *told)) exchange_handle(communicator, message, *told);
    return result;
}

int layer::improbe(entry const& call, int source, int tag, MPI_Comm communicator, int* flag, MPI_Message* message,
                   MPI_Status* status) {
    wanted_status told{status};
    if (has_peeked())
        if (auto const m = peeked_.take(source, tag, communicator)) {
            tell(*told, m->status);
            *flag = 1;
            *message = peeked_.hand_out(*m, self_);
            return MPI_SUCCESS;
        }
    int const result = call.next().improbe(source, tag, communicator, flag, message, told.get());
    if (result == MPI_SUCCESS && *flag != 0 && may_be_record(communicator, *told)) exchange_handle(communicator, message, *told);
    return result;
}

/// Looks into the message of a handle, and gives the program another one for it.
void layer::exchange_handle(MPI_Comm communicator, MPI_Message* message, MPI_Status& status) {
    peeked_message const m = open(communicator, *message, status);
    tell(status, m.status);
    *message = peeked_.hand_out(m, self_);
}

/// Brings a message that was peeked at to its place. The error, if there is one, has not been raised.
int layer::deliver(peeked_message const& m, landing const& where, MPI_Status& status) {
    tell(status, m.status);
    if (m.announced) return take(*m.announced, where, status);
    index_t const fits = std::min<index_t>(m.bytes, where.form->bytes());
    run(compile_sequence(contiguous(0, fits), slice(where.form->form(), 0, fits), target_overlap::excluded), where.buffer,
        m.content.data());
    if (fits == m.bytes) return MPI_SUCCESS;
    set_bytes(status, fits);
    return MPI_ERR_TRUNCATE;
}

int layer::deliver(peeked_message const& m, receive_arguments const& a, MPI_Status& status) {
    try {
        return deliver(m, landing{static_cast<std::byte*>(a.buffer), types_.find(a.type, a.count)}, status);
    } catch (error const& e) {
        if (m.announced) inbox_.refuse(*m.announced);
        return code_of(e);
    }
}

/// The same as a request, which tells what came of it.
tracked_request layer::delivered(peeked_message const& m, receive_arguments const& a) {
    tracked_request t;
    t.communicator = m.communicator;
    t.receives = true;
    t.result = deliver(m, a, t.status);
    t.arrived = true;
    return t;
}

MPI_Request layer::request_of(tracked_request t) {
    MPI_Request const request = completed_request();
    requests_.put(request, std::make_unique<tracked_request>(std::move(t)));
    return request;
}

std::optional<int> layer::receive_peeked(receive_arguments const& a, MPI_Status& status) {
    auto const m = peeked_.take(a.source, a.tag, a.communicator);
    if (!m) return std::nullopt;
    return raise(m->communicator, deliver(*m, a, status));
}

bool layer::ireceive_peeked(receive_arguments const& a, MPI_Request* request) {
    auto const m = peeked_.take(a.source, a.tag, a.communicator);
    if (m) *request = request_of(delivered(*m, a));
    return m.has_value();
}

std::optional<int> layer::mrecv(receive_arguments const& a, MPI_Message* message, MPI_Status* status) {
    auto const m = peeked_.take(*message);
    if (!m) return std::nullopt;
    *message = MPI_MESSAGE_NULL;
    wanted_status told{status};
    return raise(m->communicator, deliver(*m, a, *told));
}

bool layer::imrecv(receive_arguments const& a, MPI_Message* message, MPI_Request* request) {
    auto const m = peeked_.take(*message);
    if (!m) return false;
    *message = MPI_MESSAGE_NULL;
    *request = request_of(delivered(*m, a));
    return true;
}

} // namespace sode::interpose
