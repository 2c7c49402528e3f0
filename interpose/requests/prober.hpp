// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/entry.hpp"
#include "interpose/requests/peeked.hpp"
#include "interpose/requests/receiver.hpp"

namespace sode::internal::interpose {

/// Probes, and receives of what they have met. Functions that return an optional or false leave the call to MPI where it is empty.
class prober {
public:
    /// Errors: peer, if MPI fails.
    prober(foundation& on, request_table& requests, receiver& receives);
    ~prober();
    prober(prober const&) = delete;
    prober& operator=(prober const&) = delete;
    prober(prober&&) = delete;
    prober& operator=(prober&&) = delete;

    [[nodiscard]] int probe(entry const& call, int source, int tag, MPI_Comm communicator, MPI_Status* status);
    [[nodiscard]] int iprobe(entry const& call, int source, int tag, MPI_Comm communicator, int* flag, MPI_Status* status);
    [[nodiscard]] int mprobe(entry const& call, int source, int tag, MPI_Comm communicator, MPI_Message* message,
                             MPI_Status* status);
    [[nodiscard]] int improbe(entry const& call, int source, int tag, MPI_Comm communicator, int* flag, MPI_Message* message,
                              MPI_Status* status);

    /// Are there messages that a probe has met and nobody received? Receives must ask for those first.
    [[nodiscard]] bool has_peeked() const noexcept { return !peeked_.empty(); }
    [[nodiscard]] std::optional<int> receive(receive_arguments const& a, MPI_Status& status);
    [[nodiscard]] bool ireceive(receive_arguments const& a, MPI_Request* request);
    [[nodiscard]] std::optional<int> mrecv(receive_arguments const& a, MPI_Message* message, MPI_Status* status);
    [[nodiscard]] bool imrecv(receive_arguments const& a, MPI_Message* message, MPI_Request* request);
    /// The receive of an exchange has been met already: only the send is left to do, by MPI.
    [[nodiscard]] std::optional<int> sendrecv(entry const& call, send_arguments const& s, receive_arguments const& r,
                                              MPI_Status* status);
    [[nodiscard]] bool isendrecv(entry const& call, send_arguments const& s, receive_arguments const& r, MPI_Request* request);
    /// Starts a persistent receive.
    [[nodiscard]] int start(entry const& call, MPI_Request* request, tracked_request& t);

private:
    [[nodiscard]] bool may_be_record(MPI_Comm communicator, MPI_Status const& status);
    [[nodiscard]] bool peek(MPI_Comm communicator, MPI_Status const& status);
    [[nodiscard]] peeked_message open(MPI_Comm communicator, MPI_Message message, MPI_Status const& status);
    void exchange_handle(MPI_Comm communicator, MPI_Message* message, MPI_Status& status);
    [[nodiscard]] int deliver(peeked_message const& m, landing const& where, MPI_Status& status);
    [[nodiscard]] int deliver(peeked_message const& m, receive_arguments const& a, MPI_Status& status);
    [[nodiscard]] tracked_request delivered(peeked_message const& m, receive_arguments const& a);
    [[nodiscard]] MPI_Request request_of(tracked_request t);

    foundation& on_;
    request_table& requests_;
    receiver& receiver_;
    peeked_messages peeked_;
    std::mutex peeking_;            ///< they are kept in the order in which MPI has them
    MPI_Comm self_ = MPI_COMM_NULL; ///< of this process alone, for messages to itself
};

} // namespace sode::internal::interpose
