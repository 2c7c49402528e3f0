// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

#include <cstdint>

namespace sode::internal {

/// Takes one more value into a fingerprint: what ranks compare to learn whether they describe the same.
inline void mix(std::uint64_t& hash, std::uint64_t value) noexcept {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29U;
}
inline void mix(std::uint64_t& hash, index_t value) noexcept {
    mix(hash, static_cast<std::uint64_t>(value));
}

} // namespace sode::internal
