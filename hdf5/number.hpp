// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/hdf5.hpp>

#include <hdf5.h>

#include <optional>
#include <string_view>

namespace sode::internal::files {

/// One kind of number in the words of all who handle it.
struct number_traits {
    std::string_view name; ///< for messages: "float64"
    std::string_view xdmf; ///< NumberType: "Float"
    int bytes;
};
[[nodiscard]] number_traits const& traits(detail::number n) noexcept;

/// This machine's type. Never to be closed.
[[nodiscard]] hid_t native(detail::number n) noexcept;

/// The number that a dataset's type is, in either byte order; nothing for all else.
[[nodiscard]] std::optional<detail::number> number_in(hid_t type);

} // namespace sode::internal::files
