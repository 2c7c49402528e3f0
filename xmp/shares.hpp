// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "mappings.hpp"

namespace sode::xmp {

/// How many indices a block of dimension d has, whose format is SODE_BLOCK.
[[nodiscard]] std::int64_t block_width(sode_xmp_template const& t, std::size_t d);
/// Whether this rank owns index i, and how many it owns.
[[nodiscard]] bool owned(sode_dimension const& is, std::int64_t i);
[[nodiscard]] std::int64_t owned_count(sode_dimension const& is);

} // namespace sode::xmp
