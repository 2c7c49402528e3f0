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

// Writes distributed arrays to HDF5 files, and reads arrays from HDF5 files. The functions are in a separate library, so that
// libsode does not depend on HDF5. To use this library with CMake, write find_package(sode COMPONENTS hdf5) and link to sode::hdf5.
// docs/decisions/0007-files.md explains how the library works without MPI.

namespace sode {

/// A simulated time and the number of the time step.
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

/// Refers to an array with elements of any type, and contains the name of the array's dataset.
struct file_field {
    std::string name;
    halo_source array;
    number type;
};

} // namespace detail

/// An argument `{"u", u}` of write(): writes the array or bundle `u`, or the current buffer now() of a buffered array, to the
/// dataset "u". The components of a bundle are written to the datasets "u/0", "u/1" and so on. An output_field keeps the array's
/// memory alive.
struct output_field {
    template <class Array>
    output_field(std::string name, Array const& a)
        : field{std::move(name), a.halo(), detail::number_of<typename Array::value_type>()} {}

    detail::file_field field;
};

/// An argument `{"u", u}` of read(): reads the dataset "u" into the array or bundle `u`, or into both buffers of a buffered array.
/// An input_field keeps the array's memory alive.
struct input_field {
    template <class Array>
    requires(!std::is_const_v<Array>) input_field(std::string name, Array& a)
        : field{std::move(name), a.halo(), detail::number_of<typename Array::value_type>()} {}

    detail::file_field field;
};

/// Writes arrays to an HDF5 file. Each array is written to a contiguous dataset with the array's global extents, in row-major order
/// and in this machine's number format. The file stores `when` in the attributes `time` and `step`. Shadows are not written. All
/// HDF5 tools can read the file.
///
///     sode::write("restart.h5", {{"u", u}, {"v", v}}, {.time = t, .step = n});
///
/// write() is collective. All ranks must use the same file system. All ranks write concurrently, each rank its own elements. At the
/// end, the new file atomically replaces any old file of the same name. If a job is killed during write(), the old file still
/// exists. The incomplete new file remains in the same folder, with random digits in its name and the ending `.part`. The next
/// write() of the same file removes the incomplete file.
///
/// \param fields  at least one array, all of one job; the names must be different and not empty, and must not contain '/'
/// \param when    the time and step number, equal on all ranks
///
/// All ranks throw a usage error for invalid names, or if ranks write different arrays. All ranks throw an environment error if the
/// file cannot be written, or if the disk is full. Throws a peer error if another rank dies or leaves the job, and a timeout error
/// after SODE_TIMEOUT seconds. After any error, the old file still exists. write() packs and writes this rank's elements, one
/// megabyte at a time. In addition, write() costs a flush to disk and four small allgathers.
SODE_API void write(std::string const& file, std::vector<output_field> const& fields, moment const& when = {});

/// Reads arrays from an HDF5 file that write() or another program wrote. Each rank reads its own elements and its copies of
/// replicated elements. The program that wrote the file may have had another number of ranks or another distribution. For a
/// buffered array, read() sets both buffers, because boundary elements that the program never computes must be correct in both
/// halves. read() does not set halos, so run an exchange before you access halos.
///
///     auto const when = sode::read("restart.h5", {{"u", u}, {"v", v}});
///
/// Datasets may have any layout and byte order, may be compressed, and may be in groups ("fields/u").
///
/// \return the attributes `time` and `step` of the file; a missing attribute is returned as 0
///
/// read() is collective. All ranks throw a usage error if a dataset does not exist, or if a dataset and the array differ in extents
/// or type. All ranks throw an environment error if the file is missing or damaged. read() changes no array before all checks have
/// succeeded.
SODE_API moment read(std::string const& file, std::vector<input_field> const& fields);

} // namespace sode
