// SPDX-License-Identifier: Apache-2.0
#include "space/part_space.hpp"

#include <algorithm>

namespace sode::internal {

int part_space::owner_of(void const* address) const noexcept {
    int const owner = all_.owner_of(address);
    auto const at = std::ranges::find(part_.members, owner);
    return owner < 0 || at == part_.members.end() ? -1 : static_cast<int>(at - part_.members.begin());
}

} // namespace sode::internal
