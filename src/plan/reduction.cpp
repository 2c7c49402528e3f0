// SPDX-License-Identifier: Apache-2.0
#include "plan/reduction.hpp"

#include <array>

namespace sode::internal {
namespace {

constexpr std::array<std::string_view, reduction_count> names{"sum",    "product", "max",         "min",        "bit_and",
                                                              "bit_or", "bit_xor", "logical_and", "logical_or", "logical_xor"};

bool is_complex(element value) noexcept {
    return value == element::c64 || value == element::c128;
}
bool is_integer(element value) noexcept {
    return value >= element::i8 && value <= element::u64;
}

} // namespace

std::string_view to_string(reduction op) noexcept {
    auto const i = static_cast<std::size_t>(op);
    return i < names.size() ? names[i] : "?";
}

bool combines(reduction op, element type) noexcept {
    auto const value = value_of(type);
    bool const located = location_of(type) != location::none;
    switch (op) {
    case reduction::sum:
    case reduction::product: return !located && value != element::boolean;
    case reduction::max:
    case reduction::min: return !is_complex(value) && location_of(type) <= location::value;
    case reduction::bit_and:
    case reduction::bit_or:
    case reduction::bit_xor: return !located && (is_integer(value) || value == element::boolean);
    case reduction::logical_and:
    case reduction::logical_or:
    case reduction::logical_xor: return !located && !is_complex(value);
    }
    return false;
}

bool has_sign(element type) noexcept {
    return location_of(type) == location::none && value_of(type) <= element::extended && value_of(type) != element::boolean;
}

bool is_combiner(std::uint32_t combiner) noexcept {
    return (combiner >> 16U) == 0 && combines(operation_of(combiner), element_of(combiner));
}

std::string describe_combiner(std::uint32_t combiner) {
    if ((combiner >> 16U) != 0) return "?";
    return std::string{to_string(operation_of(combiner))} + " of " + to_string(element_of(combiner));
}

} // namespace sode::internal
