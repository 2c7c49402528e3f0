// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/space.hpp"

#include <sode/detail/gmpi/code.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sode::internal::kernels {

using gmpi::code;
using gmpi::word;

/// What a manager says to another one.
enum class frame_kind : std::uint8_t {
    message, ///< all of a message
    offer,   ///< there is a long one, and where
    accept,  ///< send it to this receive
    piece,   ///< of a message that was accepted
    over,    ///< the long message was read where it lies
    put,     ///< bytes for a window, and perhaps a signal
    barrier,
    bye ///< the last ones, as many as a link has receives
};

/// How the memory of an offer or a window is reached.
enum class reach : std::uint32_t {
    not_at_all, ///< from its own process alone
    address,    ///< its address is the same for all ranks of the machine
    arena,      ///< it is in the arena of its rank,
    device      ///< or in a block of its device's memory, which others may map
};

/// Where some memory of a rank is, for others on its machine.
struct place {
    reach how = reach::not_at_all;
    word where = 0; ///< an address, or an offset in the arena or the block
    block_place block{};
};

/// One line, which a payload of `length` bytes may follow.
struct frame {
    frame_kind kind = frame_kind::message;
    code how = code::ok;
    std::uint16_t communicator = 0; ///< of `put`, the window
    std::uint32_t tag = 0;          ///< of `put`, the signal from 1, or 0; of `barrier`, the round
    std::uint32_t from = 0;         ///< number of what the sender of this frame does
    std::uint32_t to = 0;           ///< number of what its receiver does
    word bytes = 0;                 ///< of the whole message
    word offset = 0;                ///< of a payload in the message, or in the window
    std::uint32_t length = 0;       ///< of the payload
    reach reached = reach::not_at_all;
    word where = 0; ///< of an offer; of `put`, what is added to the signal
    block_place block{};
};
static_assert(sizeof(frame) == 64 && std::is_trivially_copyable_v<frame>);

/// Who reads frames of a peer.
class frame_reader {
public:
    frame_reader() = default;
    virtual ~frame_reader() = default;
    frame_reader(frame_reader const&) = delete;
    frame_reader& operator=(frame_reader const&) = delete;
    /// `payload` is there until this returns.
    virtual void read(int peer, frame const& f, std::byte const* payload) = 0;
};

} // namespace sode::internal::kernels
