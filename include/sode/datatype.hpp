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
struct datatype_access; // what the library sees of one
}

/// Says which bytes, relative to some address, and in which order, like a datatype of MPI. It is an immutable value that is cheap
/// to copy, and has no element type. Two datatypes of equally many bytes can be copied onto each other. A strided datatype takes
/// the same memory whatever its counts. Datatypes of the same strided bytes compare equal, however they were made.
///
///     auto const column = sode::datatype::contiguous(8).repeated(n, 8 * pitch);      // a column of doubles, bottom to top,
///     auto const pair   = sode::datatype::joined({column, column.moved(8)});         // and the next one after it
///     auto const halo   = sode::datatype::of_box(sode::box<3>{{0, 1, 1}, {1, ny, nx}}, {ny * nx * 4, nx * 4, 4}, 4);
///
/// Errors of all functions: usage, for negative counts or sizes, or what spans 2^62 bytes.
class SODE_API datatype {
public:
    struct block {
        index_t offset = 0;
        index_t bytes = 0;
    };

    /// No bytes.
    datatype();
    /// That many bytes from the address on.
    [[nodiscard]] static datatype contiguous(index_t bytes);
    /// Blocks in this order. Cost: O(blocks).
    [[nodiscard]] static datatype blocks(std::span<block const> all);
    /// The elements of `which`, in row-major order, of an array whose element (0,…,0) is at the address.
    ///
    /// \param strides  bytes between neighbours in each dimension; may be negative
    /// \param element  bytes of an element
    template <int N>
    [[nodiscard]] static datatype of_box(box<N> const& which, std::array<index_t, static_cast<std::size_t>(N)> const& strides,
                                         index_t element) {
        return of_box(which.lower, which.upper, strides, element);
    }
    /// All elements of a sode::view, a std::mdspan, or anything of that shape, in row-major order, relative to its first one.
    template <class View>
    requires requires(View const& v) {
        v.stride(0);
        v.extent(0);
        typename View::element_type;
    }
    [[nodiscard]] static datatype of(View const& v) {
        constexpr auto dims = static_cast<std::size_t>(View::rank());
        static_assert(dims <= static_cast<std::size_t>(max_dims), "views of up to 7 dimensions");
        std::array<index_t, dims> lower{};
        std::array<index_t, dims> upper{};
        std::array<index_t, dims> strides{};
        for (std::size_t d = 0; d < dims; ++d) {
            upper[d] = static_cast<index_t>(v.extent(d));
            strides[d] = static_cast<index_t>(v.stride(d)) * static_cast<index_t>(sizeof(typename View::element_type));
        }
        return of_box(lower, upper, strides, sizeof(typename View::element_type));
    }
    /// One after the other.
    [[nodiscard]] static datatype joined(std::span<datatype const> parts);
    [[nodiscard]] static datatype joined(std::initializer_list<datatype> parts) {
        return joined(std::span{parts.begin(), parts.size()});
    }

    /// `count` times this, `stride` bytes apart.
    [[nodiscard]] datatype repeated(index_t count, index_t stride) const;
    /// The same `by` bytes further on.
    [[nodiscard]] datatype moved(index_t by) const;

    [[nodiscard]] index_t bytes() const noexcept;
    /// First byte and one past the last, relative to the address; {0, 0} without bytes.
    [[nodiscard]] std::pair<index_t, index_t> extent() const noexcept;
    /// Whether it is one run of bytes.
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

/// The copy of one datatype to another, compiled once and run many times, between any addresses: paper P1's copy without a buffer
/// in between. A value, immutable; any thread may run it.
///
///     sode::datatype_copy const transpose{columns, rows};
///     transpose(target, source);
class SODE_API datatype_copy {
public:
    /// Errors: usage, for differing numbers of bytes, or a target that overlaps itself (a source may); environment, for two of more
    /// than 2^20 blocks that never repeat in step: pack and unpack those.
    /// Cost: O(loops + blocks of irregular parts): microseconds; see docs/decisions/0013.
    datatype_copy(datatype const& to, datatype const& from);

    /// Copies. The bytes of both sides must not overlap each other. No allocation, no lock.
    void operator()(void* target, void const* source) const noexcept;
    /// Bytes that one run moves.
    [[nodiscard]] index_t bytes() const noexcept;

private:
    struct impl;
    std::shared_ptr<impl const> impl_;
};

/// Copies once: the bytes `from` of `source` to the bytes `to` of `target`. Errors and cost: as datatype_copy.
SODE_API void copy(void* target, datatype const& to, void const* source, datatype const& from);
/// The bytes `from` of `source` to from.bytes() bytes at `packed`.
SODE_API void pack(void* packed, void const* source, datatype const& from);
/// to.bytes() bytes at `packed` to the bytes `to` of `target`. Errors: usage, if `to` overlaps itself.
SODE_API void unpack(void* target, datatype const& to, void const* packed);

} // namespace sode
