// SPDX-License-Identifier: Apache-2.0
// Every operation on every kind of element: against arithmetic written once more, one element at a time.
#include "engine/row_operators.hpp"
#include "engine/small_floats.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace sode::internal {
namespace {

constexpr std::size_t elements_of_a_row = 37;

/// Values with ties, zeros and signs among them.
template <class T> std::vector<T> some(unsigned seed) {
    std::mt19937 random{seed};
    std::vector<T> values;
    for (std::size_t i = 0; i < elements_of_a_row; ++i) {
        auto const n = static_cast<int>(random() % 9) - 4;
        if constexpr (std::is_same_v<T, bool>)
            values.push_back(n > 0);
        else if constexpr (std::is_integral_v<T>)
            values.push_back(static_cast<T>(n));
        else
            values.push_back(static_cast<T>(static_cast<float>(n)));
    }
    return values;
}

template <class T> void expect_row(reduction op, element type, auto naive) {
    SCOPED_TRACE(describe_combiner(combiner(op, type)));
    auto const run = combining(combiner(op, type));
    ASSERT_NE(run, nullptr);
    ASSERT_EQ(size_of(type), sizeof(T));
    auto const a = some<T>(1), b = some<T>(2);
    std::vector<std::byte> expected;
    for (std::size_t i = 0; i < a.size(); ++i) {
        T const r = static_cast<T>(naive(static_cast<T>(a[i]), static_cast<T>(b[i])));
        auto const* const bytes = reinterpret_cast<std::byte const*>(&r);
        expected.insert(expected.end(), bytes, bytes + sizeof(T));
    }
    std::array<T, elements_of_a_row> x{}, y{}, z{};
    std::copy(a.begin(), a.end(), x.begin());
    std::copy(b.begin(), b.end(), y.begin());
    auto const raw = [](auto& array) { return reinterpret_cast<std::byte*>(array.data()); };
    run(raw(z), raw(x), raw(y), sizeof z);
    EXPECT_EQ(std::memcmp(z.data(), expected.data(), expected.size()), 0);
    auto first = x, second = y;
    run(raw(first), raw(first), raw(y), sizeof first);
    run(raw(second), raw(x), raw(second), sizeof second);
    EXPECT_EQ(std::memcmp(first.data(), expected.data(), expected.size()), 0) << "in the place of the first";
    EXPECT_EQ(std::memcmp(second.data(), expected.data(), expected.size()), 0) << "in the place of the second";
}

/// As wide as it takes: two 16-bit numbers multiplied are an int, and too large for it.
template <class T> auto wide(T value) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<std::uint64_t>(value);
    else
        return value;
}
template <class T> void expect_arithmetic(element type) {
    expect_row<T>(reduction::sum, type, [](T a, T b) { return static_cast<T>(wide(a) + wide(b)); });
    expect_row<T>(reduction::product, type, [](T a, T b) { return static_cast<T>(wide(a) * wide(b)); });
}
template <class T> void expect_order(element type) {
    expect_row<T>(reduction::max, type, [](T a, T b) { return a < b ? b : a; });
    expect_row<T>(reduction::min, type, [](T a, T b) { return b < a ? b : a; });
}
template <class T> void expect_logic(element type) {
    expect_row<T>(reduction::logical_and, type, [](T a, T b) { return a != T{} && b != T{}; });
    expect_row<T>(reduction::logical_or, type, [](T a, T b) { return a != T{} || b != T{}; });
    expect_row<T>(reduction::logical_xor, type, [](T a, T b) { return (a != T{}) != (b != T{}); });
}
template <class T> void expect_bits(element type) {
    expect_row<T>(reduction::bit_and, type, [](T a, T b) { return a & b; });
    expect_row<T>(reduction::bit_or, type, [](T a, T b) { return a | b; });
    expect_row<T>(reduction::bit_xor, type, [](T a, T b) { return a ^ b; });
}
template <class T> void expect_integer(element type) {
    expect_arithmetic<T>(type);
    expect_order<T>(type);
    expect_logic<T>(type);
    expect_bits<T>(type);
}

TEST(row_operators, integers) {
    expect_integer<std::int8_t>(element::i8);
    expect_integer<std::int16_t>(element::i16);
    expect_integer<std::int32_t>(element::i32);
    expect_integer<std::int64_t>(element::i64);
    expect_integer<std::uint8_t>(element::u8);
    expect_integer<std::uint16_t>(element::u16);
    expect_integer<std::uint32_t>(element::u32);
    expect_integer<std::uint64_t>(element::u64);
}

TEST(row_operators, floating_point_numbers) {
    for (auto const type : {element::f32, element::f64}) {
        if (type == element::f32) {
            expect_arithmetic<float>(type);
            expect_order<float>(type);
            expect_logic<float>(type);
        } else {
            expect_arithmetic<double>(type);
            expect_order<double>(type);
            expect_logic<double>(type);
        }
    }
}

TEST(row_operators, complex_numbers) {
    expect_arithmetic<std::complex<float>>(element::c64);
    expect_arithmetic<std::complex<double>>(element::c128);
}

TEST(row_operators, truth_values) {
    expect_order<bool>(element::boolean);
    expect_logic<bool>(element::boolean);
    expect_bits<bool>(element::boolean);
}

// Ten bytes of sixteen: what the others hold is nobody's.
TEST(row_operators, extended_precision) {
    auto const run = combining(combiner(reduction::product, element::extended));
    ASSERT_NE(run, nullptr);
    long double a = 3, b = 0.125L, c = 0;
    run(reinterpret_cast<std::byte*>(&c), reinterpret_cast<std::byte*>(&a), reinterpret_cast<std::byte*>(&b), sizeof c);
    EXPECT_EQ(c, 0.375L);
}

TEST(row_operators, integers_wrap_round) {
    std::int32_t const most = std::numeric_limits<std::int32_t>::max(), one = 1;
    std::int32_t sum = 0;
    combining(combiner(reduction::sum, element::i32))(reinterpret_cast<std::byte*>(&sum), reinterpret_cast<std::byte const*>(&most),
                                                      reinterpret_cast<std::byte const*>(&one), sizeof sum);
    EXPECT_EQ(sum, std::numeric_limits<std::int32_t>::min());
}

template <class V, class L> struct at {
    V value;
    L where;
};

template <class V, class L> void expect_located(element type, reduction op, at<V, L> a, at<V, L> b, at<V, L> expected) {
    SCOPED_TRACE(describe_combiner(combiner(op, type)));
    ASSERT_EQ(size_of(type), sizeof a);
    at<V, L> r{};
    auto const run = combining(combiner(op, type));
    ASSERT_NE(run, nullptr);
    run(reinterpret_cast<std::byte*>(&r), reinterpret_cast<std::byte const*>(&a), reinterpret_cast<std::byte const*>(&b), sizeof r);
    EXPECT_EQ(r.value, expected.value);
    EXPECT_EQ(r.where, expected.where);
}

template <class V, class L> void expect_located(element type) {
    using pair = at<V, L>;
    expect_located<V, L>(type, reduction::max, pair{1, 7}, pair{2, 9}, pair{2, 9});
    expect_located<V, L>(type, reduction::min, pair{1, 7}, pair{2, 9}, pair{1, 7});
    // Of equal values the lower location remains, from whichever side it comes.
    expect_located<V, L>(type, reduction::max, pair{2, 9}, pair{2, 7}, pair{2, 7});
    expect_located<V, L>(type, reduction::max, pair{2, 7}, pair{2, 9}, pair{2, 7});
    expect_located<V, L>(type, reduction::min, pair{2, 9}, pair{2, 7}, pair{2, 7});
}

TEST(row_operators, values_with_locations) {
    expect_located<float, std::int32_t>(with_location(element::f32, location::i32));
    expect_located<double, std::int32_t>(with_location(element::f64, location::i32));
    expect_located<std::int16_t, std::int32_t>(with_location(element::i16, location::i32));
    expect_located<std::int64_t, std::int32_t>(with_location(element::i64, location::i32));
    expect_located<long double, std::int32_t>(with_location(element::extended, location::i32));
    expect_located<float, std::int64_t>(with_location(element::f32, location::i64));
    expect_located<double, std::int64_t>(with_location(element::f64, location::i64));
    expect_located<std::int8_t, std::int64_t>(with_location(element::i8, location::i64));
    expect_located<float, float>(with_location(element::f32, location::value));
    expect_located<double, double>(with_location(element::f64, location::value));
    expect_located<std::int32_t, std::int32_t>(with_location(element::i32, location::value));
}

TEST(row_operators, half_precision_is_what_its_bits_say) {
    for (unsigned bits = 0; bits < 0x10000U; ++bits) {
        f16 const h{static_cast<std::uint16_t>(bits)};
        unsigned const exponent = bits >> 10U & 31U, fraction = bits & 1023U;
        float const value = h.value();
        if (exponent == 31 && fraction != 0) {
            ASSERT_TRUE(std::isnan(value)) << bits;
            ASSERT_TRUE(std::isnan(f16::from(value).value())) << bits;
            continue;
        }
        float const magnitude = exponent == 31  ? std::numeric_limits<float>::infinity()
                                : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                                : std::ldexp(static_cast<float>(1024 + fraction), static_cast<int>(exponent) - 25);
        ASSERT_EQ(value, bits & 0x8000U ? -magnitude : magnitude) << bits;
        ASSERT_EQ(f16::from(value).bits, bits);
    }
}

/// The nearest of all that there are, ties to the one with an even last bit; slow and obviously right.
template <class Small> std::uint16_t nearest(float value) {
    std::uint16_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (unsigned bits = 0; bits < 0x8000U; ++bits) {
        Small const candidate{static_cast<std::uint16_t>(bits)};
        double const other = candidate.value();
        if (!std::isfinite(other)) break;
        double const distance = std::abs(other - static_cast<double>(std::abs(value)));
        if (distance < least || (distance == least && bits % 2 == 0)) {
            least = distance;
            best = static_cast<std::uint16_t>(bits);
        }
    }
    return static_cast<std::uint16_t>(best | (std::signbit(value) ? 0x8000U : 0U));
}

template <class Small> void expect_nearest(int lowest, int highest) {
    std::mt19937 random{11};
    for (int i = 0; i < 60; ++i) {
        auto const exponent = lowest + static_cast<int>(random() % static_cast<unsigned>(highest - lowest));
        auto const fraction = random() >> (random() % 24U);
        auto const value = std::ldexp(static_cast<float>(fraction), exponent - 32) * (i % 2 == 0 ? 1.0F : -1.0F);
        ASSERT_EQ(Small::from(value).bits, nearest<Small>(value)) << value;
    }
}

TEST(row_operators, numbers_of_two_bytes_are_rounded_to_the_nearest) {
    expect_nearest<f16>(-26, 16);
    expect_nearest<bf16>(-20, 20);
    EXPECT_EQ(f16::from(65519.0F).value(), 65504.0F);
    EXPECT_TRUE(std::isinf(f16::from(65520.0F).value()));
    EXPECT_EQ(f16::from(0x1p-25F).bits, 0U) << "a tie, to the even one";
    EXPECT_EQ(f16::from(0x1.8p-25F).bits, 1U);
    EXPECT_TRUE(std::isinf(bf16::from(std::numeric_limits<float>::max()).value()));
    EXPECT_TRUE(std::isnan(bf16::from(std::numeric_limits<float>::quiet_NaN()).value()));
    auto const sum_of = [](element type, std::uint16_t a, std::uint16_t b) {
        std::uint16_t r = 0;
        combining(combiner(reduction::sum, type))(reinterpret_cast<std::byte*>(&r), reinterpret_cast<std::byte*>(&a),
                                                  reinterpret_cast<std::byte*>(&b), sizeof r);
        return r;
    };
    EXPECT_EQ(sum_of(element::f16, f16::from(1.5F).bits, f16::from(2.25F).bits), f16::from(3.75F).bits);
    EXPECT_EQ(sum_of(element::bf16, bf16::from(1.5F).bits, bf16::from(2.25F).bits), bf16::from(3.75F).bits);
}

// What has no meaning has no function, and nothing else: a combiner may come from anywhere.
TEST(row_operators, exist_where_they_mean_something) {
    int found = 0;
    for (std::uint32_t c = 0; c < 0x20000U; ++c) {
        ASSERT_EQ(combining(c) != nullptr, is_combiner(c)) << describe_combiner(c);
        found += is_combiner(c);
    }
    // sum and product: 15; max and min: 14 with 4 kinds of location; bits: 9; logic: 14
    EXPECT_EQ(found, 2 * 15 + 2 * 14 * 4 + 3 * 9 + 3 * 14);
    EXPECT_EQ(describe_combiner(combiner(reduction::max, with_location(element::f64, location::i32))), "max of f64 at i32");
    EXPECT_EQ(describe_combiner(0xff00U), "? of f32");
}

template <class T> void expect_negated(element type) {
    auto const run = negating(type);
    ASSERT_NE(run, nullptr);
    for (T const value : some<T>(3)) {
        T r{};
        run(reinterpret_cast<std::byte*>(&r), nullptr, reinterpret_cast<std::byte const*>(&value), sizeof r);
        EXPECT_EQ(r, static_cast<T>(-value));
    }
}

TEST(row_operators, negate) {
    expect_negated<float>(element::f32);
    expect_negated<double>(element::f64);
    expect_negated<std::int8_t>(element::i8);
    expect_negated<std::uint64_t>(element::u64);
    expect_negated<std::complex<double>>(element::c128);
    std::uint16_t const one = f16::from(1.0F).bits;
    std::uint16_t r = 0;
    negating(element::f16)(reinterpret_cast<std::byte*>(&r), nullptr, reinterpret_cast<std::byte const*>(&one), sizeof r);
    EXPECT_EQ(f16{r}.value(), -1.0F);
    EXPECT_EQ(negating(element::boolean), nullptr);
    EXPECT_EQ(negating(with_location(element::f64, location::i32)), nullptr);
}

} // namespace
} // namespace sode::internal
