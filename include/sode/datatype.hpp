// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/box.hpp>
#include <sode/types.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>

namespace sode {

namespace detail {
struct datatype_access; // gives the library access to a datatype
}

/// An ordered list of bytes, relative to a base address, like an MPI datatype. A datatype is immutable, is cheap to copy, and has
/// no element type. A copy between two datatypes requires only that both datatypes have the same number of bytes. The description
/// of a strided datatype needs constant memory, independent of the counts. Datatypes that describe the same strided bytes are
/// equal, even if different functions created the datatypes.
///
///     auto const column = sode::datatype::contiguous(8).repeated(n, 8 * pitch);      // a column of doubles, bottom to top,
///     auto const pair   = sode::datatype::joined({column, column.moved(8)});         // and the next one after it
///     auto const halo   = sode::datatype::of_box(sode::box<3>{{0, 1, 1}, {1, ny, nx}}, {ny * nx * 4, nx * 4, 4}, 4);
///
/// All functions throw a usage error for negative counts or sizes, or for a span of 2^62 bytes or more.
class SODE_API datatype {
public:
    struct block {
        index_t offset = 0;
        index_t bytes = 0;
    };

    /// An empty datatype.
    datatype();
    /// Returns a datatype of `bytes` contiguous bytes that start at the base address.
    [[nodiscard]] static datatype contiguous(index_t bytes);
    /// Returns a datatype of the given blocks, in the given order. The cost is O(blocks).
    [[nodiscard]] static datatype blocks(std::span<block const> all);
    /// Returns a datatype of the array elements that `which` selects, in row-major order. Array element (0,…,0) is at the base
    /// address.
    ///
    /// \param strides  distance between consecutive elements in each dimension, in bytes; may be negative
    /// \param element  size of an element in bytes
    template <int N>
    [[nodiscard]] static datatype of_box(box<N> const& which, std::array<index_t, static_cast<std::size_t>(N)> const& strides,
                                         index_t element) {
        return of_box(which.lower, which.upper, strides, element);
    }
    /// Returns a datatype of all elements of a sode::view, a std::mdspan, or a similar type, in row-major order. Offsets are
    /// relative to the first element.
    template <class View>
    requires requires(View const& v) {
        v.stride(0);
        v.extent(0);
        typename View::element_type;
    }
    [[nodiscard]] static datatype of(View const& v) {
        constexpr auto dims = static_cast<std::size_t>(View::rank());
        static_assert(dims <= static_cast<std::size_t>(max_dims), "a view may have up to 7 dimensions");
        std::array<index_t, dims> lower{};
        std::array<index_t, dims> upper{};
        std::array<index_t, dims> strides{};
        for (std::size_t d = 0; d < dims; ++d) {
            upper[d] = static_cast<index_t>(v.extent(d));
            strides[d] = static_cast<index_t>(v.stride(d)) * static_cast<index_t>(sizeof(typename View::element_type));
        }
        return of_box(lower, upper, strides, sizeof(typename View::element_type));
    }
    /// Returns a datatype of the bytes of all parts, one part after another.
    [[nodiscard]] static datatype joined(std::span<datatype const> parts);
    [[nodiscard]] static datatype joined(std::initializer_list<datatype> parts) {
        return joined(std::span{parts.begin(), parts.size()});
    }

    /// Returns `count` copies of this datatype, `stride` bytes apart.
    [[nodiscard]] datatype repeated(index_t count, index_t stride) const;
    /// Returns this datatype with `by` bytes added to all offsets.
    [[nodiscard]] datatype moved(index_t by) const;

    [[nodiscard]] index_t bytes() const noexcept;
    /// Returns the offset of the first byte and the offset after the last byte, or {0, 0} for an empty datatype.
    [[nodiscard]] std::pair<index_t, index_t> extent() const noexcept;
    /// True if the bytes form one contiguous block in ascending order.
    [[nodiscard]] bool is_contiguous() const noexcept;
    friend bool operator==(datatype const& a, datatype const& b) noexcept { return a.equals(b); }

private:
    friend class datatype_copy;
    friend struct detail::datatype_access;
    struct impl;
    explicit datatype(std::shared_ptr<impl const> form);
    [[nodiscard]] bool equals(datatype const& other) const noexcept;
    [[nodiscard]] static datatype of_box(std::span<index_t const> lower, std::span<index_t const> upper,
                                         std::span<index_t const> strides, index_t element);
    std::shared_ptr<impl const> impl_;
};

/// A copy from one datatype to another datatype, compiled once and run many times, between any two base addresses. The copy needs
/// no intermediate buffer. A datatype_copy is immutable, and any thread may run the copy.
///
///     sode::datatype_copy const transpose{columns, rows};
///     transpose(target, source);
class SODE_API datatype_copy {
public:
    /// Throws a usage error if the numbers of bytes differ, or if the target contains a byte twice. (The source may contain a byte
    /// twice.) Throws an environment error if the copy has more than 2^20 blocks in an irregular pattern. For an irregular copy
    /// with more blocks, use pack() and unpack().
    /// The cost is proportional to the number of nested strides and irregular blocks, typically a few microseconds.
    datatype_copy(datatype const& to, datatype const& from);

    /// Runs the copy. The source and target bytes must not overlap. The copy does not allocate memory or take a lock.
    void operator()(void* target, void const* source) const noexcept;
    /// Returns the number of bytes that one run copies.
    [[nodiscard]] index_t bytes() const noexcept;

private:
    struct impl;
    std::shared_ptr<impl const> impl_;
};

/// Runs a datatype_copy once: copies the bytes that `from` selects in `source` to the bytes that `to` selects in `target`. The
/// errors and the cost are the same as for datatype_copy.
SODE_API void copy(void* target, datatype const& to, void const* source, datatype const& from);
/// Copies the bytes of `source` that `from` selects to `packed`, without gaps. `packed` must have room for from.bytes() bytes.
SODE_API void pack(void* packed, void const* source, datatype const& from);
/// Copies the first to.bytes() bytes of `packed` into `target`, to the places that `to` selects. Throws a usage error if `to`
/// contains a byte twice.
SODE_API void unpack(void* target, datatype const& to, void const* packed);

} // namespace sode
