// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/space.hpp"

#include <atomic>
#include <cstdint>

namespace sode::internal::tools {

/// Two ranks that tell each other "your turn": each say() of one is heard by one hear() of the other.
class turns {
public:
    /// Collective. The other rank is 1 - rank.
    turns(bootstrap& boot, space& memory);

    void say() noexcept;
    /// Spins. Errors: peer, if the other has left; timeout, if it says nothing for ten seconds.
    void hear();

private:
    bootstrap& boot_;
    std::atomic<std::uint64_t>* own_;
    std::atomic<std::uint64_t>* other_;
    std::uint64_t said_ = 0;
    std::uint64_t heard_ = 0;
};

} // namespace sode::internal::tools
