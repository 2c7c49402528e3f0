// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/halo_source.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Writes distributed arrays to HDF5 files, and reads them. The functions are in a separate library, so that libsode does not depend
// on HDF5: find_package(sode COMPONENTS hdf5), target sode::hdf5. docs/decisions/0007-files.md explains how this library works, and
// why it does not need MPI.

namespace sode {

/// A simulated time, and its time step number.
struct moment {
    double time = 0;
    index_t step = 0;
};

namespace detail {

/// The number types that files can contain.
enum class number : std::uint8_t { f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

template <class T> [[nodiscard]] constexpr number number_of() noexcept {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8,
                  "files can only store numbers of up to 8 bytes");
    if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? number::f32 : number::f64;
    constexpr auto width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<number>(static_cast<int>(std::is_signed_v<T> ? number::i8 : number::u8) + width);
}

/// Refers to an array with elements of any type, and gives the name of its dataset.
struct file_field {
    std::string name;
    halo_source array;
    number type;
};

} // namespace detail

/// `{"u", u}` in a call to write(): writes the array or bundle `u`, or the half now() of the buffered array `u`, to the dataset
/// "u". The components of a bundle are written to "u/0", "u/1", … The object refers to the array's memory and keeps it alive.
struct output_field {
    template <class Array>
    output_field(std::string name, Array const& a)
        : field{std::move(name), a.halo(), detail::number_of<typename Array::value_type>()} {}

    detail::file_field field;
};

/// `{"u", u}` in a call to read(): reads the dataset "u" into the array or bundle `u`, or into both halves of the buffered array
/// `u`. The object refers to the array's memory and keeps it alive.
struct input_field {
    template <class Array>
    requires(!std::is_const_v<Array>) input_field(std::string name, Array& a)
        : field{std::move(name), a.halo(), detail::number_of<typename Array::value_type>()} {}

    detail::file_field field;
};

/// Writes arrays to an HDF5 file. Each array is written to a contiguous dataset with the array's global extents, in row-major order
/// and in this machine's number format. The attributes `time` and `step` contain `when`. Shadows are not written. All HDF5 tools
/// can read the file.
///
///     sode::write("restart.h5", {{"u", u}, {"v", v}}, {.time = t, .step = n});
///
/// Collective. All ranks must use the same file system. All ranks write concurrently, each its own elements. At the end, the new
/// file atomically replaces any old file of the same name. If a job is killed while it writes, the old file is kept. An incomplete
/// file remains in the same folder, with random digits in its name and the ending `.part`. The next write() of the same file
/// removes the incomplete file.
///
/// \param fields  arrays of one job, at least one; their names must be different and not empty, and must not contain '/'
/// \param when    must be equal on all ranks
/// Errors, on every rank (the old file is kept): usage, for invalid names, or if ranks write different arrays; environment, if the
/// file cannot be written or the disk is full; peer, timeout.
/// Cost: packing and writing this rank's elements, one megabyte at a time; four small allgathers; flushing to disk.
SODE_API void write(std::string const& file, std::vector<output_field> const& fields, moment const& when = {});

/// Reads arrays from an HDF5 file that write() or another program wrote. Each rank reads the elements that it owns or has a copy
/// of. The number of ranks and the distribution may differ from those of the program that wrote the file. For a buffered array both
/// halves are set, because elements that a program never computes (boundaries) must be correct in both. Halos are not set: run an
/// exchange before you read halos.
///
///     auto const when = sode::read("restart.h5", {{"u", u}, {"v", v}});
///
/// Datasets may have any layout and byte order, may be compressed, and may be in groups ("fields/u").
///
/// \return the attributes `time` and `step` of the file; 0 for an attribute that the file does not have
/// Collective. Errors, on every rank: usage, if a dataset does not exist, or if its extents or type differ from those of the array;
/// environment, if the file is missing or damaged. All checks are made before any array is changed.
SODE_API moment read(std::string const& file, std::vector<input_field> const& fields);

} // namespace sode
