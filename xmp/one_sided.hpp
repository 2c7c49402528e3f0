// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "arrays.hpp"

namespace sode::xmp {

/// The program has `gmove in` or `out`: nodes reach the elements of others.
[[nodiscard]] bool reaching();
/// Reads what `from` names, an array that may lie on other nodes than the executing ones, and stores it where `to` names elements
/// of this rank.
void fetch(char const* at, sode_xmp_side const& to, sode_xmp_side const& from);
/// Stores what this rank has of `from` where `to` names elements of an array that may lie on other nodes.
void deliver(char const* at, sode_xmp_side const& to, sode_xmp_side const& from);
/// Stores one value in all elements that `to` names; the first executing node does.
void deliver_value(char const* at, sode_xmp_side const& to, void const* value);

} // namespace sode::xmp
