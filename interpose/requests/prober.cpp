// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/prober.hpp"
#include "interpose/requests/completed_request.hpp"
#include "layout/layout_algebra.hpp"

#include <algorithm>

namespace sode::internal::interpose {

prober::prober(foundation& on, request_table& requests, receiver& receives) : on_(on), requests_(requests), receiver_(receives) {
    check(PMPI_Comm_dup(MPI_COMM_SELF, &self_), "MPI_Comm_dup");
}

prober::~prober() {
    PMPI_Comm_free(&self_);
}

/// Takes a message whose probe told `status` out of MPI, if it may be a record. False: another thread has received it meanwhile.
bool prober::peek(MPI_Comm communicator, MPI_Status const& status) {
    std::lock_guard const lock{peeking_};
    int flag = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status met{};
    if (mpi_itself().improbe(status.MPI_SOURCE, status.MPI_TAG, communicator, &flag, &message, &met) != MPI_SUCCESS || flag == 0)
        return false;
    peeked_.add(open(communicator, message, met));
    return true;
}

peeked_message prober::open(MPI_Comm communicator, MPI_Message message, MPI_Status const& status) {
    peeked_message m;
    m.communicator = communicator;
    m.status = of_message(status);
    m.bytes = static_cast<int>(sode::internal::interpose::bytes_of(status));
    mpi_itself().mrecv(m.content.data(), m.bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    m.announced = receiver_.messages().recognise(std::span{m.content}.first(static_cast<std::size_t>(m.bytes)));
    if (m.announced) set_bytes(m.status, receiver_.messages().bytes_of(*m.announced));
    return m;
}

bool prober::may_be_record(MPI_Comm communicator, MPI_Status const& status) {
    return has_length_of_record(status) && on_.here().neighbour(on_.communicators().in_world(communicator, status.MPI_SOURCE));
}

int prober::probe(entry const& call, int source, int tag, MPI_Comm communicator, MPI_Status* status) {
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

int prober::iprobe(entry const& call, int source, int tag, MPI_Comm communicator, int* flag, MPI_Status* status) {
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

int prober::mprobe(entry const& call, int source, int tag, MPI_Comm communicator, MPI_Message* message, MPI_Status* status) {
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

int prober::improbe(entry const& call, int source, int tag, MPI_Comm communicator, int* flag, MPI_Message* message,
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
void prober::exchange_handle(MPI_Comm communicator, MPI_Message* message, MPI_Status& status) {
    peeked_message const m = open(communicator, *message, status);
    tell(status, m.status);
    *message = peeked_.hand_out(m, self_);
}

/// Brings a message that was peeked at to its place. The error, if there is one, has not been raised.
int prober::deliver(peeked_message const& m, landing const& where, MPI_Status& status) {
    tell(status, m.status);
    if (m.announced) return receiver_.take(*m.announced, where, status);
    index_t const fits = std::min<index_t>(m.bytes, where.form->bytes());
    run(compile_sequence(contiguous(0, fits), slice(where.form->form(), 0, fits), target_overlap::excluded), where.buffer,
        m.content.data());
    if (fits == m.bytes) return MPI_SUCCESS;
    set_bytes(status, fits);
    return MPI_ERR_TRUNCATE;
}

int prober::deliver(peeked_message const& m, receive_arguments const& a, MPI_Status& status) {
    try {
        return deliver(m, landing{static_cast<std::byte*>(a.buffer), on_.types().find(a.type, a.count)}, status);
    } catch (error const& e) {
        if (m.announced) receiver_.messages().refuse(*m.announced);
        return on_.code_of(e);
    }
}

/// The same as a request, which tells what came of it.
tracked_request prober::delivered(peeked_message const& m, receive_arguments const& a) {
    tracked_request t;
    t.communicator = m.communicator;
    t.receives = true;
    t.result = deliver(m, a, t.status);
    t.arrived = true;
    return t;
}

MPI_Request prober::request_of(tracked_request t) {
    MPI_Request const request = completed_request();
    requests_.put(request, std::make_unique<tracked_request>(std::move(t)));
    return request;
}

std::optional<int> prober::receive(receive_arguments const& a, MPI_Status& status) {
    auto const m = peeked_.take(a.source, a.tag, a.communicator);
    if (!m) return std::nullopt;
    return foundation::raise(m->communicator, deliver(*m, a, status));
}

bool prober::ireceive(receive_arguments const& a, MPI_Request* request) {
    auto const m = peeked_.take(a.source, a.tag, a.communicator);
    if (m) *request = request_of(delivered(*m, a));
    return m.has_value();
}

std::optional<int> prober::mrecv(receive_arguments const& a, MPI_Message* message, MPI_Status* status) {
    auto const m = peeked_.take(*message);
    if (!m) return std::nullopt;
    *message = MPI_MESSAGE_NULL;
    wanted_status told{status};
    return foundation::raise(m->communicator, deliver(*m, a, *told));
}

bool prober::imrecv(receive_arguments const& a, MPI_Message* message, MPI_Request* request) {
    auto const m = peeked_.take(*message);
    if (!m) return false;
    *message = MPI_MESSAGE_NULL;
    *request = request_of(delivered(*m, a));
    return true;
}

std::optional<int> prober::sendrecv(entry const& call, send_arguments const& s, receive_arguments const& r, MPI_Status* status) {
    auto const m = peeked_.take(r.source, r.tag, r.communicator);
    if (!m) return std::nullopt;
    // The buffers may be one, so what goes is packed before what comes is delivered.
    packed_message const copy{s.buffer, static_cast<int>(s.count), s.type, s.communicator};
    MPI_Request request = MPI_REQUEST_NULL;
    int const sent = call.next().isend(copy.data(), copy.size(), MPI_PACKED, s.destination, s.tag, s.communicator, &request);
    wanted_status told{status};
    int const result = foundation::raise(m->communicator, deliver(*m, r, *told));
    if (sent == MPI_SUCCESS) mpi_itself().wait(&request, MPI_STATUS_IGNORE);
    return sent != MPI_SUCCESS ? sent : result;
}

bool prober::isendrecv(entry const& call, send_arguments const& s, receive_arguments const& r, MPI_Request* request) {
    auto const m = peeked_.take(r.source, r.tag, r.communicator);
    if (!m) return false;
    auto const copy = std::make_shared<packed_message>(s.buffer, static_cast<int>(s.count), s.type, s.communicator);
    MPI_Request going = MPI_REQUEST_NULL;
    int const sent = call.next().isend(copy->data(), copy->size(), MPI_PACKED, s.destination, s.tag, s.communicator, &going);
    tracked_request t = delivered(*m, r);
    t.copy = copy;
    t.by_mpi = going;
    if (sent != MPI_SUCCESS) t.result = sent;
    *request = request_of(std::move(t));
    return true;
}

int prober::start(entry const& call, MPI_Request* request, tracked_request& t) {
    t.arrived = t.plain = t.unstarted = false;
    if (has_peeked())
        if (auto const m = peeked_.take(t.match.source, t.match.tag, t.communicator)) {
            t.result = !receiver::read(t) ? MPI_ERR_TYPE : deliver(*m, t.where, t.status);
            t.arrived = t.unstarted = t.active = true;
            return MPI_SUCCESS;
        }
    int const started = call.next().start(request);
    if (started == MPI_SUCCESS) t.active = true;
    return started;
}

} // namespace sode::internal::interpose
