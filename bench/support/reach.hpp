// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sode::internal::bench {

/// Whether this process can load eight bytes there, and finds `expected`. The kernel is asked, which does not crash if not.
[[nodiscard]] bool can_load(void const* there, std::uint64_t expected) noexcept;

} // namespace sode::internal::bench
