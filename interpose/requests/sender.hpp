// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/entry.hpp"
#include "interpose/requests/prober.hpp"
#include "interpose/transport/outbox.hpp"

namespace sode::internal::interpose {

/// Sends: whether a message goes by a record, and if so, the record in its place. Functions that return an optional leave the call
/// to MPI where it is empty.
class sender {
public:
    sender(foundation& on, request_table& requests, packer& packs, receiver& receives, prober& probes)
        : on_(on), requests_(requests), packer_(packs), receiver_(receives), prober_(probes), outbox_(on.here(), on.told()) {}

    [[nodiscard]] std::optional<int> send(entry const& call, send_arguments const& a, send_mode mode);
    [[nodiscard]] std::optional<int> isend(entry const& call, send_arguments const& a, send_mode mode, MPI_Request* request);
    [[nodiscard]] std::optional<int> send_init(entry const& call, send_arguments const& a, send_mode mode, MPI_Request* request);
    [[nodiscard]] std::optional<int> sendrecv(entry const& call, send_arguments const& s, receive_arguments const& r,
                                              MPI_Status* status);
    /// The same buffer for both: `s.buffer` is `r.buffer`.
    [[nodiscard]] std::optional<int> sendrecv_replace(entry const& call, send_arguments const& s, receive_arguments const& r,
                                                      MPI_Status* status);
    /// Starts a persistent send.
    [[nodiscard]] int start(entry const& call, MPI_Request* request, tracked_request& t);

    /// Whether the receiver still needs the buffer of a tracked send, or MPI goes on with it. False for receives.
    [[nodiscard]] bool unfinished(tracked_request& t);
    /// The end of a tracked send that MPI has completed with `status` and `result`: waits for its receiver. Returns the result for
    /// the user.
    [[nodiscard]] int conclude(tracked_request& t, MPI_Status const& status, int result);
    /// MPI_Request_free of a tracked request: what is under way goes on without it.
    void release(tracked_request& t);
    /// Before the end of MPI.
    void settle() { outbox_.settle(); }

private:
    /// A message that has been put into a slot, and how long its record is.
    struct offer {
        std::uint32_t slot;
        int record_bytes;
    };
    struct considered {
        parcel what;
        int record_bytes;
    };
    /// What of a message depends on its layout and its receiver alone.
    struct remembered {
        layout_id id;
        distance apart = distance::near;
        bool mutual = false;
        int record_bytes = 0; ///< negative: none can be sent in its place
        proposal what = proposal::leave;
        learnt_path* learnt = nullptr; ///< null: the model alone decides
        std::int64_t patience_ns = 0;
    };
    [[nodiscard]] remembered const& recall(send_arguments const& a, message_layout const& form, int receiver);
    /// `learns`: the call may go any way, and what it takes may be told. `uses`: how often it will be sent, at least.
    [[nodiscard]] std::optional<considered> consider(send_arguments const& a, bool learns, int uses);
    [[nodiscard]] std::optional<offer> make_offer(send_arguments const& a, bool stage);
    /// Waits for a message that goes by the sender's buffer. Returns the result for the user.
    [[nodiscard]] int await(std::uint32_t slot, MPI_Comm communicator);

    foundation& on_;
    request_table& requests_;
    packer& packer_;
    receiver& receiver_;
    prober& prober_;
    outbox outbox_;
};

} // namespace sode::internal::interpose
