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

// Files of distributed arrays, in a separate library, so that libsode needs no HDF5: find_package(sode COMPONENTS hdf5), target
// sode::hdf5. docs/decisions/0007-files.md says how this library works, and why it needs no MPI.

namespace sode {

/// A simulated time, and the number of its time step.
struct moment {
    double time = 0;
    index_t step = 0;
};

namespace detail {

/// The number types in files.
enum class number : std::uint8_t { f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

template <class T> [[nodiscard]] constexpr number number_of() noexcept {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8,
                  "files can only store numbers of up to 8 bytes");
    if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? number::f32 : number::f64;
    constexpr auto width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<number>(static_cast<int>(std::is_signed_v<T> ? number::i8 : number::u8) + width);
}

/// A named array of any type.
struct file_field {
    std::string name;
    halo_source array;
    number type;
};

} // namespace detail

/// `{"u", u}` in a call to write(): the array, the bundle or the now() of the buffered array `u` becomes the dataset "u". The
/// components of a bundle become "u/0", "u/1", … The pair refers to the array's memory and keeps it alive.
struct output_field {
    template <class Array>
    output_field(std::string name, Array const& a)
        : field{std::move(name), a.halo(), detail::number_of<typename Array::value_type>()} {}

    detail::file_field field;
};

/// `{"u", u}` in a call to read().
struct input_field {
    template <class Array>
    requires(!std::is_const_v<Array>) input_field(std::string name, Array& a)
        : field{std::move(name), a.halo(), detail::number_of<typename Array::value_type>()} {}

    detail::file_field field;
};

/// Writes arrays to an HDF5 file. Each array becomes a contiguous dataset with its global extents, row-major, in this machine's
/// number format. The attributes `time` and `step` hold `when`. Shadows are not written. Any tool for HDF5 can read the file.
///
///     sode::write("restart.h5", {{"u", u}, {"v", v}}, {.time = t, .step = n});
///
/// Collective. All ranks must see the same file system. All ranks write at the same time, each its own elements. At the end, the
/// new file atomically replaces an old file of the same name. If a job is killed while it writes, the old file stays. A partial
/// file remains beside the old file: its name has random digits and ends in `.part`. The next write() of the same file removes the
/// partial file.
///
/// \param fields  arrays of one job, at least one; names are not empty, are different, and have no '/'
/// \param when    the same on every rank
/// Errors, on every rank (the old file stays): usage, for wrong names, or if ranks write different arrays; environment, if the file
/// cannot be written or the disk is full; peer, timeout.
/// Cost: packing and writing this rank's elements, a megabyte at a time; four small allgathers; flushing to disk.
SODE_API void write(std::string const& file, std::vector<output_field> const& fields, moment const& when = {});

/// Reads arrays from an HDF5 file that write() or another program wrote. Each rank reads the elements that it owns or has a copy
/// of. Reader and writer may differ in the number of ranks and in the distribution. For a buffered array both halves are set,
/// because elements that a program never computes (boundaries) must be right in both. Halos are not set: run an exchange before you
/// read halos.
///
///     auto const when = sode::read("restart.h5", {{"u", u}, {"v", v}});
///
/// Datasets may have any layout and byte order, may be compressed, and may be in groups ("fields/u").
///
/// \return the attributes `time` and `step` of the file; 0 if the file has no such attribute
/// Collective. Errors, on every rank: usage, if there is no such dataset, or its extents or type differ from the array's;
/// environment, if the file is missing or damaged. Everything is checked before an array is written.
SODE_API moment read(std::string const& file, std::vector<input_field> const& fields);

} // namespace sode
