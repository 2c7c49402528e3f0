// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/foundation.hpp"
#include "interpose/requests/packer.hpp"
#include "interpose/requests/request_table.hpp"
#include "interpose/requests/short_ends.hpp"
#include "interpose/requests/statuses.hpp"
#include "interpose/transport/inbox.hpp"

namespace sode::internal::interpose {

/// Receives: whether what MPI has received is a record, and if so, brings the message that it announces.
class receiver {
public:
    receiver(foundation& on, request_table& requests, packer& packs, short_ends& shorts)
        : on_(on), requests_(requests), packer_(packs), shorts_(shorts), inbox_(on.here(), on.forced()) {}

    /// A receive that MPI has done, with `result`, may have brought a record. Returns the result for the user.
    [[nodiscard]] int received(receive_arguments const& a, MPI_Status& status, int result);
    /// Receives a message that may be unpacked by us, or a record. Nothing: it is to be received as it is.
    [[nodiscard]] std::optional<int> receive_short(entry const& call, receive_arguments const& a, MPI_Status& status);
    /// Whether it matters since when somebody waits for so much.
    [[nodiscard]] bool is_timed(MPI_Count count, MPI_Datatype type) const noexcept {
        return on_.learns() && on_.concerns(count, type);
    }
    /// A receive under way.
    void track(receive_arguments const& a, MPI_Request request, bool persistent);
    /// A receive that MPI has done, with `result`, may have brought a record, without anybody having seen its status. Returns the
    /// result for the user, who may want the status.
    [[nodiscard]] int received_unseen(receive_arguments const& a, MPI_Status* status, int result);
    /// Whether a record has come for a receive that is over.
    [[nodiscard]] bool holds_record(noted_receive& r);
    /// A message of this rank to itself, within a collective, straight from layout to layout. False: left to MPI.
    [[nodiscard]] bool copy(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into);

    /// Moves what has come for a receive that nobody waits for at the moment, because its sender may be waiting. Holds the table's
    /// lock. True: the entry is over.
    bool poll(MPI_Request request, tracked_request& entry);
    void poll(noted_receive& r);
    /// The same for some of all receives that are under way.
    void progress();
    /// The same for receives that the program has let go of, if there are any: in plain MPI they go on in every call.
    void attend() {
        if (requests_.has_orphans()) [[unlikely]]
            progress();
    }
    /// The end of a tracked receive that MPI has completed with `status` and `result`. Returns the result for the user.
    [[nodiscard]] int conclude(tracked_request& t, MPI_Status& status, int result);

    [[nodiscard]] int conclude(noted_receive r, MPI_Status& status, int result);
    /// The same receive as a tracked one.
    [[nodiscard]] tracked_request tracked(noted_receive r);

    /// Brings the message of a record. The error, if there is one, has not been raised.
    [[nodiscard]] int take(record const& r, landing const& where, MPI_Status& status);
    /// Makes the layout of a receive whose message may be a record. False: none can be made, so it is none.
    [[nodiscard]] static bool read(tracked_request& t);
    [[nodiscard]] inbox& messages() noexcept { return inbox_; }

private:
    [[nodiscard]] int received(landing const& where, MPI_Comm communicator, MPI_Status& status, int result);
    [[nodiscard]] bool note(receive_arguments const& a, MPI_Request request, int source, bool persistent);
    [[nodiscard]] bool read(noted_receive& r);
    [[nodiscard]] std::optional<record> record_in(landing const& where, MPI_Status const& status) const;
    [[nodiscard]] std::optional<record> record_in(landing const& where) const;
    [[nodiscard]] std::optional<record> record_in_room(tracked_request const& t, MPI_Status const& status) const;
    void tell_of_mpi(int sender, MPI_Status const& status);
    void refuse_cut_off(landing const& where, MPI_Comm communicator, MPI_Status const& status);

    foundation& on_;
    request_table& requests_;
    packer& packer_;
    short_ends& shorts_;
    inbox inbox_;
};

} // namespace sode::internal::interpose
