// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/collective_terms.hpp"
#include "engine/prepared.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace sode::detail {
struct job;
} // namespace sode::detail

namespace sode::internal {

/// The memory of one rank: what it gives and what it gets; the same for who works in place.
struct collective_memory {
    std::byte* input = nullptr;
    std::byte* output = nullptr;
};

/// Chooses an algorithm, builds this rank's plan and binds it. Collective. `forced`: an algorithm, or empty. Errors: those of
/// choose_algorithm and prepared; internal, under SODE_CHECK=plan, if the plans of the ranks do not fit together.
[[nodiscard]] std::unique_ptr<prepared> prepare_collective(detail::job& j, collective_terms const& terms, collective_memory memory,
                                                           std::string_view forced = {},
                                                           std::vector<plan_calls::combiner> operators = {});

} // namespace sode::internal
