// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/entry.hpp"
#include "interpose/datatypes/identity.hpp"
#include "interpose/datatypes/program_cache.hpp"
#include "interpose/requests/foundation.hpp"
#include "interpose/requests/packer.hpp"
#include "interpose/requests/packing_trial.hpp"
#include "interpose/requests/request_table.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace sode::internal::interpose {

/// Ends of messages that are left to MPI, because a record does not pay: short ones. Each end is packed or unpacked by MPI or by
/// us, whoever takes less time (docs/decisions/0101). As of messages between machines (packer.hpp) each rank finds that out for its
/// own end, and the other end sees a message of the same signature.
///
/// Sends by request are mostly over when MPI_Isend returns, and then nothing has to be remembered. A receive by request has to
/// remember its room, which takes time, too: it is ours only where MPI takes that much longer to unpack.
class short_ends {
public:
    short_ends(foundation& on, request_table& requests, packer& packs)
        : on_(on), requests_(requests), packer_(packs), identity_(next_identity()) {}

    /// One end of a message, as this thread knows it.
    struct end {
        std::uint64_t owner = 0; ///< the object that it is of
        layout_id id;
        own_ends ours = own_ends::both;
        bool packable = false;
        bool only_here = false; ///< as bytes it can be sent to ranks of this machine alone
        std::shared_ptr<message_layout const> form;
        std::shared_ptr<pair_program const> program; ///< to or from bytes that lie together
        packing_trial trial;
        bool by_request = false; ///< the calls that the trial is made with
        enum class requests : std::uint8_t { untried, by_mpi, by_us } received = requests::untried;
        /// Whether messages are ours, or may be.
        [[nodiscard]] bool is_watched() const noexcept {
            if (received == requests::by_us) return true;
            return received == requests::by_mpi ? trial.has_begun() && !trial.is_lost() : !trial.is_lost();
        }
        /// Whether such a call is timed for the trial, which compares like with like.
        [[nodiscard]] bool times(bool is_request) noexcept;
    };

    /// Sends it, if it is our turn, or if MPI's is timed; else nothing.
    [[nodiscard]] std::optional<int> send(entry const& call, send_arguments const& a, bool is_ready);
    [[nodiscard]] std::optional<int> isend(entry const& call, send_arguments const& a, bool is_ready, MPI_Request* request);
    /// The end of a receive; null: it is MPI's. `trial` says which way its message is to come: as bytes into room(), or as it is.
    [[nodiscard]] end* receiving(receive_arguments const& a);
    [[nodiscard]] static std::byte* room() noexcept { return coming_.data(); }
    /// Begins a receive by request, if it is ours.
    [[nodiscard]] std::optional<int> ireceive(entry const& call, receive_arguments const& a, MPI_Request* request);
    /// Brings the message, of so many bytes, from the room to its place.
    void unpack(end const& e, void* buffer, std::int64_t bytes);
    /// Whether messages of that type may be packed by us, later if not yet: so each of them is looked at.
    [[nodiscard]] bool watches(MPI_Count count, MPI_Datatype type);
    /// Whether a receive of that form by request is ours, or may be.
    [[nodiscard]] bool may_ireceive(message_layout const& form) const noexcept;

private:
    static constexpr std::int64_t least = 192; ///< packing by MPI takes less than the looking
    static constexpr std::int64_t most = 8 << 10;

    [[nodiscard]] bool may_be_ours(std::int64_t bytes) const noexcept {
        return on_.learns() && bytes >= least && bytes <= std::min(most, on_.least_standard_bytes());
    }
    /// A new one. Errors: environment.
    [[nodiscard]] end end_of(std::shared_ptr<message_layout const> const& form, MPI_Datatype type, own_ends ours);
    /// Who unpacks receives by request in less time: both do, some times, in memory of their own.
    [[nodiscard]] end::requests try_unpacking(end const& e, MPI_Count count, MPI_Datatype type);
    /// Null: the message is MPI's.
    [[nodiscard]] end* sending(send_arguments const& a);
    /// The message by whoever is to take it, timed if that counts for the trial.
    template <class ByUs, class ByMpi>
    [[nodiscard]] static std::optional<int> tried(end& e, bool is_request, ByUs const& by_us, ByMpi const& by_mpi);
    void pack(end const& e, void const* buffer, std::byte* room);
    /// Sends the message, packed, by a request, which keeps its room if MPI still needs that.
    [[nodiscard]] std::optional<int> isend_packed(entry const& call, send_arguments const& a, end const& e, bool is_ready,
                                                  MPI_Request* request);
    [[nodiscard]] std::unique_ptr<tracked_request> entry_of(std::int64_t bytes) noexcept;
    [[nodiscard]] end* recall(MPI_Count count, MPI_Datatype type, own_ends ours);
    /// Whether `test` is true of an end that this thread knows.
    template <class Test> [[nodiscard]] bool any_end(message_layout const& form, Test const& test) const;
    [[nodiscard]] static end& place_of(layout_id const& id, own_ends ours) noexcept;

    foundation& on_;
    request_table& requests_;
    packer& packer_;
    std::uint64_t const identity_;
    program_cache programs_;
    std::atomic<int> messages_{0}; ///< of any type, up to packing_trial::first
    alignas(64) static thread_local std::array<std::byte, most> going_;
    alignas(64) static thread_local std::array<std::byte, most> coming_;
};

} // namespace sode::internal::interpose
