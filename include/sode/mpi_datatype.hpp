// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/datatype.hpp>
#include <sode/detail/mpi_type_map.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace sode {

namespace detail {

/// Implements the operations of sode::datatype that mpi_type_map needs.
struct datatype_algebra {
    using form = datatype;
    static datatype contiguous(index_t offset, index_t bytes) { return datatype::contiguous(bytes).moved(offset); }
    static datatype repeated(datatype const& d, index_t count, index_t stride) { return d.repeated(count, stride); }
    static index_t bytes(datatype const& d) { return d.bytes(); }
    static bool one_block(datatype const& d, index_t& offset) {
        offset = d.extent().first;
        return d.is_contiguous();
    }

    class sequence {
    public:
        void reserve(std::size_t parts) { parts_.reserve(parts); }
        void add(datatype const& d, index_t offset, index_t count = 1, index_t stride = 0) {
            close();
            parts_.push_back(d.repeated(count, stride).moved(offset));
        }
        template <class Length, class Offset> void add_blocks(index_t count, Length length_of, Offset offset_of) {
            pending_.reserve(pending_.size() + static_cast<std::size_t>(count));
            for (index_t i = 0; i < count; ++i) pending_.push_back({offset_of(i), length_of(i)});
        }
        [[nodiscard]] datatype finish() {
            close();
            return parts_.size() == 1 ? parts_.front() : datatype::joined(parts_);
        }

    private:
        void close() {
            if (!pending_.empty()) parts_.push_back(datatype::blocks(std::exchange(pending_, {})));
        }
        std::vector<datatype> parts_;
        std::vector<datatype::block> pending_; // blocks added after the last entry of parts_
    };
};

} // namespace detail

/// Converts `count` elements of an MPI datatype to a sode::datatype, for sode::copy, pack, unpack, and plans.
///
///     MPI_Datatype column;
///     MPI_Type_vector(ny, 1, nx, MPI_DOUBLE, &column);
///     auto const c = sode::datatype_of(column);            // MPI_Type_free(&column) may follow: nothing refers to it
///     sode::copy(target, c.moved(8), source, c);
///
/// Every MPI combiner is supported, and datatypes may be nested to any depth. Offsets are relative to the buffer argument of MPI
/// calls. For MPI_BOTTOM, offsets are relative to address 0. The MPI datatype need not be committed.
///
/// Throws a usage error for a null or freed handle, a negative count, or a span of 2^62 bytes or more. Throws an environment error
/// for an unknown combiner. The cost is proportional to the nesting depth plus the number of entries in indexed types and
/// structures. Strided types are never expanded to lists of blocks.
[[nodiscard]] inline datatype datatype_of(MPI_Datatype type, MPI_Count count = 1) {
    return detail::mpi_type_map<detail::datatype_algebra>::read(type, count);
}

} // namespace sode
