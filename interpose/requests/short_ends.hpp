// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/entry.hpp"
#include "interpose/datatypes/identity.hpp"
#include "interpose/datatypes/program_cache.hpp"
#include "interpose/requests/foundation.hpp"
#include "interpose/requests/packing_trial.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace sode::internal::interpose {

/// Ends of messages that are left to MPI, because a record does not pay: short ones. Each end is packed or unpacked by MPI or by
/// us, whoever takes less time (docs/decisions/0101). As of messages between machines (packer.hpp) each rank finds that out for its
/// own end, and the other end sees a message of the same signature.
///
/// Of calls that block alone: what a request would have to remember takes as long as is gained.
class short_ends {
public:
    explicit short_ends(foundation& on) : on_(on), identity_(next_identity()) {}

    /// One end of a message, as this thread knows it.
    struct end {
        std::uint64_t owner = 0; ///< the object that it is of
        layout_id id;
        own_ends ours = own_ends::both;
        bool packable = false;
        packing_trial trial;
        std::shared_ptr<message_layout const> form;
        std::shared_ptr<pair_program const> program; ///< to or from bytes that lie together
    };

    /// Sends it, if it is our turn, or if MPI's is timed; else nothing.
    [[nodiscard]] std::optional<int> send(entry const& call, send_arguments const& a, bool is_ready);
    /// The end of a receive; null: it is MPI's. `trial` says which way its message is to come: as bytes into room(), or as it is.
    [[nodiscard]] end* receiving(receive_arguments const& a);
    [[nodiscard]] static std::byte* room() noexcept { return coming_.data(); }
    /// Brings the message, of so many bytes, from the room to its place.
    void unpack(end const& e, void* buffer, std::int64_t bytes);
    /// Whether messages of that type may be packed by us, later if not yet: so each of them is looked at.
    [[nodiscard]] bool watches(MPI_Count count, MPI_Datatype type);
    /// Whether some of them are.
    [[nodiscard]] bool packs(MPI_Count count, MPI_Datatype type);

private:
    static constexpr std::int64_t least = 192; ///< packing by MPI takes less than the looking
    static constexpr std::int64_t most = 8 << 10;

    [[nodiscard]] bool may_be_ours(std::int64_t bytes) const noexcept {
        return on_.learns() && bytes >= least && bytes <= std::min(most, on_.least_bytes());
    }
    /// A new one. Errors: environment.
    [[nodiscard]] end end_of(std::shared_ptr<message_layout const> const& form, MPI_Datatype type, own_ends ours);
    [[nodiscard]] end* recall(MPI_Count count, MPI_Datatype type, own_ends ours);
    /// Whether `test` is true of an end that this thread knows.
    template <class Test> [[nodiscard]] bool any_end(message_layout const& form, Test const& test) const;
    [[nodiscard]] static end& place_of(layout_id const& id, own_ends ours) noexcept;

    foundation& on_;
    std::uint64_t const identity_;
    program_cache programs_;
    std::atomic<int> messages_{0}; ///< of any type, up to packing_trial::first
    alignas(64) static thread_local std::array<std::byte, most> going_;
    alignas(64) static thread_local std::array<std::byte, most> coming_;
};

} // namespace sode::internal::interpose
