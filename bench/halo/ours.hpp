// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "halo/subject.hpp"

#include <sode/sode.hpp>

#include <memory>
#include <string>
#include <vector>

namespace sode::bench {

/// Sode's exchange of a case, as a program would write it: `array` with one array a field, `buffered` with two that change roles.
/// Collective.
[[nodiscard]] std::vector<std::unique_ptr<subject>> our_subjects(runtime& rt, rank_block const& b);

} // namespace sode::bench
