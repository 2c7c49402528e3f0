// SPDX-License-Identifier: Apache-2.0
#include "datatype_layout.hpp"

#include "datatype_contents.hpp"
#include "layout/layout_algebra.hpp"

#include <sode/error.hpp>

#include <cstddef>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace sode {
namespace {

[[noreturn]] void too_large() {
    throw error{error_kind::usage, "a datatype is too large", "it spans 2^62 bytes or more", "check its counts and strides"};
}

/// Products of what the user gave; sums are checked by the layouts.
index_t times(index_t a, index_t b) {
    index_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) too_large();
    return product;
}
index_t plus(index_t a, index_t b) {
    index_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) too_large();
    return sum;
}

/// The bytes that MPI_Pack would take from a predefined type: all of them, or for MPI_DOUBLE_INT and its kin those of the two
/// members. Pairs have a layout of their own because some have a gap and some a tail.
layout of_pair(index_t first, index_t second_at, index_t second) {
    layout_sequence s;
    s.add(contiguous(0, first), 0);
    s.add(contiguous(0, second), second_at);
    return s.finish();
}

template <class First> layout of_pair_with_int() {
    struct pair {
        First value;
        int index;
    };
    return of_pair(sizeof(First), static_cast<index_t>(offsetof(pair, index)), sizeof(int));
}

layout of_basic(MPI_Datatype type, index_t size) {
    if (type == MPI_DOUBLE_INT) return of_pair_with_int<double>();
    if (type == MPI_FLOAT_INT) return of_pair_with_int<float>();
    if (type == MPI_LONG_INT) return of_pair_with_int<long>();
    if (type == MPI_SHORT_INT) return of_pair_with_int<short>();
    if (type == MPI_2INT) return of_pair_with_int<int>();
    if (type == MPI_LONG_DOUBLE_INT) return of_pair_with_int<long double>();
    return contiguous(0, size);
}

/// A dimension of a subarray or a darray that was put together already: what it selects, and how far apart its rows are.
layout block_of_rows(layout const& rows, index_t first, index_t count, index_t pitch) {
    layout_sequence s;
    s.add(rows, times(first, pitch), count, pitch);
    return s.finish();
}

layout of_subarray(datatype_contents const& c, element_layout const& child) {
    index_t const dims = c.integer(0);
    bool const c_order = c.integer(1 + 3 * dims) == MPI_ORDER_C;
    layout l = child.one;
    index_t pitch = child.extent;
    for (index_t k = 0; k < dims; ++k) { // the fastest dimension first
        index_t const d = c_order ? dims - 1 - k : k;
        l = block_of_rows(l, c.integer(1 + 2 * dims + d), c.integer(1 + dims + d), pitch);
        pitch = times(pitch, c.integer(1 + d));
    }
    return l;
}

/// One dimension of a darray: `blocks` of `size` rows are dealt to `procs` processes in turn; `mine` is our place among them.
layout of_cyclic(layout const& rows, index_t extent, index_t size, index_t procs, index_t mine, index_t pitch) {
    index_t const round = times(size, procs);
    index_t const first = times(mine, size);
    if (first >= extent) return {};
    index_t const rest = extent - first;
    index_t const whole = rest / round + (rest % round >= size ? 1 : 0); // rounds in which we get a full block
    layout const block = repeated(rows, size, pitch);
    layout_sequence s;
    s.add(block, times(first, pitch), whole, times(round, pitch));
    index_t const next = plus(first, times(whole, round));
    if (next < extent) s.add(rows, times(next, pitch), extent - next, pitch);
    return s.finish();
}

layout of_darray(datatype_contents const& c, element_layout const& child) {
    index_t const dims = c.integer(2);
    auto const sizes = [&](index_t d) { return c.integer(3 + d); };
    auto const distribs = [&](index_t d) { return c.integer(3 + dims + d); };
    auto const arguments = [&](index_t d) { return c.integer(3 + 2 * dims + d); };
    auto const procs = [&](index_t d) { return c.integer(3 + 3 * dims + d); };
    bool const c_order = c.integer(3 + 4 * dims) == MPI_ORDER_C;

    // The process grid is row-major in either order of the array.
    std::vector<index_t> place(static_cast<std::size_t>(dims));
    index_t rank = c.integer(1);
    for (index_t d = dims; d-- > 0;) {
        place[static_cast<std::size_t>(d)] = rank % procs(d);
        rank /= procs(d);
    }
    layout l = child.one;
    index_t pitch = child.extent;
    for (index_t k = 0; k < dims; ++k) {
        index_t const d = c_order ? dims - 1 - k : k;
        index_t const mine = place[static_cast<std::size_t>(d)];
        index_t const given = arguments(d);
        bool const standard = given == MPI_DISTRIBUTE_DFLT_DARG;
        if (distribs(d) == MPI_DISTRIBUTE_NONE)
            l = repeated(std::move(l), sizes(d), pitch);
        else if (distribs(d) == MPI_DISTRIBUTE_BLOCK)
            l = of_cyclic(l, sizes(d), standard ? (sizes(d) + procs(d) - 1) / procs(d) : given, procs(d), mine, pitch);
        else
            l = of_cyclic(l, sizes(d), standard ? 1 : given, procs(d), mine, pitch);
        pitch = times(pitch, sizes(d));
    }
    return l;
}

/// `count` entries of one child type; entry i is `length(i)` elements long and begins at `displacement(i)`.
template <class Length, class Displacement>
layout of_entries(element_layout const& child, index_t count, Length length, Displacement displacement) {
    layout_sequence s;
    s.reserve(static_cast<std::size_t>(count));
    layout const& one = child.one;
    bool const whole = one.is_nest() && one.loops.empty() && one.block == child.extent; // elements that touch
    for (index_t i = 0; whole && i < count; ++i) s.add_block(plus(displacement(i), one.offset), times(length(i), one.block));
    for (index_t i = 0; !whole && i < count; ++i) s.add(child.one, displacement(i), length(i), child.extent);
    return s.finish();
}

layout of_struct(datatype_contents const& c) {
    index_t const count = c.integer(0);
    layout_sequence s;
    for (index_t i = 0; i < count;) {
        element_layout child = element_of(c.type(i));
        index_t last = i; // of the members of this type
        while (last + 1 < count && c.type(last + 1) == c.type(i)) ++last;
        for (; i < last; ++i) s.add(child.one, c.address(i), c.integer(1 + i), child.extent);
        s.add(std::move(child.one), c.address(i), c.integer(1 + i), child.extent);
        ++i;
    }
    return s.finish();
}

layout of_vector(element_layout const& child, index_t count, index_t length, index_t stride) {
    return repeated(repeated(child.one, length, child.extent), count, stride);
}

layout of_derived(datatype_contents const& c) {
    if (c.combiner() == MPI_COMBINER_STRUCT) return of_struct(c);
    element_layout const child = element_of(c.type(0));
    if (c.combiner() == MPI_COMBINER_DUP || c.combiner() == MPI_COMBINER_RESIZED) return child.one;
    if (child.size == 0) return {}; // wherever it may lie
    index_t const n = c.integer(0); // dimensions or entries
    auto const in_elements = [&](index_t first) {
        return [&c, &child, first](index_t i) { return times(c.integer(first + i), child.extent); };
    };
    auto const in_bytes = [&c](index_t i) { return c.address(i); };
    auto const lengths = [&c](index_t i) { return c.integer(1 + i); };
    auto const one_length = [&c](index_t) { return c.integer(1); };
    switch (c.combiner()) {
    case MPI_COMBINER_CONTIGUOUS: return repeated(child.one, n, child.extent);
    case MPI_COMBINER_VECTOR: return of_vector(child, n, c.integer(1), times(c.integer(2), child.extent));
    case MPI_COMBINER_HVECTOR: return of_vector(child, n, c.integer(1), c.address(0));
    case MPI_COMBINER_INDEXED: return of_entries(child, n, lengths, in_elements(1 + n));
    case MPI_COMBINER_HINDEXED: return of_entries(child, n, lengths, in_bytes);
    case MPI_COMBINER_INDEXED_BLOCK: return of_entries(child, n, one_length, in_elements(2));
    case MPI_COMBINER_HINDEXED_BLOCK: return of_entries(child, n, one_length, in_bytes);
    case MPI_COMBINER_SUBARRAY: return of_subarray(c, child);
    case MPI_COMBINER_DARRAY: return of_darray(c, child);
    default:
        throw error{error_kind::environment, fmt::format("a datatype was made by an unknown combiner {}", c.combiner()),
                    "it is newer than this library", "leave messages of it to MPI"};
    }
}

} // namespace

element_layout element_of(MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL)
        throw error{error_kind::usage, "a message of MPI_DATATYPE_NULL", "it has no bytes and no extent", "pass a datatype"};
    element_layout e;
    if (PMPI_Type_get_extent_x(type, &e.lower, &e.extent) != MPI_SUCCESS || PMPI_Type_size_x(type, &e.size) != MPI_SUCCESS)
        throw error{error_kind::usage, "a datatype cannot be measured", "MPI knows neither its size nor its extent",
                    "pass a handle that MPI returned and that was not freed"};
    datatype_contents const c{type};
    e.one = c.basic() ? of_basic(type, e.size) : of_derived(c);
    if (e.one.bytes() != e.size)
        throw error{error_kind::environment, fmt::format("a datatype has {} bytes and was read as {}", e.size, e.one.bytes()),
                    "this MPI describes it in a way that is not known here", "leave messages of it to MPI"};
    return e;
}

layout layout_of(MPI_Datatype type, MPI_Count count) {
    if (count < 0)
        throw error{error_kind::usage, fmt::format("{} elements of a datatype", count), "counts are not negative",
                    "pass 0 or more"};
    element_layout e = element_of(type);
    return repeated(std::move(e.one), count, e.extent);
}

} // namespace sode
