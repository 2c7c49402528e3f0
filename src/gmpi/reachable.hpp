// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/machine_map.hpp"
#include "device/memory_provider.hpp"
#include "gmpi/frame.hpp"
#include "space/space.hpp"

#include <sode/error.hpp>

namespace sode::internal::kernels {

/// Memory of this rank, as peers find it, and theirs.
class reachable {
public:
    /// `device`: who has the memory of this rank's device; null: it has none.
    reachable(space& memory, machine_map machines, int rank, memory_provider* device)
        : memory_(memory), machines_(std::move(machines)), rank_(rank), device_(device) {}

    /// How `peer` reaches this rank's memory from `first` on.
    [[nodiscard]] place for_peer(int peer, void const* first) const {
        if (peer == rank_) return {reach::address, address_of(first), {}};
        return machines_.together(peer, rank_) ? on_machine(first) : place{};
    }
    /// The same for all on this machine.
    [[nodiscard]] place on_machine(void const* first) const {
        if (memory_.one_address_space()) return {reach::address, address_of(first), {}};
        auto const* const bytes = static_cast<std::byte const*>(first);
        if (memory_.owner_of(first) == rank_) return {reach::arena, memory_.offset(bytes), memory_.block_of(bytes)};
        auto const there = device_ ? device_->find(bytes) : std::nullopt;
        return there ? place{reach::device, there->where, there->block} : place{};
    }
    /// What `peer`, on this machine, has told of its memory, until end_of() that. Null: the driver of its device lets nobody in.
    /// Errors: environment, if it cannot be opened.
    [[nodiscard]] std::byte* at(int peer, place const& p) const {
        if (p.how == reach::address) return pointer_to(p.where);
        if (p.how == reach::device) {
            try {
                return device_ ? device_->open_found(peer, {p.where, p.block}) : nullptr;
            } catch (error const&) {
                return nullptr;
            }
        }
        memory_.open(peer, p.block);
        return memory_.at(peer, p.where);
    }

    void end_of(place const& p, std::byte* seen) const noexcept {
        constexpr bool again = true; // by the next message
        if (p.how == reach::device && seen) device_->close(seen, again);
    }

    [[nodiscard]] static std::byte* pointer_to(word address) {
        return reinterpret_cast<std::byte*>(address); // NOLINT(performance-no-int-to-ptr): it has crossed a ring
    }
    [[nodiscard]] static word address_of(void const* first) { return reinterpret_cast<word>(first); }

private:
    space& memory_;
    machine_map machines_;
    int rank_;
    memory_provider* device_;
};

} // namespace sode::internal::kernels
