// SPDX-License-Identifier: Apache-2.0
#include "engine/combine.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <type_traits>

namespace sode {
namespace {

template <class T, class Op> void apply(std::byte* target, std::byte const* source, std::size_t bytes, Op op) noexcept {
    for (std::size_t i = 0; i + sizeof(T) <= bytes; i += sizeof(T)) {
        T a, b;
        std::memcpy(&a, target + i, sizeof(T));
        std::memcpy(&b, source + i, sizeof(T));
        a = static_cast<T>(op(a, b));
        std::memcpy(target + i, &a, sizeof(T));
    }
}

template <class T> void apply(reduction op, std::byte* target, std::byte const* source, std::size_t bytes) noexcept {
    switch (op) {
    case reduction::sum: return apply<T>(target, source, bytes, std::plus<>{});
    case reduction::product: return apply<T>(target, source, bytes, std::multiplies<>{});
    case reduction::max: return apply<T>(target, source, bytes, [](T a, T b) { return std::max(a, b); });
    case reduction::min: return apply<T>(target, source, bytes, [](T a, T b) { return std::min(a, b); });
    default: break;
    }
    if constexpr (std::is_integral_v<T>) {
        switch (op) {
        case reduction::bit_and: return apply<T>(target, source, bytes, std::bit_and<>{});
        case reduction::bit_or: return apply<T>(target, source, bytes, std::bit_or<>{});
        case reduction::bit_xor: return apply<T>(target, source, bytes, std::bit_xor<>{});
        default: break;
        }
    }
}

} // namespace

std::size_t size_of(element type) noexcept {
    switch (type) {
    case element::i8:
    case element::u8: return 1;
    case element::i16:
    case element::u16: return 2;
    case element::f32:
    case element::i32:
    case element::u32: return 4;
    case element::f64:
    case element::i64:
    case element::u64: return 8;
    }
    return 0;
}

void combine(std::uint32_t combiner, std::byte* target, std::byte const* source, std::size_t bytes) noexcept {
    auto const op = static_cast<reduction>(combiner >> 8U);
    switch (static_cast<element>(combiner & 0xffU)) {
    case element::f32: return apply<float>(op, target, source, bytes);
    case element::f64: return apply<double>(op, target, source, bytes);
    case element::i8: return apply<std::int8_t>(op, target, source, bytes);
    case element::i16: return apply<std::int16_t>(op, target, source, bytes);
    case element::i32: return apply<std::int32_t>(op, target, source, bytes);
    case element::i64: return apply<std::int64_t>(op, target, source, bytes);
    case element::u8: return apply<std::uint8_t>(op, target, source, bytes);
    case element::u16: return apply<std::uint16_t>(op, target, source, bytes);
    case element::u32: return apply<std::uint32_t>(op, target, source, bytes);
    case element::u64: return apply<std::uint64_t>(op, target, source, bytes);
    }
}

} // namespace sode
