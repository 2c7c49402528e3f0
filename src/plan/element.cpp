// SPDX-License-Identifier: Apache-2.0
#include "plan/element.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace sode::internal {
namespace {

struct description {
    std::string_view name;
    std::size_t bytes;
    std::size_t alignment;
};

constexpr std::array<description, 16> descriptions{{
    {"f32", 4, 4},
    {"f64", 8, 8},
    {"i8", 1, 1},
    {"i16", 2, 2},
    {"i32", 4, 4},
    {"i64", 8, 8},
    {"u8", 1, 1},
    {"u16", 2, 2},
    {"u32", 4, 4},
    {"u64", 8, 8},
    {"f16", 2, 2},
    {"bf16", 2, 2},
    {"bool", 1, 1},
    {"c64", 8, 4},
    {"c128", 16, 8},
    {"extended", sizeof(long double), alignof(long double)},
}};

constexpr description const& of(element e) noexcept {
    return descriptions[static_cast<std::size_t>(value_of(e))];
}

constexpr std::size_t rounded(std::size_t bytes, std::size_t alignment) noexcept {
    return (bytes + alignment - 1) / alignment * alignment;
}

constexpr std::size_t with(description const& value, std::size_t bytes) noexcept {
    return rounded(rounded(value.bytes, bytes) + bytes, std::max(value.alignment, bytes));
}

} // namespace

std::size_t size_of(element e) noexcept {
    auto const& value = of(e);
    switch (location_of(e)) {
    case location::none: return value.bytes;
    case location::i32: return with(value, sizeof(std::int32_t));
    case location::i64: return with(value, sizeof(std::int64_t));
    case location::value: return 2 * value.bytes;
    }
    return 0;
}

std::string to_string(element e) {
    std::string name{of(e).name};
    switch (location_of(e)) {
    case location::none: return name;
    case location::i32: return name + " at i32";
    case location::i64: return name + " at i64";
    case location::value: return name + " at " + name;
    }
    return "?";
}

} // namespace sode::internal
