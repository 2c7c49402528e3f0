// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/entry.hpp"
#include "interpose/datatypes/identity.hpp"
#include "interpose/datatypes/program_cache.hpp"
#include "interpose/requests/foundation.hpp"
#include "interpose/requests/request_table.hpp"

#include <vector>

namespace sode::internal::interpose {

/// Messages between machines: MPI sends them. An end that lies in pieces is packed or unpacked by MPI or by us, whoever takes less
/// time; each rank finds that out for its own end, and need not know what the other one does (docs/decisions/0034).
///
/// Functions that return an optional leave the call to the rest of the layer where it is empty.
class packer {
public:
    packer(foundation& on, request_table& requests) : on_(on), requests_(requests), identity_(next_identity()) {}

    [[nodiscard]] std::optional<int> send(entry const& call, send_arguments const& a, send_mode mode) {
        return has_peers() ? send_packed(call, a, mode) : std::nullopt;
    }
    [[nodiscard]] std::optional<int> isend(entry const& call, send_arguments const& a, send_mode mode, MPI_Request* request) {
        return has_peers() ? isend_packed(call, a, mode, request) : std::nullopt;
    }
    [[nodiscard]] std::optional<int> receive(entry const& call, receive_arguments const& a, MPI_Status& status) {
        return has_peers() ? receive_packed(call, a, status) : std::nullopt;
    }
    [[nodiscard]] std::optional<int> ireceive(entry const& call, receive_arguments const& a, MPI_Request* request) {
        return has_peers() ? ireceive_packed(call, a, request) : std::nullopt;
    }
    /// Whether one of the two could be any of ours.
    [[nodiscard]] bool concerns(send_arguments const& s, receive_arguments const& r) {
        return has_peers() && (is_between(s.count, s.type, s.communicator, s.destination) ||
                               is_between(r.count, r.type, r.communicator, r.source));
    }

    /// Memory for a message; conclude() takes it back with the request.
    [[nodiscard]] std::unique_ptr<std::byte[]> room_of(std::int64_t bytes);
    /// What MPI has received for a tracked request goes where it belongs.
    void unpack(tracked_request& t, MPI_Status const& status);
    /// The end of a tracked request that MPI has completed with `status` and `result`.
    void conclude(tracked_request& t, MPI_Status const& status, int result);

private:
    /// A message that MPI sends, and how.
    struct considered {
        std::shared_ptr<message_layout const> form;
        packed_end end;
    };
    // Without them every message of the program would be looked at for nothing.
    [[nodiscard]] bool has_peers() const noexcept { return on_.here().has_other_machines(); }
    [[nodiscard]] std::optional<int> send_packed(entry const& call, send_arguments const& a, send_mode mode);
    [[nodiscard]] std::optional<int> isend_packed(entry const& call, send_arguments const& a, send_mode mode, MPI_Request* request);
    [[nodiscard]] std::optional<int> receive_packed(entry const& call, receive_arguments const& a, MPI_Status& status);
    [[nodiscard]] std::optional<int> ireceive_packed(entry const& call, receive_arguments const& a, MPI_Request* request);
    [[nodiscard]] bool is_between(MPI_Count count, MPI_Datatype type, MPI_Comm communicator, int peer);
    /// Nothing where it is none of ours, or left to MPI without a look at the clock.
    [[nodiscard]] std::optional<considered> consider(MPI_Count count, MPI_Datatype type, MPI_Comm communicator, int peer,
                                                     own_ends ours);
    /// What of a message depends on its layout alone.
    struct remembered {
        std::uint64_t owner = 0; ///< the packer that remembers
        layout_id id;
        own_ends ours = own_ends::both;
        bool packable = false;
        message_path by_model = message_path::plain;
        learnt_path* learnt = nullptr; ///< null: the model alone decides
    };
    [[nodiscard]] remembered const& recall(message_layout const& form, own_ends ours, MPI_Datatype type);
    void pack(considered& c, void const* buffer);
    void unpack(packed_end const& end, landing const& where, MPI_Status const& status);
    static void tell(packed_end const& end, std::int64_t took_ns) noexcept;
    void count(send_arguments const& a, considered const& c, std::int64_t spent_ns);
    void give_back(packed_end& end);

    foundation& on_;
    request_table& requests_;
    std::uint64_t const identity_;
    program_cache programs_;
    std::mutex mutex_;
    struct spare {
        std::unique_ptr<std::byte[]> room;
        std::int64_t bytes;
    };
    std::vector<spare> spare_; ///< so that long messages do not meet fresh pages every time
};

} // namespace sode::internal::interpose
