// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "pattern/exchange_terms.hpp"

namespace sode::internal {

/// Measures an edge whose layouts are known, and chooses how it goes. `shared`: the target can load the source's memory, if they
/// are on one machine.
void choose_way(edge& e, exchange_terms const& terms, bool shared);

/// Errors: usage, where edges are forced into lines that a pattern does not have.
void refuse_lines(exchange_terms const& terms);

} // namespace sode::internal
