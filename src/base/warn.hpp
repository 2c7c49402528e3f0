// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace sode {

/// Tells the user something that is no error: one line "sode: …" on stderr, in one write, so that lines of ranks do not mix.
void warn(std::string_view message) noexcept;

} // namespace sode
