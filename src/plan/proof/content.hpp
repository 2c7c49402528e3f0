// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/reduction.hpp"

namespace sode::internal::proof {

/// What memory holds: one value, or what one operator has made of several. The same contributions under the same operator are the
/// same content however they were grouped; their order matters where the operator says so.
///
/// Under an operator that commutes, `value` is the sum of the contributions' values (origin.hpp). Else it is the polynomial that
/// has them as coefficients, at a fixed odd place: appending to it is what concatenation is to words.
struct content {
    std::uint64_t value = 0;              ///< 0 = nobody's
    std::uint32_t combiner = no_combiner; ///< no_combiner: one value. The user's are numbered through the whole job (job::combiner)
    std::uint32_t count = 1;              ///< contributions

    friend bool operator==(content const&, content const&) = default;
};

[[nodiscard]] constexpr content negated(content c) noexcept {
    c.value = 0 - c.value; // so that a value with the other sign is what takes it away
    return c;
}

/// `first` op `second`.
[[nodiscard]] constexpr content combined(content first, content second, std::uint32_t combiner, bool commutes) noexcept {
    constexpr std::uint64_t place = 0xd1342543de82ef95U;
    // What another operator has made is one contribution like any other.
    auto const whole = [&](content const& c) {
        if (c.combiner == combiner || c.combiner == no_combiner) return c;
        return content{.value = (c.value ^ (std::uint64_t{c.combiner} << 32U | c.count)) * 0x9e3779b97f4a7c15U};
    };
    first = whole(first);
    second = whole(second);
    std::uint64_t shift = 1;
    if (!commutes) {
        std::uint64_t power = place;
        for (auto n = second.count; n != 0; n >>= 1U, power *= power)
            if (n & 1U) shift *= power;
    }
    return {first.value * shift + second.value, combiner, first.count + second.count};
}

} // namespace sode::internal::proof
