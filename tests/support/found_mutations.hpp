// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/all_ranks.hpp"
#include "support/mutations.hpp"

#include <gtest/gtest.h>

namespace sode::internal::testing {

/// verify() finds every mutation of the plans of these ranks (none: of all) that is not known to be harmless, and none that is.
inline void expect_mutations_found(all_ranks const& a, std::vector<harmless> known, std::vector<harmless> const& more,
                                   std::vector<std::size_t> const& ranks) {
    known.insert(known.end(), more.begin(), more.end());
    auto const result = try_mutations(a.plans, a.models, known, 8, ranks, a.machines);
    EXPECT_GT(result.tried, 0U);
    for (auto const& s : result.survivors) ADD_FAILURE() << "not found: " << s;
    for (auto const& s : result.refuted) ADD_FAILURE() << "not harmless: " << s;
}

} // namespace sode::internal::testing
