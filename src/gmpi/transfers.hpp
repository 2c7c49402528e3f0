// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/matcher.hpp"
#include "gmpi/numbered.hpp"
#include "gmpi/peers.hpp"

namespace sode::internal::kernels {

/// Messages from rank to rank. Short ones travel with their envelope. Long ones are offered: the receiver reads them where they
/// lie, if it can, and else asks for them, in pieces.
class transfers {
public:
    transfers(peers& ranks, gmpi::memory& memory, goal_keeper& tells) : ranks_(ranks), memory_(memory), tells_(tells) {}

    void send(envelope const& to, std::byte const* data, word bytes, goal const& whose);
    /// Up to gmpi::detail::short_bytes, which came with the request.
    void send_short(envelope const& to, word const* data, word bytes, goal const& whose);
    void receive_from(envelope const& from, receive const& r);
    /// What a peer says of messages. False if that is no message's frame.
    bool read(int peer, frame const& f, std::byte const* payload);
    /// Some steps of what is under way.
    bool go();
    /// The peer is gone.
    void give_up(int peer, code why);
    /// Receives that wait, messages that are under way.
    [[nodiscard]] bool idle() const noexcept { return matcher_.waiting() == 0 && sends_.size() == 0 && arriving_.size() == 0; }
    [[nodiscard]] bool awaits(int peer);

private:
    struct sending { // it was offered
        int peer;
        std::byte const* data;
        word bytes;
        goal whose;
    };
    struct arriving {
        int peer;
        receive into;
        word bytes;  // of the message
        word wanted; // of them
        word done = 0;
        place told{};                // where it is,
        std::byte* source = nullptr; // and can be read; null: it comes in pieces
        std::uint32_t offer = 0;     // what its sender calls it
        std::uint64_t copy = 0;      // that is not over yet
    };

    void take(envelope const& of, receive const& r, arrival const& a);
    void begin(int peer, receive const& r, frame const& offer);
    void end(std::uint32_t number, arriving const& a, code how);
    bool pull(std::uint32_t number, arriving& a);
    void arrive(receive const& r, std::byte const* payload, word bytes);
    void put_into(receive const& r, word at, std::byte const* payload, word bytes);

    peers& ranks_;
    gmpi::memory& memory_;
    goal_keeper& tells_;
    matcher matcher_;
    numbered<sending> sends_;
    numbered<arriving> arriving_;
};

} // namespace sode::internal::kernels
