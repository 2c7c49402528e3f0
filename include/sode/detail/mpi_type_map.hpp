// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/mpi_contents.hpp>
#include <sode/error.hpp>
#include <sode/types.hpp>

#include <mpi.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sode::detail {

/// The type map of a datatype (MPI-4.0, chapter 5): its bytes in the order in which MPI transfers them, relative to the buffer
/// argument (for MPI_BOTTOM, to address 0). Strided types stay strided, whatever their counts. The datatype need not be committed.
///
/// `Algebra` defines a type for sets of bytes, and the operations that build larger sets from smaller sets. There are two algebras:
/// the library's own layouts, and sode::datatype.
///
///     using form = …;                                                   // a value; form{} has no bytes
///     static form contiguous(index_t offset, index_t bytes);
///     static form repeated(form, index_t count, index_t stride);
///     static index_t bytes(form const&);
///     static bool one_block(form const&, index_t& offset);              // whether it is one run of bytes, and where
///     struct sequence {
///         void reserve(std::size_t parts);                                      // that many will be added
///         void add(form, index_t offset, index_t count = 1, index_t stride = 0);
///         void add_blocks(index_t count, Length length_of, Offset offset_of);   // block i: length_of(i) bytes at offset_of(i)
///         form finish();
///     };
template <class Algebra> class mpi_type_map {
public:
    using form = typename Algebra::form;

    /// One element, and the distance between elements.
    struct element {
        form one{};
        MPI_Count lower = 0;  ///< lower bound
        MPI_Count extent = 0; ///< distance between consecutive array elements in bytes
        MPI_Count size = 0;   ///< size of the data in bytes
    };

    /// Throws a usage error for a null handle or a span of 2^62 bytes or more. Throws an environment error for a combiner that Sode
    /// does not know.
    /// Cost: O(nesting), plus the entries of indexed types.
    [[nodiscard]] static element read(MPI_Datatype type) {
        if (type == MPI_DATATYPE_NULL)
            throw error{error_kind::usage, "a message cannot have the datatype MPI_DATATYPE_NULL", "it has no bytes and no extent",
                        "pass a datatype"};
        element e;
        if (PMPI_Type_get_extent_x(type, &e.lower, &e.extent) != MPI_SUCCESS || PMPI_Type_size_x(type, &e.size) != MPI_SUCCESS)
            throw error{error_kind::usage, "the size of a datatype is unknown", "MPI returns neither its size nor its extent",
                        "pass a handle that MPI returned and that was not freed"};
        mpi_contents const c{type};
        e.one = c.basic() ? of_basic(type, e.size) : of_derived(c);
        if (Algebra::bytes(e.one) != e.size)
            throw error{error_kind::environment,
                        "a datatype has " + std::to_string(e.size) + " bytes and was read as " +
                            std::to_string(Algebra::bytes(e.one)),
                        "this MPI describes it in an unknown way", "send messages of this datatype by MPI directly"};
        return e;
    }
    /// `count` elements. Throws a usage error for a negative count. The errors of read(type) are also possible.
    [[nodiscard]] static form read(MPI_Datatype type, MPI_Count count) {
        if (count < 0)
            throw error{error_kind::usage, "a message of " + std::to_string(count) + " elements", "a count must not be negative",
                        "pass 0 or more"};
        element e = read(type);
        return Algebra::repeated(std::move(e.one), count, e.extent);
    }

private:
    using contents = mpi_contents;
    using sequence = typename Algebra::sequence;

    [[noreturn]] static void too_large() {
        throw error{error_kind::usage, "a datatype is too large", "it spans 2^62 bytes or more", "check its counts and strides"};
    }

    /// Checks whether a product of user arguments overflows. The layouts check sums.
    static index_t times(index_t a, index_t b) {
        index_t product = 0;
        if (__builtin_mul_overflow(a, b, &product)) too_large();
        return product;
    }
    static index_t plus(index_t a, index_t b) {
        index_t sum = 0;
        if (__builtin_add_overflow(a, b, &sum)) too_large();
        return sum;
    }

    /// The bytes that MPI_Pack copies for a predefined type: all bytes; for MPI_DOUBLE_INT and similar types, the bytes of the two
    /// members. These pairs have their own layout, because some have a gap and some have padding at the end.
    static form of_pair(index_t first, index_t second_at, index_t second) {
        sequence s;
        s.add(Algebra::contiguous(0, first), 0);
        s.add(Algebra::contiguous(0, second), second_at);
        return s.finish();
    }

    template <class First> static form of_pair_with_int() {
        struct pair {
            First value;
            int index;
        };
        return of_pair(sizeof(First), static_cast<index_t>(offsetof(pair, index)), sizeof(int));
    }

    static form of_basic(MPI_Datatype type, index_t size) {
        if (type == MPI_DOUBLE_INT) return of_pair_with_int<double>();
        if (type == MPI_FLOAT_INT) return of_pair_with_int<float>();
        if (type == MPI_LONG_INT) return of_pair_with_int<long>();
        if (type == MPI_SHORT_INT) return of_pair_with_int<short>();
        if (type == MPI_2INT) return of_pair_with_int<int>();
        if (type == MPI_LONG_DOUBLE_INT) return of_pair_with_int<long double>();
        return Algebra::contiguous(0, size);
    }

    /// One dimension of a subarray, or of a darray with contiguous parts: the selected rows, and the distance between them.
    static form block_of_rows(form const& rows, index_t first, index_t count, index_t pitch) {
        sequence s;
        s.add(rows, times(first, pitch), count, pitch);
        return s.finish();
    }

    static form of_subarray(contents const& c, element const& child) {
        index_t const dims = c.integer(0);
        bool const c_order = c.integer(1 + 3 * dims) == MPI_ORDER_C;
        form l = child.one;
        index_t pitch = child.extent;
        for (index_t k = 0; k < dims; ++k) { // the fastest-varying dimension first
            index_t const d = c_order ? dims - 1 - k : k;
            l = block_of_rows(l, c.integer(1 + 2 * dims + d), c.integer(1 + dims + d), pitch);
            pitch = times(pitch, c.integer(1 + d));
        }
        return l;
    }

    /// One dimension of a darray: blocks of `size` rows are assigned to `procs` processes in turn; `mine` is the number of this
    /// process.
    static form of_cyclic(form const& rows, index_t extent, index_t size, index_t procs, index_t mine, index_t pitch) {
        index_t const round = times(size, procs);
        index_t const first = times(mine, size);
        if (first >= extent) return {};
        index_t const rest = extent - first;
        index_t const whole = rest / round + (rest % round >= size ? 1 : 0); // rounds in which this process gets a full block
        form const block = Algebra::repeated(rows, size, pitch);
        sequence s;
        s.add(block, times(first, pitch), whole, times(round, pitch));
        index_t const next = plus(first, times(whole, round));
        if (next < extent) s.add(rows, times(next, pitch), extent - next, pitch);
        return s.finish();
    }

    static form of_darray(contents const& c, element const& child) {
        index_t const dims = c.integer(2);
        auto const sizes = [&](index_t d) { return c.integer(3 + d); };
        auto const distribs = [&](index_t d) { return c.integer(3 + dims + d); };
        auto const arguments = [&](index_t d) { return c.integer(3 + 2 * dims + d); };
        auto const procs = [&](index_t d) { return c.integer(3 + 3 * dims + d); };
        bool const c_order = c.integer(3 + 4 * dims) == MPI_ORDER_C;

        // The process grid is always row-major, whatever the order of the array.
        std::vector<index_t> place(static_cast<std::size_t>(dims));
        index_t rank = c.integer(1);
        for (index_t d = dims; d-- > 0;) {
            place[static_cast<std::size_t>(d)] = rank % procs(d);
            rank /= procs(d);
        }
        form l = child.one;
        index_t pitch = child.extent;
        for (index_t k = 0; k < dims; ++k) {
            index_t const d = c_order ? dims - 1 - k : k;
            index_t const mine = place[static_cast<std::size_t>(d)];
            index_t const given = arguments(d);
            bool const standard = given == MPI_DISTRIBUTE_DFLT_DARG;
            if (distribs(d) == MPI_DISTRIBUTE_NONE)
                l = Algebra::repeated(std::move(l), sizes(d), pitch);
            else if (distribs(d) == MPI_DISTRIBUTE_BLOCK)
                l = of_cyclic(l, sizes(d), standard ? (sizes(d) + procs(d) - 1) / procs(d) : given, procs(d), mine, pitch);
            else
                l = of_cyclic(l, sizes(d), standard ? 1 : given, procs(d), mine, pitch);
            pitch = times(pitch, sizes(d));
        }
        return l;
    }

    /// `count` entries with the same child type. Entry i contains `length(i)` elements (`bytes(i)` bytes if they are contiguous)
    /// and starts at `displacement(i)`.
    template <class Length, class Bytes, class Displacement>
    static form of_entries(element const& child, index_t count, Length length, Bytes bytes, Displacement displacement) {
        sequence s;
        index_t first = 0;
        bool const elements_touch = child.size == child.extent && Algebra::one_block(child.one, first);
        if (elements_touch) {
            s.add_blocks(count, bytes, [&, first](index_t i) { return plus(displacement(i), first); });
            return s.finish();
        }
        s.reserve(static_cast<std::size_t>(count));
        for (index_t i = 0; i < count; ++i) s.add(child.one, displacement(i), length(i), child.extent);
        return s.finish();
    }

    static form of_indexed(contents const& c, element const& child, bool in_bytes) {
        index_t const n = c.integer(0);
        index_t const extent = child.extent;
        return c.with_integers(in_bytes ? 1 + n : 1 + 2 * n, [&](auto const* numbers) {
            auto const length = [numbers](index_t i) { return index_t{numbers[1 + i]}; };
            auto const bytes = [length, extent](index_t i) { return times(length(i), extent); };
            if (in_bytes) return of_entries(child, n, length, bytes, [&c](index_t i) { return c.address(i); });
            return of_entries(child, n, length, bytes, [=](index_t i) { return times(numbers[1 + n + i], extent); });
        });
    }

    static form of_indexed_block(contents const& c, element const& child, bool in_bytes) {
        index_t const n = c.integer(0);
        index_t const extent = child.extent;
        auto const length = [each = c.integer(1)](index_t) { return each; };
        auto const bytes = [each = times(c.integer(1), extent)](index_t) { return each; };
        if (in_bytes) return of_entries(child, n, length, bytes, [&c](index_t i) { return c.address(i); });
        return c.with_integers(2 + n, [&](auto const* numbers) {
            return of_entries(child, n, length, bytes, [=](index_t i) { return times(numbers[2 + i], extent); });
        });
    }

    static form of_struct(contents const& c) {
        index_t const count = c.integer(0);
        sequence s;
        for (index_t i = 0; i < count;) {
            element child = read(c.type(i));
            index_t last = i; // last of the consecutive members with this type
            while (last + 1 < count && c.type(last + 1) == c.type(i)) ++last;
            for (; i < last; ++i) s.add(child.one, c.address(i), c.integer(1 + i), child.extent);
            s.add(std::move(child.one), c.address(i), c.integer(1 + i), child.extent);
            ++i;
        }
        return s.finish();
    }

    static form of_vector(element const& child, index_t count, index_t length, index_t stride) {
        return Algebra::repeated(Algebra::repeated(child.one, length, child.extent), count, stride);
    }

    static form of_derived(contents const& c) {
        if (c.combiner() == MPI_COMBINER_STRUCT) return of_struct(c);
        element const child = read(c.type(0));
        if (c.combiner() == MPI_COMBINER_DUP || c.combiner() == MPI_COMBINER_RESIZED) return child.one;
        if (child.size == 0) return {}; // if there are no bytes, the position is irrelevant
        index_t const n = c.integer(0); // dimensions or entries
        switch (c.combiner()) {
        case MPI_COMBINER_CONTIGUOUS: return Algebra::repeated(child.one, n, child.extent);
        case MPI_COMBINER_VECTOR: return of_vector(child, n, c.integer(1), times(c.integer(2), child.extent));
        case MPI_COMBINER_HVECTOR: return of_vector(child, n, c.integer(1), c.address(0));
        case MPI_COMBINER_INDEXED: return of_indexed(c, child, false);
        case MPI_COMBINER_HINDEXED: return of_indexed(c, child, true);
        case MPI_COMBINER_INDEXED_BLOCK: return of_indexed_block(c, child, false);
        case MPI_COMBINER_HINDEXED_BLOCK: return of_indexed_block(c, child, true);
        case MPI_COMBINER_SUBARRAY: return of_subarray(c, child);
        case MPI_COMBINER_DARRAY: return of_darray(c, child);
        default:
            throw error{error_kind::environment, "a datatype was made by an unknown combiner " + std::to_string(c.combiner()),
                        "it is newer than this library", "send messages of this datatype by MPI directly"};
        }
    }
};

} // namespace sode::detail
