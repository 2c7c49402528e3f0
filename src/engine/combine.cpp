// SPDX-License-Identifier: Apache-2.0
#include "engine/combine.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>

namespace sode {
namespace {

template <class T, class Op> void combine_row(std::byte* target, std::byte const* source, index_t bytes, Op op) noexcept {
    for (index_t i = 0; i + static_cast<index_t>(sizeof(T)) <= bytes; i += static_cast<index_t>(sizeof(T))) {
        T a, b;
        std::memcpy(&a, target + i, sizeof(T));
        std::memcpy(&b, source + i, sizeof(T));
        a = static_cast<T>(op(a, b));
        std::memcpy(target + i, &a, sizeof(T));
    }
}

using loop = copy_program::loop;

template <class T, class Op>
void combine_nest(std::span<loop const> loops, std::byte* target, std::byte const* source, index_t block, Op op) noexcept {
    if (loops.empty()) return combine_row<T>(target, source, block, op);
    auto const& l = loops.front();
    for (index_t i = 0; i < l.count; ++i)
        combine_nest<T>(loops.subspan(1), target + i * l.dst_stride, source + i * l.src_stride, block, op);
}

template <class T, class Op> void apply(copy_program const& p, std::byte* target, std::byte const* source, Op op) noexcept {
    for (auto const& s : p.segments) combine_row<T>(target + s.dst, source + s.src, s.bytes, op);
    if (!p.segments.empty()) return;
    std::span const loops{p.loops, p.loop_count};
    combine_nest<T>(loops, target + p.dst_offset, source + p.src_offset, p.block, op);
    if (p.twin) combine_nest<T>(loops, target + p.dst_offset + p.twin_dst, source + p.src_offset + p.twin_src, p.block, op);
}

template <class T> void apply(reduction op, copy_program const& p, std::byte* target, std::byte const* source) noexcept {
    switch (op) {
    case reduction::sum: return apply<T>(p, target, source, std::plus<>{});
    case reduction::product: return apply<T>(p, target, source, std::multiplies<>{});
    case reduction::max: return apply<T>(p, target, source, [](T a, T b) { return std::max(a, b); });
    case reduction::min: return apply<T>(p, target, source, [](T a, T b) { return std::min(a, b); });
    default: break;
    }
    if constexpr (std::is_integral_v<T>) {
        switch (op) {
        case reduction::bit_and: return apply<T>(p, target, source, std::bit_and<>{});
        case reduction::bit_or: return apply<T>(p, target, source, std::bit_or<>{});
        case reduction::bit_xor: return apply<T>(p, target, source, std::bit_xor<>{});
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

void combine(std::uint32_t combiner, copy_program const& p, std::byte* target, std::byte const* source) noexcept {
    auto const op = static_cast<reduction>(combiner >> 8U);
    switch (static_cast<element>(combiner & 0xffU)) {
    case element::f32: return apply<float>(op, p, target, source);
    case element::f64: return apply<double>(op, p, target, source);
    case element::i8: return apply<std::int8_t>(op, p, target, source);
    case element::i16: return apply<std::int16_t>(op, p, target, source);
    case element::i32: return apply<std::int32_t>(op, p, target, source);
    case element::i64: return apply<std::int64_t>(op, p, target, source);
    case element::u8: return apply<std::uint8_t>(op, p, target, source);
    case element::u16: return apply<std::uint16_t>(op, p, target, source);
    case element::u32: return apply<std::uint32_t>(op, p, target, source);
    case element::u64: return apply<std::uint64_t>(op, p, target, source);
    }
}

} // namespace sode
