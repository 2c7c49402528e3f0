// SPDX-License-Identifier: Apache-2.0
#include "plan/combiners.hpp"

#include <fmt/format.h>

namespace sode::internal {

bool has_combiner(schedule const& p, std::uint32_t combiner) noexcept {
    if (!is_users(combiner)) return is_combiner(combiner);
    auto const k = combiner - user_combiners;
    return k < p.operators.size() && p.operators[k].element_bytes != 0;
}

std::size_t element_bytes(schedule const& p, std::uint32_t combiner) noexcept {
    return is_users(combiner) ? p.operators[combiner - user_combiners].element_bytes : size_of(element_of(combiner));
}

bool commutes(schedule const& p, std::uint32_t combiner) noexcept {
    return !is_users(combiner) || p.operators[combiner - user_combiners].commutes;
}

std::string describe_combiner(schedule const& p, std::uint32_t combiner) {
    if (!is_users(combiner)) return describe_combiner(combiner);
    if (!has_combiner(p, combiner)) return "?";
    auto const& o = p.operators[combiner - user_combiners];
    return fmt::format("{} of {} B", o.name, o.element_bytes);
}

} // namespace sode::internal
