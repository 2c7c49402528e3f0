// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/goal.hpp"

#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace sode::internal::kernels {

/// What messages are matched by, beside their order.
struct envelope {
    std::uint16_t communicator = 0;
    int peer = 0;
    std::uint32_t tag = 0;

    friend bool operator==(envelope const&, envelope const&) = default;
    friend bool operator<(envelope const& a, envelope const& b) {
        return std::tie(a.communicator, a.peer, a.tag) < std::tie(b.communicator, b.peer, b.tag);
    }
};

/// A receive.
struct receive {
    goal whose;
    std::byte* to = nullptr;
    word room = 0; ///< bytes
};

/// What has come of a message: all of it, or an offer.
struct arrival {
    frame said;
    std::vector<std::byte> bytes{};
};

/// Receives that wait for messages, and messages that wait for receives: in order of both, for each envelope.
class matcher {
public:
    /// The message for this receive; nothing: the receive waits.
    [[nodiscard]] std::optional<arrival> match(envelope const& of, receive const& r);
    /// The receive for a message that has come; nothing: keep() it.
    [[nodiscard]] std::optional<receive> match(envelope const& of);
    void keep(envelope const& of, arrival a);
    /// Takes out all receives from that peer that wait.
    [[nodiscard]] std::vector<receive> give_up(int peer);
    [[nodiscard]] bool waits_for(int peer) const;
    [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; } ///< receives
    [[nodiscard]] std::size_t kept() const noexcept { return kept_; }       ///< messages

private:
    struct line {
        std::deque<receive> receives;
        std::deque<arrival> arrivals;
    };
    void leave_if_empty(std::map<envelope, line>::iterator at);

    std::map<envelope, line> lines_;
    std::size_t waiting_ = 0, kept_ = 0;
};

} // namespace sode::internal::kernels
