// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/element_code.hpp>
#include <sode/types.hpp>

#include <array>
#include <complex>
#include <concepts>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

// The implementation of sode::sum, sode::max, …: operations on elements, on arrays of elements, and on tuples.

namespace sode {

/// One operation for each value of a tuple: `operations{sode::sum, sode::max}`. See reduce().
template <class... Op> struct operations {
    constexpr explicit operations(Op...) noexcept {}
};

namespace detail {

/// Returns infinity with the given sign, or the largest or smallest number for types without infinity. Types that the standard
/// library does not know are supported, too.
template <class T, bool Lowest> [[nodiscard]] constexpr T extreme() noexcept {
    if constexpr (code_of_half<T> != no_number)
        return static_cast<T>(Lowest ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity());
    else if constexpr (std::numeric_limits<T>::has_infinity)
        return Lowest ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
    else
        return Lowest ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
}

/// Properties of an operation. `on<T>`: the operation is defined for two elements of type T.
struct arithmetic {
    template <class T> static constexpr bool on = !std::is_same_v<T, bool> && !is_located<T>;
};
/// The type in which values of type T are computed. Integers wrap around, as in reductions between ranks. Other types are computed
/// in T.
template <class T> [[nodiscard]] constexpr auto wrapping(T value) noexcept {
    if constexpr (std::is_integral_v<T> && sizeof(T) >= sizeof(int))
        return static_cast<std::make_unsigned_t<T>>(value);
    else if constexpr (std::is_integral_v<T>)
        return static_cast<unsigned>(value);
    else
        return value;
}
struct sum_op : arithmetic {
    static constexpr std::uint8_t code = 0;
    template <class T> [[nodiscard]] static constexpr T identity() noexcept { return static_cast<T>(0); }
    template <class T> constexpr T operator()(T a, T b) const noexcept { return static_cast<T>(wrapping(a) + wrapping(b)); }
};
struct product_op : arithmetic {
    static constexpr std::uint8_t code = 1;
    template <class T> [[nodiscard]] static constexpr T identity() noexcept { return static_cast<T>(1); }
    template <class T> constexpr T operator()(T a, T b) const noexcept { return static_cast<T>(wrapping(a) * wrapping(b)); }
    template <class T> constexpr std::complex<T> operator()(std::complex<T> a, std::complex<T> b) const noexcept {
        // as in reductions between ranks
        return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
    }
};

/// `Lowest`: the operation starts from the lowest value, so the highest value wins.
template <bool Lowest> struct ordering {
    template <class T> static constexpr bool on = !is_complex_number<T>;
    template <class T> [[nodiscard]] static constexpr T identity() noexcept {
        if constexpr (is_located<T>)
            return {extreme<decltype(T::value), Lowest>(), std::numeric_limits<index_t>::max()};
        else
            return extreme<T, Lowest>();
    }
    template <class T> constexpr T operator()(T a, T b) const noexcept { return before(a, b) ? b : a; }
    template <class T> constexpr located<T> operator()(located<T> a, located<T> b) const noexcept {
        bool const other = before(a.value, b.value) || (!before(b.value, a.value) && b.at < a.at);
        return other ? b : a;
    }

private:
    template <class T> static constexpr bool before(T const& a, T const& b) noexcept { return Lowest ? a < b : b < a; }
};
struct max_op : ordering<true> {
    static constexpr std::uint8_t code = 2;
};
struct min_op : ordering<false> {
    static constexpr std::uint8_t code = 3;
};

struct bitwise {
    template <class T> static constexpr bool on = std::is_integral_v<T>;
};
struct band_op : bitwise {
    static constexpr std::uint8_t code = 4;
    template <class T> [[nodiscard]] static constexpr T identity() noexcept { return static_cast<T>(~T{0} | T{1}); }
    template <class T> constexpr T operator()(T a, T b) const noexcept { return static_cast<T>(a & b); }
};
struct bor_op : bitwise {
    static constexpr std::uint8_t code = 5;
    template <class T> [[nodiscard]] static constexpr T identity() noexcept { return T{0}; }
    template <class T> constexpr T operator()(T a, T b) const noexcept { return static_cast<T>(a | b); }
};
struct bxor_op : bitwise {
    static constexpr std::uint8_t code = 6;
    template <class T> [[nodiscard]] static constexpr T identity() noexcept { return T{0}; }
    template <class T> constexpr T operator()(T a, T b) const noexcept { return static_cast<T>(a ^ b); }
};

struct logical {
    template <class T> static constexpr bool on = !is_located<T> && !is_complex_number<T>;
};
struct land_op : logical {
    static constexpr std::uint8_t code = 7;
    template <class T> [[nodiscard]] static constexpr T identity() noexcept { return static_cast<T>(1); }
    template <class T> constexpr T operator()(T a, T b) const noexcept { return static_cast<T>(a != T(0) && b != T(0)); }
};
struct lor_op : logical {
    static constexpr std::uint8_t code = 8;
    template <class T> [[nodiscard]] static constexpr T identity() noexcept { return static_cast<T>(0); }
    template <class T> constexpr T operator()(T a, T b) const noexcept { return static_cast<T>(a != T(0) || b != T(0)); }
};
struct lxor_op : logical {
    static constexpr std::uint8_t code = 9;
    template <class T> [[nodiscard]] static constexpr T identity() noexcept { return static_cast<T>(0); }
    template <class T> constexpr T operator()(T a, T b) const noexcept { return static_cast<T>((a != T(0)) != (b != T(0))); }
};

/// The parameter of the functions sode::sum, …, which only stand for operations and are never called.
struct names_an_operation {};

/// The operation for which a function such as sode::sum stands. An operation stands for itself.
template <class Op> struct named { using operation = Op; };
template <class Op> struct named<Op (*)(names_an_operation) noexcept> { using operation = Op; };
template <class Op> using operation_of = typename named<Op>::operation;

template <class T, class... Of> inline constexpr bool is_one_of = (std::is_same_v<T, Of> || ...);
/// True for one of the ten operations above.
template <class Op>
inline constexpr bool is_reduction =
    is_one_of<Op, sum_op, product_op, max_op, min_op, band_op, bor_op, bxor_op, land_op, lor_op, lxor_op>;

template <class Op> inline constexpr bool is_reductions = is_reduction<operation_of<Op>>;
template <class... Op> inline constexpr bool is_reductions<operations<Op...>> = (is_reduction<operation_of<Op>> && ...);
/// Compiles only if Op is an operation that all ranks know; otherwise a static_assert explains the mistake.
template <class Op> constexpr bool names_operations() {
    static_assert(is_reductions<Op>, "use sode::sum, product, max, min, band, bor, bxor, land, lor or lxor (or several of them in "
                                     "sode::operations), not std::plus or a function of your own");
    return is_reductions<Op>;
}

/// Consecutive elements that are combined by one operation. The codes are those of src/plan/reduction.hpp.
struct combined_part {
    std::uint32_t elements = 1;
    std::uint8_t op = 0;
    std::uint8_t type = 0;
};

template <class T, class Op> [[nodiscard]] constexpr std::uint8_t element_code() noexcept {
    static_assert(code_of<T>() != no_number, "a reduction can combine numbers, complex numbers, bool and sode::located of "
                                             "them, and std::array and std::tuple of these");
    static_assert(Op::template on<T>,
                  "this operation is not defined for these values: complex numbers have no order, floating-point numbers have no "
                  "bitwise operations, bool has no sum, and only max and min support locations");
    return code_of<T>();
}

/// Combines values of type T (here numbers) by Op: contains the operation on T, and the data that ranks need about it.
template <class T, class Op> struct combining : Op {
    static constexpr std::array<combined_part, 1> parts() noexcept { return {{{1, Op::code, element_code<T, Op>()}}}; }
    static void pack(T const& value, std::byte* to) noexcept { __builtin_memcpy(to, &value, sizeof value); }
    static void unpack(T& value, std::byte const* from) noexcept { __builtin_memcpy(&value, from, sizeof value); }
    static constexpr std::size_t bytes = sizeof(T);
};

/// An array of numbers, combined element by element.
template <class T, std::size_t K, class Op> struct combining<std::array<T, K>, Op> {
    using value = std::array<T, K>;
    using one = combining<T, Op>;
    static_assert(K > 0, "there is nothing to reduce");
    template <class> [[nodiscard]] static constexpr value identity() noexcept {
        value v{};
        v.fill(Op::template identity<T>());
        return v;
    }
    constexpr value operator()(value a, value const& b) const noexcept {
        for (std::size_t k = 0; k < K; ++k) a[k] = Op{}(a[k], b[k]);
        return a;
    }
    static constexpr std::array<combined_part, 1> parts() noexcept { return {{{K, Op::code, element_code<T, Op>()}}}; }
    static void pack(value const& v, std::byte* to) noexcept { __builtin_memcpy(to, v.data(), bytes); }
    static void unpack(value& v, std::byte const* from) noexcept { __builtin_memcpy(v.data(), from, bytes); }
    static constexpr std::size_t bytes = K * sizeof(T);
};

/// A tuple of numbers, each combined by its own operation.
template <class... T, class... Op> struct combining<std::tuple<T...>, operations<Op...>> {
    static_assert(sizeof...(T) == sizeof...(Op), "a tuple of values needs one operation for each value");
    using value = std::tuple<T...>;
    template <class> [[nodiscard]] static constexpr value identity() noexcept {
        return {operation_of<Op>::template identity<T>()...};
    }
    constexpr value operator()(value const& a, value const& b) const noexcept {
        return each(a, b, std::index_sequence_for<T...>{});
    }
    static constexpr std::array<combined_part, sizeof...(T)> parts() noexcept {
        return {{combining<T, operation_of<Op>>::parts()[0]...}};
    }
    static void pack(value const& v, std::byte* to) noexcept {
        std::apply([&](T const&... t) { (..., (__builtin_memcpy(to, &t, sizeof t), to += sizeof t)); }, v);
    }
    static void unpack(value& v, std::byte const* from) noexcept {
        std::apply([&](T&... t) { (..., (__builtin_memcpy(&t, from, sizeof t), from += sizeof t)); }, v);
    }
    static constexpr std::size_t bytes = (0 + ... + sizeof(T));

private:
    template <std::size_t... I> static constexpr value each(value const& a, value const& b, std::index_sequence<I...>) noexcept {
        return {operation_of<Op>{}(std::get<I>(a), std::get<I>(b))...};
    }
};
template <class, class Op> using same_for = Op;
/// A tuple of numbers, all combined by the same operation.
template <class... T, class Op>
requires(is_reduction<Op>) struct combining<std::tuple<T...>, Op> : combining<std::tuple<T...>, operations<same_for<T, Op>...>> {
};

} // namespace detail
} // namespace sode
