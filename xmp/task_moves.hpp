// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "arrays.hpp"

namespace sode::xmp {

/// A gmove among the executing nodes, of arrays of which other nodes have parts, too. Each node sends the elements that it has
/// straight to those that want them. Ends the program where an element lies on nodes that do not execute it.
void move_among(char const* at, sode_xmp_side const& to, sode_xmp_side const& from);

/// Ends the program unless the executing nodes have all elements that `side` names: all copies of them if it is `written`, one of
/// each otherwise. `mode` is " in", " out", or nothing.
void require_named_here(char const* at, sode_xmp_side const& side, bool written, char const* mode);

/// The executing nodes that have an element, by their numbers among those. `number` as in `elements`.
class elements;
[[nodiscard]] std::vector<std::size_t> executing_owners(elements const& all, std::int64_t number);

} // namespace sode::xmp
