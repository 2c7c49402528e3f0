// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

/// A host that touches a device's memory dies of a segmentation fault, as with a real device. Here it is told why before.
namespace sode::internal::stray_touch {

/// Touches of these pages are told of, from the first call on by a handler of SIGSEGV in front of the program's own.
void expect(std::byte const* first, std::size_t bytes) noexcept;
void forget(std::byte const* first) noexcept;

} // namespace sode::internal::stray_touch
