// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/context.hpp"
#include "engine/engine.hpp"
#include "space/part_space.hpp"

namespace sode::internal {

/// What kinds of engines are that stand for network interfaces: they store into memory of other ranks, and load nothing from there.
/// Who plans for them has sources put.
class network_reach {
public:
    network_reach() = default;
    virtual ~network_reach() = default;
    network_reach(network_reach const&) = delete;
    network_reach& operator=(network_reach const&) = delete;

    /// Memory of other machines that they reach, and of this one; null: none.
    [[nodiscard]] virtual space* beyond() const noexcept { return nullptr; }
};

[[nodiscard]] inline bool reaches_by_puts(engine_kind const& kind) noexcept {
    return dynamic_cast<network_reach const*>(&kind) != nullptr;
}
/// As network_reach::beyond(). Parts of a job, which number their ranks anew, have none.
[[nodiscard]] inline space* reached_beyond(context const& c) noexcept {
    auto const* const interfaces = dynamic_cast<network_reach const*>(c.engines);
    return interfaces && !dynamic_cast<part_space const*>(&c.memory) ? interfaces->beyond() : nullptr;
}
/// Where puts of this rank may go without a message.
[[nodiscard]] inline space& stored_into(context const& c) noexcept {
    auto* const beyond = reached_beyond(c);
    return beyond ? *beyond : c.memory;
}

} // namespace sode::internal
