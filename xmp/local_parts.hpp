// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <sode/directives.h>
#include <vector>

namespace sode::xmp {

/// How many indices there are.
[[nodiscard]] std::int64_t count_of(sode_range const& r);
/// Of each dimension of the part that a gmove names.
[[nodiscard]] std::vector<std::int64_t> counts_of(sode_xmp_side const& side);

/// The elements that a gmove names of memory of this rank, in row-major order: into `packed`, or out of it.
void pack(sode_xmp_side const& from, char* packed);
void unpack(char const* packed, sode_xmp_side const& to);

/// Stores one element wherever `to` names one that this rank owns.
void fill(char const* at, sode_xmp_side const& to, void const* value);

} // namespace sode::xmp
