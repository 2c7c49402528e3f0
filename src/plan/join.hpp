// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/builder.hpp"

#include <map>
#include <span>

namespace sode::internal {

/// A plan that becomes part of another one of the same rank.
struct plan_part {
    plan steps;
    std::int64_t behind = 0;          ///< bytes: it begins so far behind the beginning of each array
    std::map<int, own_part> before{}; ///< by host: what other parts have there, before that of this one
};

/// Puts parts together that run side by side: each of their streams is one of the whole. Lines and stages lie behind those of the
/// parts before, and messages between two ranks are counted on from part to part. The whole has the operators already.
///
/// \param array_bytes  of the arrays of this rank, by ordinal
/// Parts have no choices, constants, pairs of lines, or scratch memory; nothing that they owe, and nothing that is said of them, is
/// taken over.
void join(plan_builder& whole, std::span<plan_part const> parts, std::span<std::int64_t const> array_bytes);

} // namespace sode::internal
