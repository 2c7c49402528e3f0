// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/engine.hpp"

namespace sode::internal {

/// What kinds of engines are that stand for network interfaces: they store into memory of other ranks, and load nothing from there.
/// Who plans for them has sources put.
class network_reach {
public:
    network_reach() = default;
    virtual ~network_reach() = default;
    network_reach(network_reach const&) = delete;
    network_reach& operator=(network_reach const&) = delete;
};

[[nodiscard]] inline bool reaches_by_puts(engine_kind const& kind) noexcept {
    return dynamic_cast<network_reach const*>(&kind) != nullptr;
}

} // namespace sode::internal
