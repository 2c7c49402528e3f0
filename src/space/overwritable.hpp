// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/space.hpp"

namespace sode::internal {

/// A space that can leave memory as it is, for what is written before anybody reads it: to zero it would bring its lines here from
/// the caches of those who read them last.
class overwritable {
public:
    virtual ~overwritable() = default;
    /// As space::allocate(), but only the first `zeroed` bytes are.
    [[nodiscard]] virtual std::byte* allocate_for_overwrite(std::size_t bytes, std::size_t zeroed) = 0;
};

/// The same of any space; one that cannot zeroes all.
[[nodiscard]] inline std::byte* allocate_for_overwrite(space& memory, std::size_t bytes, std::size_t zeroed) {
    auto* const can = dynamic_cast<overwritable*>(&memory);
    return can ? can->allocate_for_overwrite(bytes, zeroed) : memory.allocate(bytes);
}

} // namespace sode::internal
