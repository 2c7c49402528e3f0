// SPDX-License-Identifier: Apache-2.0
#include "space/private_pages.hpp"

#include "space/anonymous_memory.hpp"

namespace sode::internal {

private_pages::private_pages(std::uint64_t bytes) : memory_(anonymous_memory::set_aside(bytes), bytes) {}

void private_pages::back(std::uint64_t offset, std::uint64_t bytes) {
    anonymous_memory::back(base() + offset, bytes);
}

void private_pages::give_back(std::uint64_t offset, std::uint64_t bytes) noexcept {
    anonymous_memory::give_back(base() + offset, bytes);
}

} // namespace sode::internal
