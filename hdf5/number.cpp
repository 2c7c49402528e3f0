// SPDX-License-Identifier: Apache-2.0
#include "hdf5/number.hpp"

#include <array>

namespace sode::internal::files {
namespace {

constexpr std::array<number_traits, 10> all{{{"float32", "Float", 4},
                                             {"float64", "Float", 8},
                                             {"int8", "Char", 1},
                                             {"int16", "Int", 2},
                                             {"int32", "Int", 4},
                                             {"int64", "Int", 8},
                                             {"uint8", "UChar", 1},
                                             {"uint16", "UInt", 2},
                                             {"uint32", "UInt", 4},
                                             {"uint64", "UInt", 8}}};

} // namespace

number_traits const& traits(detail::number n) noexcept {
    return all.at(static_cast<std::size_t>(n));
}

hid_t native(detail::number n) noexcept {
    using enum detail::number;
    switch (n) {
    case f32: return H5T_NATIVE_FLOAT;
    case f64: return H5T_NATIVE_DOUBLE;
    case i8: return H5T_NATIVE_INT8;
    case i16: return H5T_NATIVE_INT16;
    case i32: return H5T_NATIVE_INT32;
    case i64: return H5T_NATIVE_INT64;
    case u8: return H5T_NATIVE_UINT8;
    case u16: return H5T_NATIVE_UINT16;
    case u32: return H5T_NATIVE_UINT32;
    case u64: return H5T_NATIVE_UINT64;
    }
    return H5I_INVALID_HID;
}

std::optional<detail::number> number_in(hid_t type) {
    auto const kind = H5Tget_class(type);
    auto const bytes = static_cast<int>(H5Tget_size(type));
    bool const is_signed = kind == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_2;
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto const n = static_cast<detail::number>(i);
        bool const floating = n <= detail::number::f64;
        if (all[i].bytes != bytes || kind != (floating ? H5T_FLOAT : H5T_INTEGER)) continue;
        if (floating || is_signed == (n <= detail::number::i64)) return n;
    }
    return std::nullopt;
}

} // namespace sode::internal::files
