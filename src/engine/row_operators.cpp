// SPDX-License-Identifier: Apache-2.0
#include "engine/row_operators.hpp"

#include "engine/small_floats.hpp"

#include <complex>
#include <cstring>
#include <type_traits>

namespace sode::internal {
namespace {

template <class T> inline constexpr bool is_small = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
template <class T>
inline constexpr bool is_complex = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

/// What is computed with in the place of T.
template <class T> auto widened(T value) noexcept {
    if constexpr (is_small<T>)
        return value.value();
    else
        return value;
}
template <class T, class W> T narrowed(W value) noexcept {
    if constexpr (is_small<T>)
        return T::from(value);
    else
        return static_cast<T>(value);
}
/// Integers wrap round, whatever their sign: the same bits in any order.
template <class T, class Op> T wrapping(T a, T b, Op op) noexcept {
    if constexpr (std::is_integral_v<T>) {
        using wide = std::uint64_t;
        return static_cast<T>(op(static_cast<wide>(a), static_cast<wide>(b)));
    } else {
        return op(a, b);
    }
}

template <reduction Op, class T> T combined(T a, T b) noexcept {
    auto const x = widened(a);
    auto const y = widened(b);
    using wide = std::remove_const_t<decltype(x)>;
    if constexpr (Op == reduction::sum)
        return narrowed<T>(wrapping<wide>(x, y, [](auto u, auto v) { return u + v; }));
    else if constexpr (Op == reduction::product && is_complex<T>) // as written in textbooks: no detour for infinities
        return T{x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
    else if constexpr (Op == reduction::product)
        return narrowed<T>(wrapping<wide>(x, y, [](auto u, auto v) { return u * v; }));
    else if constexpr (Op == reduction::max)
        return x < y ? b : a;
    else if constexpr (Op == reduction::min)
        return y < x ? b : a;
    else if constexpr (Op == reduction::bit_and)
        return static_cast<T>(a & b);
    else if constexpr (Op == reduction::bit_or)
        return static_cast<T>(a | b);
    else if constexpr (Op == reduction::bit_xor)
        return static_cast<T>(a ^ b);
    else if constexpr (Op == reduction::logical_and)
        return narrowed<T>(static_cast<wide>(x != wide{} && y != wide{}));
    else if constexpr (Op == reduction::logical_or)
        return narrowed<T>(static_cast<wide>(x != wide{} || y != wide{}));
    else
        return narrowed<T>(static_cast<wide>((x != wide{}) != (y != wide{})));
}

template <reduction Op, class T>
void combine_values(std::byte* target, std::byte const* first, std::byte const* second, std::size_t bytes) noexcept {
    for (std::size_t i = 0; i + sizeof(T) <= bytes; i += sizeof(T)) {
        T a, b;
        std::memcpy(&a, first + i, sizeof(T));
        std::memcpy(&b, second + i, sizeof(T));
        a = combined<Op>(a, b);
        std::memcpy(target + i, &a, sizeof(T));
    }
}

/// As a struct of C lies.
template <class T, class Where> struct pair {
    T value;
    Where at;
};

template <reduction Op, class T, class Where>
void combine_located(std::byte* target, std::byte const* first, std::byte const* second, std::size_t bytes) noexcept {
    using item = pair<T, Where>;
    for (std::size_t i = 0; i + sizeof(item) <= bytes; i += sizeof(item)) {
        item a, b;
        std::memcpy(&a, first + i, sizeof(item));
        std::memcpy(&b, second + i, sizeof(item));
        auto const x = widened(a.value), y = widened(b.value);
        bool const other = Op == reduction::max ? x < y : y < x;
        bool const same = !other && !(Op == reduction::max ? y < x : x < y);
        auto const& chosen = other || (same && widened(b.at) < widened(a.at)) ? b : a;
        // Member by member: what lies between them is nobody's.
        auto const value = chosen.value;
        auto const at = chosen.at;
        std::memcpy(target + i, &value, sizeof value);
        std::memcpy(target + i + offsetof(item, at), &at, sizeof at);
    }
}

template <class T> void negate_values(std::byte* target, std::byte const*, std::byte const* source, std::size_t bytes) noexcept {
    for (std::size_t i = 0; i + sizeof(T) <= bytes; i += sizeof(T)) {
        T a;
        std::memcpy(&a, source + i, sizeof(T));
        if constexpr (std::is_integral_v<T>) // the least integer is its own negative, and no overflow
            a = static_cast<T>(std::uint64_t{0} - static_cast<std::uint64_t>(a));
        else if constexpr (is_small<T>)
            a.bits ^= 0x8000U;
        else
            a = -a;
        std::memcpy(target + i, &a, sizeof(T));
    }
}

/// f.operator()<T>() for the type of the values; `otherwise` if there is none.
template <class R, class F> R for_value(element value, F f, R otherwise) noexcept {
    switch (value) {
    case element::f32: return f.template operator()<float>();
    case element::f64: return f.template operator()<double>();
    case element::i8: return f.template operator()<std::int8_t>();
    case element::i16: return f.template operator()<std::int16_t>();
    case element::i32: return f.template operator()<std::int32_t>();
    case element::i64: return f.template operator()<std::int64_t>();
    case element::u8: return f.template operator()<std::uint8_t>();
    case element::u16: return f.template operator()<std::uint16_t>();
    case element::u32: return f.template operator()<std::uint32_t>();
    case element::u64: return f.template operator()<std::uint64_t>();
    case element::f16: return f.template operator()<f16>();
    case element::bf16: return f.template operator()<bf16>();
    case element::boolean: return f.template operator()<bool>();
    case element::c64: return f.template operator()<std::complex<float>>();
    case element::c128: return f.template operator()<std::complex<double>>();
    case element::extended: return f.template operator()<long double>();
    }
    return otherwise;
}

/// Whether there are functions for values of type T, at all: which of them mean something, is_combiner() knows.
template <reduction Op, class T> constexpr bool has_function() noexcept {
    switch (Op) {
    case reduction::sum:
    case reduction::product: return true;
    case reduction::bit_and:
    case reduction::bit_or:
    case reduction::bit_xor: return std::is_integral_v<T>;
    default: return !is_complex<T>;
    }
}

template <reduction Op> row_function function_of(element type) noexcept {
    auto const where = location_of(type);
    return for_value<row_function>(
        value_of(type),
        [where]<class T>() -> row_function {
            if constexpr ((Op == reduction::max || Op == reduction::min) && !is_complex<T>) {
                switch (where) {
                case location::none: break;
                case location::i32: return combine_located<Op, T, std::int32_t>;
                case location::i64: return combine_located<Op, T, std::int64_t>;
                case location::value: return combine_located<Op, T, T>;
                }
            }
            if constexpr (has_function<Op, T>())
                return combine_values<Op, T>;
            else
                return nullptr;
        },
        nullptr);
}

} // namespace

row_function combining(std::uint32_t combiner) noexcept {
    if (!is_combiner(combiner)) return nullptr;
    auto const type = element_of(combiner);
    switch (operation_of(combiner)) {
    case reduction::sum: return function_of<reduction::sum>(type);
    case reduction::product: return function_of<reduction::product>(type);
    case reduction::max: return function_of<reduction::max>(type);
    case reduction::min: return function_of<reduction::min>(type);
    case reduction::bit_and: return function_of<reduction::bit_and>(type);
    case reduction::bit_or: return function_of<reduction::bit_or>(type);
    case reduction::bit_xor: return function_of<reduction::bit_xor>(type);
    case reduction::logical_and: return function_of<reduction::logical_and>(type);
    case reduction::logical_or: return function_of<reduction::logical_or>(type);
    case reduction::logical_xor: return function_of<reduction::logical_xor>(type);
    }
    return nullptr;
}

row_function negating(element type) noexcept {
    if (location_of(type) != location::none || type == element::boolean) return nullptr;
    return for_value<row_function>(
        type, []<class T>() -> row_function { return negate_values<T>; }, nullptr);
}

} // namespace sode::internal
