// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/exchange/exchange_spec.hpp"

#include <sode/bootstrap.hpp>
#include <sode/error.hpp>

#include <optional>

namespace sode::internal {

/// Tells all ranks what this one sends and receives, or why it cannot. Collective: two allgathers, for when something is wrong.
/// Errors: on all ranks alike, the `trouble` of the first rank that has some.
[[nodiscard]] std::map<int, rank_ends> tell_ends(bootstrap& boot, rank_ends const& mine, std::optional<error> const& trouble);

/// The same as words, and back.
[[nodiscard]] std::vector<index_t> to_words(rank_ends const& ends);
[[nodiscard]] rank_ends from_words(std::span<index_t const> words);

} // namespace sode::internal
