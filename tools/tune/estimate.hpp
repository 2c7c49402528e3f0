// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/profile.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sode::internal::tools {

/// What is copied to learn the constants of a profile: sizes in bytes, pitches between the starts of rows.
namespace tune_shapes {
using sizes = std::array<std::int64_t, 3>;
inline constexpr sizes pulled{16 << 10, 64 << 10, 256 << 10};
inline constexpr sizes cached{8 << 10, 32 << 10, 64 << 10};                              ///< less than profile::cache_bytes
inline constexpr sizes big{256 << 10, 1 << 20, 4 << 20};                                 ///< more
inline constexpr std::int64_t rows = 64, row_bytes = 512, row_pitch = 4096 + 512;        ///< as the y face of 64^3
inline constexpr std::int64_t short_rows = 4096, short_row_bytes = 8, short_pitch = 528; ///< as its z face
inline constexpr std::int64_t small_message = 8, medium_message = 4096, large_message = 65536;
inline constexpr std::int64_t far_rows = 8192, far_pitch = 4096 + 64; ///< each on a page of its own
} // namespace tune_shapes

/// Times of one block of measurements between two cores, in nanoseconds. The owner has rewritten what is read before each.
struct pair_times {
    double round_trip = 0; ///< of one cache line
    std::array<double, 3> pulled{};
    double rows = 0;
    double short_rows = 0;
    double pack_shared = 0;   ///< short rows into a stage that the other core has read …
    double pack_private = 0;  ///< … and into memory of one's own
    double unpack_shared = 0; ///< out of a stage that the other core has written …
    double unpack_private = 0;
};

/// The same on one core alone.
struct local_times {
    std::array<double, 3> cached{};
    std::array<double, 3> big{};
    double pack = 0; ///< short rows
    double unpack = 0;
    double far_rows = 0; ///< packing
};

/// Times of one block of messages between two ranks, in nanoseconds.
struct message_times {
    double small = 0; ///< one way
    double large = 0;
    double send_small = 0; ///< time of the core for one of many, whose receiver is ready
    double send_medium = 0;
};

/// What docs/decisions/0003 says such times consist of, solved for the constants: what a byte costs is the geometric mean over the
/// sizes (the formula is then wrong by the same factor at both ends), a row costs what is left.
[[nodiscard]] pair_costs estimate(pair_times const& t);
/// All but eager_bytes.
[[nodiscard]] message_costs estimate(message_times const& t);
/// Fills in what one core knows: pack_row, far_row_page, local_byte and local_byte_big.
void estimate(local_times const& t, profile& p);

/// The median of each constant, over blocks, of which there must be one. What is smaller than can be measured becomes a small
/// positive number.
[[nodiscard]] pair_costs median(std::span<pair_costs const> blocks);
[[nodiscard]] message_costs median(std::span<message_costs const> blocks);
/// The medians of what estimate(local_times) fills in go into `p`.
void median(std::span<profile const> blocks, profile& p);

/// What is at the bound of its range, too small to be measured, becomes what it is in `usual`. Returns the names. Pure.
std::vector<std::string_view> hold_bounds(pair_costs& c, pair_costs const& usual);
/// The same of what one core knows.
std::vector<std::string_view> hold_bounds(profile& p, profile const& usual);

/// The median of an odd or even number of values, of which there must be one.
[[nodiscard]] double median(std::span<double const> values);
/// The median of a member over blocks, of which there must be one; `least` at least.
template <class T> [[nodiscard]] double median_of(std::span<T const> blocks, double T::*member, double least) {
    std::vector<double> values;
    for (auto const& b : blocks) values.push_back(b.*member);
    return std::max(least, median(values));
}

} // namespace sode::internal::tools
