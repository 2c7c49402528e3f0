// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace sode::internal::interpose {

/// What no message of a program begins with: 128 random bits of the sender, agreed when MPI starts.
using nonce = std::array<std::uint64_t, 2>;

/// The control record: what travels in the place of a message that we move ourselves, through the same communicator, to the same
/// rank, with the same tag, so that matching, order and wildcards stay MPI's business. It lands in the receive buffer of the user,
/// which the message itself will overwrite, because every message that is replaced is longer.
///
/// It says where to look; all else is in the sender's message_slot.
struct record {
    nonce proof{};
    std::int32_t rank = 0; ///< of the sender, in MPI_COMM_WORLD
    std::uint32_t slot = 0;
    std::uint64_t sequence = 0;
};

/// As a message, a record is padded to between `shortest_record` and `record_limit` bytes: so long that it ends where a basic
/// element of the datatype ends. MPI has no words for half a double, and its libraries err or crash on them. No power of two is a
/// length of theirs: many messages have such a length, and who receives one that a record may have must look into it.
inline constexpr std::size_t shortest_record = 72;
inline constexpr std::size_t record_limit = 104; ///< no basic element is longer than 32 bytes
static_assert(sizeof(record) <= shortest_record);

using record_message = std::array<std::byte, record_limit>;

} // namespace sode::internal::interpose
