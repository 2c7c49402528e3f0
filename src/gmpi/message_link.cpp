// SPDX-License-Identifier: Apache-2.0
#include "gmpi/message_link.hpp"

#include <algorithm>
#include <cstring>

namespace sode::internal::kernels {

message_link::message_link(messenger& carrier, int peer) : set_(carrier.make_set()), memory_(2 * slots * slot_bytes) {
    for (std::size_t i = 0; i < slots; ++i) {
        in_[i].whole = set_->receive(bytes_of(i), slot_bytes, peer, tag);
        out_[i].whole = set_->send(bytes_of(slots + i), slot_bytes, peer, tag);
        out_[i].brief = set_->send(bytes_of(slots + i), brief_bytes, peer, tag);
    }
    done_.resize(3 * slots);
}

// Of a peer that has died a receive may still be under way; its memory stays, as nobody can say when the MPI lets go of it.
message_link::~message_link() {
    if (!forsaken_) return;
    static_cast<void>(set_.release());
    static_cast<void>(std::make_unique<std::vector<std::byte>>(std::move(memory_)).release());
}

bool message_link::try_put(frame const& f, std::byte const* payload) {
    auto& s = out_[put_ % slots];
    if (s.now != state::empty) return false;
    auto* const to = bytes_of(slots + put_ % slots);
    std::memcpy(to, &f, sizeof f);
    if (f.length != 0) std::memcpy(to + sizeof f, payload, f.length);
    s.now = state::full;
    ++put_;
    return true;
}

bool message_link::take(int peer, frame_reader& to) {
    bool any = false;
    for (; in_[taken_ % slots].now == state::full; ++taken_, any = true) {
        frame f;
        auto const* const from = bytes_of(taken_ % slots);
        std::memcpy(&f, from, sizeof f);
        if (f.kind == frame_kind::bye)
            most_started_ = std::min(most_started_, taken_ + slots);
        else
            to.read(peer, f, from + sizeof f);
        in_[taken_ % slots].now = state::empty;
    }
    return any;
}

bool message_link::carry() {
    bool any = false;
    // Receives in order, each behind the one before, so that what comes first is in the first of them.
    for (; started_ < std::min(taken_ + slots, most_started_); ++started_) {
        in_[started_ % slots].now = state::under_way;
        set_->start(in_[started_ % slots].whole);
    }
    for (; sent_ < put_; ++sent_, ++leaving_, any = true) {
        auto& s = out_[sent_ % slots];
        frame f;
        std::memcpy(&f, bytes_of(slots + sent_ % slots), sizeof f);
        s.now = state::under_way;
        set_->start(sizeof f + f.length <= brief_bytes ? s.brief : s.whole);
    }
    std::size_t const n = set_->collect(done_);
    for (std::size_t k = 0; k < n; ++k) {
        auto const i = done_[k] / 3; // three messages a slot, in the order in which they were made
        if (done_[k] % 3 == 0) {
            in_[i].now = state::full;
        } else {
            out_[i].now = state::empty;
            --leaving_;
        }
    }
    return any || n != 0;
}

bool message_link::close() {
    if (forsaken_) return true;
    while (byes_ < slots && try_put({.kind = frame_kind::bye}, memory_.data())) ++byes_;
    return byes_ == slots && is_idle() && taken_ == most_started_;
}

} // namespace sode::internal::kernels
