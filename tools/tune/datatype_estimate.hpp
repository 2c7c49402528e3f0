// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"
#include "tune/fit.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sode::internal::tools {

/// Rows of `bytes`, `pitch` between the starts of neighbours.
[[nodiscard]] layout rows_of(std::int64_t count, std::int64_t bytes, std::int64_t pitch);

/// One of the copies between two cores by which the constants of derived datatypes are learned: both sides have this layout.
struct copy_sample {
    layout where;
    message_path how = message_path::direct; ///< direct: the reader copies; push: the writer; staged: both, piece by piece
};
inline constexpr std::size_t copy_sample_count = 18;
using copy_samples_list = std::array<copy_sample, copy_sample_count>;
/// Whole lines, lines of which little is used, many and few rows; within every core's cache, but for one that is in none.
[[nodiscard]] copy_samples_list const& copy_samples();
/// The farthest byte of any of them.
inline constexpr std::int64_t copy_sample_extent = std::int64_t{33} << 20;

/// Nanoseconds of each, in one block. Who owns what is read or written has rewritten it before.
using copy_times = std::array<double, copy_sample_count>;

/// The constants of a profile that say what copies between layouts cost: of memory and cores alone.
struct copy_costs {
    double line = 0, sparse_line = 0, push = 0, sparse_push = 0, stage_byte = 0, page = 0;
    double copied_row = 0, packed_row = 0, missed_line = 0;
};
/// One of them; how it is called; and below what a measurement cannot tell it from nothing: the bound of its range.
struct copy_constant {
    std::string_view name;
    double copy_costs::*value;
    double least;
    bool of_a_distance; ///< or of any
};
[[nodiscard]] std::span<copy_constant const> all_copy_constants();

/// `known` has the other constants, core_cache_bytes among them, and those that are `held`: bit i for all_copy_constants()[i].
[[nodiscard]] copy_costs estimate(copy_times const& t, distance apart, profile const& known, unsigned held = 0);
/// The median of each constant, over blocks, of which there must be one; the bound of its range at least.
[[nodiscard]] copy_costs median(std::span<copy_costs const> blocks);

/// The constants that fit blocks of measurements, of which there must be one. One whose median is at the bound of its range says
/// that the formula does not go so far: it stays as it is `known`, and the others are fitted again. Pure.
struct fitted_copies {
    copy_costs costs;
    std::vector<std::string_view> at_bound{}; ///< which were held
};
[[nodiscard]] fitted_copies fit_copies(std::span<copy_times const> blocks, distance apart, profile const& known);
/// Into a profile, and out of it: what depends on the distance, and what does not.
void put(copy_costs const& c, distance apart, profile& p);
[[nodiscard]] copy_costs copies_in(profile const& p, distance apart);

/// The messages by which those of an MPI are learned: both sides have this layout.
inline constexpr std::size_t typed_sample_count = 12;
using typed_samples_list = std::array<layout, typed_sample_count>;
/// Short rows, long rows and lists of four lengths.
[[nodiscard]] typed_samples_list const& typed_samples();
inline constexpr std::int64_t typed_sample_extent = std::int64_t{8} << 20;

/// Messages of new datatypes.
struct new_sample {
    layout fields; ///< faces of several arrays, as a structure
    layout list;   ///< a thousand places,
    layout longer; ///< and five thousand
};
[[nodiscard]] new_sample const& new_samples();

/// Times of messages of derived datatypes between two ranks, one way, in nanoseconds.
struct typed_times {
    std::array<double, typed_sample_count> plain{}; ///< left to MPI
    double direct = 0;                              ///< long rows, moved by the layer; 0, where it cannot reach the other's buffer
    double direct_twice = 0;                        ///< twice as many
    double staged = 0;                              ///< the same through a stage
    double staged_twice = 0;
    double new_fields = 0; ///< what the first messages there and back of a new datatype take longer,
    double new_list = 0;
    double new_longer = 0;
    double fields_numbers = 0, list_numbers = 0, longer_numbers = 0; ///< which so many numbers describe
};
inline constexpr std::int64_t moved_row_bytes = 512, moved_pitch = 1024, moved_rows = 64;

/// The constants of a profile that are of an MPI, and of the layer with it.
struct typed_costs {
    double mpi = 0, mpi_asking = 0, mpi_row = 0, mpi_list_row = 0, mpi_byte = 0;
    double handshake = 0, stage = 0, new_layout = 0, new_layout_entry = 0;
};
/// How the messages went.
struct typed_circumstances {
    distance apart = distance::near;
    std::int64_t eager_bytes = 0; ///< up to here this MPI does not ask the receiver
    bool reachable = false;       ///< the layer could reach the other's buffer
};
/// `known` has the other constants; mpi_asking as well, where nothing asked, and stage, where everything went through one.
[[nodiscard]] typed_costs estimate(typed_times const& t, typed_circumstances const& how, profile const& known);
[[nodiscard]] typed_costs median(std::span<typed_costs const> blocks);
/// What is at the bound of its range becomes what it is in `usual`. Returns the names of those that this changes. Pure.
std::vector<std::string_view> hold_bounds(typed_costs& c, typed_costs const& usual);
void put(typed_costs const& c, distance apart, profile& p);
[[nodiscard]] typed_costs typed_in(profile const& p, distance apart);

} // namespace sode::internal::tools
