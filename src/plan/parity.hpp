// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sode::internal {

/// What picks the instance of a buffer or counter that has several.
enum class parity : std::uint8_t {
    none,  ///< there is one
    epoch, ///< epoch modulo its `slots`: so many epochs may be under way
    array  ///< the half of a `buffered` array that was passed to start
};

/// How many instances a buffer or counter has.
template <class Entry> [[nodiscard]] constexpr std::uint32_t instances_of(Entry const& e) noexcept {
    return e.instances == parity::none ? 1 : e.instances == parity::array ? 2 : e.slots;
}
/// The instance of one that has `slots` of them: the same for all ranks, as epochs are numbered alike.
template <class Entry> [[nodiscard]] constexpr std::uint32_t slot_of(Entry const& e, std::uint64_t epoch) noexcept {
    return static_cast<std::uint32_t>(epoch % e.slots);
}

} // namespace sode::internal
