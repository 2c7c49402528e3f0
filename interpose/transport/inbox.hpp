// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/datatypes/datatype_cache.hpp"
#include "interpose/datatypes/program_cache.hpp"
#include "interpose/transport/machine.hpp"
#include "model/message_path.hpp"

#include <memory>
#include <optional>
#include <span>

namespace sode::internal::interpose {

/// Where a message shall go.
struct landing {
    std::byte* buffer = nullptr;
    std::shared_ptr<message_layout const> form; ///< all that the receive has room for
};

/// How a message came.
struct arrival {
    std::int64_t bytes = 0; ///< that were received
    bool truncated = false; ///< there were more
    message_path how = message_path::staged;
};

/// The messages that this rank receives and that are moved by us. Any thread may call.
class inbox {
public:
    /// `forced`: the path that messages from reachable neighbours take, where that is not up to the model.
    inbox(machine& here, std::optional<message_path> forced);

    /// The record that has come in the place of a message, if it is one. `head`: the first bytes that were received.
    [[nodiscard]] std::optional<record> recognise(std::span<std::byte const> head) const noexcept;
    /// What a record announces, before it is taken.
    [[nodiscard]] std::int64_t bytes_of(record const& r) const noexcept;

    /// Brings the message of `r` to its place and lets the sender go on. Waits for nothing but the sender's packing. Errors: peer,
    /// timeout.
    arrival take(record const& r, landing const& where);
    /// A message that was no record has come from `sender`, and this rank has waited for it: tells the sender what it took, if that
    /// wants to know.
    void came_by_mpi(int sender, int tag, std::int64_t bytes, std::int64_t at_ns) noexcept;
    /// Whether came_by_mpi() has anything to tell to `sender`.
    [[nodiscard]] bool is_asked(int sender) const noexcept;
    /// A message of this rank to itself, of as many bytes as `where` has.
    void copy(message_layout const& source, std::byte const* from, landing const& where);
    /// Lets the sender go on without the message.
    void refuse(record const& r);
    /// The same for a record that MPI has cut off for want of room: the oldest one from `sender` with that tag that begins with
    /// `head`. Where there is none, the message was no record.
    void refuse(int sender, int tag, std::span<std::byte const> head);

private:
    [[nodiscard]] message_slot& slot_of(record const& r) const noexcept { return here_.slot_of(r.rank, r.slot); }
    void claim(message_slot& s);
    /// What of a message depends on its two layouts and its ends alone.
    struct known_pair;
    [[nodiscard]] known_pair& recall(message_slot const& s, message_layout const& target) const;
    [[nodiscard]] message_path decide(message_slot const& s, message_layout const& target) const;
    [[nodiscard]] bool asked_for_stage(message_slot& s);
    message_path from_buffer(message_slot& s, landing const& where, known_pair& pair, message_path how);
    void from_stage(message_slot& s, landing const& where, std::int64_t bytes);
    void look(message_slot& s);
    void await_bytes(message_slot& s, std::uint64_t bytes);
    template <class Condition> void await(message_slot& s, Condition const& condition);

    machine& here_;
    std::uint64_t const identity_; ///< tells inboxes apart in what a thread remembers
    program_cache programs_;
    std::optional<message_path> forced_;
};

} // namespace sode::internal::interpose
