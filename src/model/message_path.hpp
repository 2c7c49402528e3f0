// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/expense.hpp"
#include "cost/profile.hpp"
#include "layout/layout.hpp"
#include "model/distance.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace sode::internal {

/// How one message of derived datatypes goes from its sender's layout to its receiver's (paper P1; docs/decisions/0013).
enum class message_path : std::uint8_t {
    plain,  ///< left to MPI
    direct, ///< the receiver copies from layout to layout
    both,   ///< both sides copy pieces from layout to layout, from both ends
    push,   ///< the sender copies from layout to layout
    staged  ///< the sender packs into a shared stage, the receiver unpacks: needs no common address space
};
/// Which ends of a message are ours. Of one between machines each rank has its own: MPI sends it, as it lies (`plain`) or packed by
/// us (`staged`), and what the other end does is its own affair.
enum class own_ends : std::uint8_t { both, source, target };
[[nodiscard]] std::string_view to_string(message_path p);
/// "plain", "direct", "both", "push", "staged"; nullopt for anything else.
[[nodiscard]] std::optional<message_path> message_path_from(std::string_view text);

/// Bytes of a piece of a staged message, in whole lines: small, so that both ends work at once, but not so small that what a piece
/// costs beyond its bytes is felt. 8 KiB where cores are far apart: a word from one to the other takes as long as packing 4.
/// Pure.
inline constexpr index_t longest_stage_piece = index_t{8} << 10;
[[nodiscard]] constexpr index_t stage_piece(index_t bytes, distance apart) noexcept {
    constexpr index_t least = 1024, most = 4096, step = 256, pieces = 8;
    if (apart == distance::far) return longest_stage_piece;
    return std::clamp((bytes / pieces + step - 1) / step * step, least, most);
}

/// What the costs of a message depend on. Both sides know all of it once the control record is there.
struct message_features {
    index_t bytes = 0;
    shape source; ///< classify() of the send layout,
    shape target; ///< and of the receive layout; contiguous, where that end is not ours, like the source then
    distance apart = distance::near;
    own_ends ours = own_ends::both;
    bool reachable = false;  ///< each side can load and store the other's buffer
    bool offered = false;    ///< the control record has been sent in its place: it cannot be left to MPI any more
    bool mutual = false;     ///< the sender receives as much at the same time: neither has time to help the other
    index_t least_bytes = 0; ///< up to here messages are always left to MPI
    index_t eager_bytes = 0; ///< up to here it sends them without asking the receiver
};

struct path_choice {
    message_path how = message_path::plain;
    double expected_us = 0;
    message_path runner_up = message_path::plain;
    double runner_up_us = 0;
    bool forced = false;
};

/// What it costs from send to receive, and whom: nanoseconds. Closed form. Pure.
[[nodiscard]] expense cost(message_features const& m, message_path how, profile const& p) noexcept;
/// The same of every path, by message_path; 0: that path cannot be. Pure.
inline constexpr std::size_t message_paths = 5;
[[nodiscard]] std::array<double, message_paths> costs_of_paths(message_features const& m, profile const& p) noexcept;
/// Microseconds from send to receive: the sum of cost(). Pure.
[[nodiscard]] double predict(message_features const& m, message_path how, profile const& p) noexcept;

/// The cheapest path that can be, or `forced` where it can be: direct, both and push become staged where the buffers cannot be
/// reached; nothing up to `least_bytes` becomes anything but plain; and what has been `offered` is anything but plain. Pure.
[[nodiscard]] path_choice choose(message_features const& m, profile const& p, std::optional<message_path> forced) noexcept;

/// What a sender does who does not know the receive layout yet; it is most often the sender's own, or contiguous.
enum class proposal : std::uint8_t {
    leave, ///< to MPI: for neither of the two `choose` would do anything else
    pack,  ///< into a stage at once, without waiting for the receiver: the best if it is like the sender, else hardly worse
    offer  ///< the buffer: the receiver chooses
};
[[nodiscard]] proposal propose(message_features const& sender_side, profile const& p) noexcept;

} // namespace sode::internal
