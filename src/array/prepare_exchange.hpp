// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/prepared_list.hpp"

#include <sode/exchange.hpp>

#include <memory>
#include <span>

namespace sode::internal {

/// What an exchange has behind it. Collective among the ranks of `j`, as exchange_init(); `known`: why this rank cannot take part.
[[nodiscard]] std::unique_ptr<prepared_list> prepare_exchange(detail::job& j, std::span<message_end const> ends,
                                                              exchange_options const& options, error const* known = nullptr);

/// Whether the ends of this rank can be planned, as far as it can see alone: their peers exist, and no byte is received twice, or
/// received and sent. Not collective.
[[nodiscard]] bool can_exchange(detail::job& j, std::span<message_end const> ends);

} // namespace sode::internal
