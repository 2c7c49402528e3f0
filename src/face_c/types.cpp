// SPDX-License-Identifier: Apache-2.0
#include "face_c/types.hpp"

#include "plan/reduction.hpp"

#include <sode/detail/reductions.hpp>
#include <sode/error.hpp>

#include <fmt/format.h>

#include <limits>

namespace sode::internal::face_c {
namespace {

// One number stands for a type, and one for an operation, in sode.h, in templates and in plans.
template <class T> constexpr bool is_one_type(sode_type in_c, element in_plans) noexcept {
    return detail::code_of<T>() == static_cast<std::uint8_t>(in_plans) && element_code_of(in_c) == detail::code_of<T>() &&
           bytes_of(in_c) == sizeof(T);
}
static_assert(is_one_type<float>(SODE_FLOAT, element::f32) && is_one_type<double>(SODE_DOUBLE, element::f64));
static_assert(is_one_type<std::int8_t>(SODE_INT8, element::i8) && is_one_type<std::int16_t>(SODE_INT16, element::i16));
static_assert(is_one_type<std::int32_t>(SODE_INT32, element::i32) && is_one_type<std::int64_t>(SODE_INT64, element::i64));
static_assert(is_one_type<std::uint8_t>(SODE_UINT8, element::u8) && is_one_type<std::uint16_t>(SODE_UINT16, element::u16));
static_assert(is_one_type<std::uint32_t>(SODE_UINT32, element::u32) && is_one_type<std::uint64_t>(SODE_UINT64, element::u64));
static_assert(is_one_type<bool>(SODE_BOOL, element::boolean) && is_one_type<long double>(SODE_LONG_DOUBLE, element::extended));
static_assert(is_one_type<std::complex<float>>(SODE_FLOAT_COMPLEX, element::c64));
static_assert(is_one_type<std::complex<double>>(SODE_DOUBLE_COMPLEX, element::c128));
static_assert(is_one_type<located<float>>(SODE_FLOAT_AT, with_location(element::f32, location::i64)));
static_assert(is_one_type<located<double>>(SODE_DOUBLE_AT, with_location(element::f64, location::i64)));
static_assert(is_one_type<located<index_t>>(SODE_INT64_AT, with_location(element::i64, location::i64)));
static_assert(element_code_of(SODE_FLOAT16) == static_cast<std::uint8_t>(element::f16));
static_assert(element_code_of(SODE_BFLOAT16) == static_cast<std::uint8_t>(element::bf16));

template <class Op> constexpr bool is_one_operation(sode_op in_c, reduction in_plans) noexcept {
    return Op::code == static_cast<std::uint8_t>(in_plans) && static_cast<std::uint8_t>(in_c) == Op::code;
}
static_assert(is_one_operation<detail::sum_op>(SODE_SUM, reduction::sum) &&
              is_one_operation<detail::product_op>(SODE_PRODUCT, reduction::product));
static_assert(is_one_operation<detail::max_op>(SODE_MAX, reduction::max) &&
              is_one_operation<detail::min_op>(SODE_MIN, reduction::min));
static_assert(is_one_operation<detail::band_op>(SODE_BAND, reduction::bit_and) &&
              is_one_operation<detail::bor_op>(SODE_BOR, reduction::bit_or) &&
              is_one_operation<detail::bxor_op>(SODE_BXOR, reduction::bit_xor));
static_assert(is_one_operation<detail::land_op>(SODE_LAND, reduction::logical_and) &&
              is_one_operation<detail::lor_op>(SODE_LOR, reduction::logical_or) &&
              is_one_operation<detail::lxor_op>(SODE_LXOR, reduction::logical_xor));

} // namespace

void require_type(sode_type type) {
    bool const plain = element_code_of(type) == detail::no_number;
    if (plain ? bytes_of(type) > 0 : bytes_of(type) > 0 && bytes_of(type) == size_of(static_cast<element>(element_code_of(type))))
        return;
    throw error{error_kind::usage, fmt::format("{:#x} is not an element type", type), "sode.h does not define it",
                "use SODE_DOUBLE, …, or SODE_BYTES(size) for structs"};
}

std::size_t bytes_of(std::size_t count, sode_type type) {
    if (count > std::numeric_limits<std::size_t>::max() / bytes_of(type))
        throw error{error_kind::usage, fmt::format("there cannot be {} elements of {} bytes", count, bytes_of(type)),
                    "an address space has at most 2^64 bytes", "pass a smaller number of elements"};
    return count * bytes_of(type);
}

void refuse_operation(int op) {
    throw error{error_kind::usage, fmt::format("{} is not an operation", op), "sode.h does not define it",
                "use SODE_SUM, SODE_MAX, …"};
}

void require_combines(int op, sode_type type) {
    require_type(type);
    auto const what = static_cast<element>(element_code_of(type));
    if (element_code_of(type) == detail::no_number)
        throw error{error_kind::usage, "elements of SODE_BYTES cannot be combined", "Sode does not know the types of their members",
                    "combine the members one by one"};
    if (op < 0 || static_cast<std::size_t>(op) >= reduction_count) refuse_operation(op);
    if (!combines(static_cast<reduction>(op), what))
        throw error{error_kind::usage,
                    fmt::format("{} cannot combine elements of {}", to_string(static_cast<reduction>(op)), to_string(what)),
                    "complex numbers have no order, floating-point numbers have no bitwise operations, bool has no sum, "
                    "and only SODE_MAX and SODE_MIN support locations",
                    "use an operation that this type supports"};
}

} // namespace sode::internal::face_c
