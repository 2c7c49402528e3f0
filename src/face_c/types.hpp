// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/sode.h>

#include <cstddef>
#include <cstdint>

namespace sode::internal::face_c {

[[nodiscard]] constexpr std::uint8_t element_code_of(sode_type type) noexcept {
    return static_cast<std::uint8_t>(type & 0xffU);
}
[[nodiscard]] constexpr std::size_t bytes_of(sode_type type) noexcept {
    return type >> 8U;
}

/// Of so many elements. Errors: usage, if there cannot be so many.
[[nodiscard]] std::size_t bytes_of(std::size_t count, sode_type type);

/// Errors: usage, for a type that is none of sode.h's.
void require_type(sode_type type);
/// Errors: usage, always: there is no such operation.
[[noreturn]] void refuse_operation(int op);
/// Errors: usage, if `op` cannot combine such elements, or one of the two does not exist.
void require_combines(int op, sode_type type);

} // namespace sode::internal::face_c
