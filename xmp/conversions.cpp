// SPDX-License-Identifier: Apache-2.0
#include "conversions.hpp"

#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace sode::xmp {
namespace {

template <class T> struct of_type { using type = T; };

// Calls act(of_type<T>{}) for the type that the code means.
template <class Act> bool with_type(sode_type type, Act const& act) {
    switch (type) {
    case SODE_FLOAT: return act(of_type<float>{});
    case SODE_DOUBLE: return act(of_type<double>{});
    case SODE_LONG_DOUBLE: return act(of_type<long double>{});
    case SODE_FLOAT_COMPLEX: return act(of_type<std::complex<float>>{});
    case SODE_DOUBLE_COMPLEX: return act(of_type<std::complex<double>>{});
    case SODE_BOOL: return act(of_type<bool>{});
    case SODE_INT8: return act(of_type<std::int8_t>{});
    case SODE_INT16: return act(of_type<std::int16_t>{});
    case SODE_INT32: return act(of_type<std::int32_t>{});
    case SODE_INT64: return act(of_type<std::int64_t>{});
    case SODE_UINT8: return act(of_type<std::uint8_t>{});
    case SODE_UINT16: return act(of_type<std::uint16_t>{});
    case SODE_UINT32: return act(of_type<std::uint32_t>{});
    case SODE_UINT64: return act(of_type<std::uint64_t>{});
    default: return false;
    }
}

template <class T> struct is_complex : std::false_type {};
template <class T> struct is_complex<std::complex<T>> : std::true_type {};

template <class To, class From> To converted(From const& value) {
    if constexpr (is_complex<From>::value && is_complex<To>::value)
        return {static_cast<typename To::value_type>(value.real()), static_cast<typename To::value_type>(value.imag())};
    else if constexpr (is_complex<From>::value && std::is_same_v<To, bool>)
        return value != From{};
    else if constexpr (is_complex<From>::value)
        return static_cast<To>(value.real());
    else if constexpr (is_complex<To>::value)
        return {static_cast<typename To::value_type>(value), 0};
    else
        return static_cast<To>(value);
}

} // namespace

bool convert(void const* from, sode_type from_type, void* to, sode_type to_type, std::size_t count) {
    return with_type(from_type, [&](auto source) {
        return with_type(to_type, [&](auto target) {
            using source_type = typename decltype(source)::type;
            using target_type = typename decltype(target)::type;
            auto const* read = static_cast<char const*>(from);
            auto* written = static_cast<char*>(to);
            for (std::size_t k = 0; k < count; ++k, read += sizeof(source_type), written += sizeof(target_type)) {
                source_type value{};
                std::memcpy(&value, read, sizeof value);
                auto const become = converted<target_type>(value);
                std::memcpy(written, &become, sizeof become);
            }
            return true;
        });
    });
}

} // namespace sode::xmp
