// SPDX-License-Identifier: Apache-2.0
#include "tune/estimate.hpp"

#include "base/contract.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace sode::internal::tools {
namespace {

using namespace tune_shapes;

// Below this a measurement cannot tell a cost from none.
constexpr double least_row = 0.05, least_byte = 0.001;

template <class T> struct ranged {
    std::string_view name;
    double T::*value;
    double least;
};
constexpr std::array<ranged<pair_costs>, 5> of_a_pair{{{"flag", &pair_costs::flag, 1},
                                                       {"stream_byte", &pair_costs::stream_byte, least_byte},
                                                       {"row", &pair_costs::row, least_row},
                                                       {"short_row", &pair_costs::short_row, least_row},
                                                       {"stage_byte", &pair_costs::stage_byte, least_byte}}};
constexpr std::array<ranged<profile>, 4> of_one_core{{{"pack_row", &profile::pack_row, least_row},
                                                      {"far_row_page", &profile::far_row_page, least_row},
                                                      {"local_byte", &profile::local_byte, least_byte},
                                                      {"local_byte_big", &profile::local_byte_big, least_byte}}};

template <class T, std::size_t n> std::vector<std::string_view> hold(T& c, T const& usual, std::array<ranged<T>, n> const& all) {
    std::vector<std::string_view> held;
    for (auto const& one : all) {
        if (c.*one.value > one.least) continue;
        c.*one.value = usual.*one.value;
        held.push_back(one.name);
    }
    return held;
}

double per_byte(std::array<double, 3> const& times, sizes const& bytes) {
    double logarithms = 0;
    for (std::size_t i = 0; i < times.size(); ++i) logarithms += std::log(std::max(times[i], 1.0) / static_cast<double>(bytes[i]));
    return std::exp(logarithms / static_cast<double>(times.size()));
}

} // namespace

pair_costs estimate(pair_times const& t) {
    pair_costs c;
    c.flag = t.round_trip / 2;
    c.stream_byte = per_byte(t.pulled, pulled);
    c.row = t.rows / rows - c.stream_byte * row_bytes;
    c.short_row = t.short_rows / short_rows - c.stream_byte * short_row_bytes;
    c.stage_byte =
        (t.pack_shared - t.pack_private + t.unpack_shared - t.unpack_private) / static_cast<double>(short_rows * short_row_bytes);
    return c;
}

message_costs estimate(message_times const& t) {
    // An end cannot spend more on a byte than all of what the byte takes.
    double const per_byte = (t.large - t.small) / (large_message - small_message);
    message_costs c;
    c.overhead = t.send_small;
    c.host_byte = std::clamp((t.send_medium - t.send_small) / (medium_message - small_message), 0.0, std::max(0.0, per_byte / 2));
    c.byte = per_byte - 2 * c.host_byte;
    c.latency = t.small - 2 * c.overhead - static_cast<double>(small_message) * per_byte;
    return c;
}

void estimate(local_times const& t, profile& p) {
    p.local_byte = per_byte(t.cached, cached);
    p.local_byte_big = per_byte(t.big, big);
    double const gather = (t.pack + t.unpack) / 2;
    p.pack_row = gather / short_rows - p.local_byte * short_row_bytes;
    // The first pages are translated already, as the chooser has it.
    p.far_row_page = (t.far_rows - static_cast<double>(far_rows) * gather / static_cast<double>(short_rows)) /
                     static_cast<double>(far_rows - p.cached_pages);
}

double median(std::span<double const> values) {
    SODE_EXPECT(!values.empty(), "there is no median of nothing");
    std::vector<double> sorted{values.begin(), values.end()};
    auto const middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    if (sorted.size() % 2 != 0) return *middle;
    return (*middle + *std::max_element(sorted.begin(), middle)) / 2;
}

pair_costs median(std::span<pair_costs const> blocks) {
    pair_costs all;
    for (auto const& c : of_a_pair) all.*c.value = median_of(blocks, c.value, c.least);
    return all;
}

std::vector<std::string_view> hold_bounds(pair_costs& c, pair_costs const& usual) {
    return hold(c, usual, of_a_pair);
}

std::vector<std::string_view> hold_bounds(profile& p, profile const& usual) {
    return hold(p, usual, of_one_core);
}

message_costs median(std::span<message_costs const> blocks) {
    message_costs c;
    c.overhead = median_of(blocks, &message_costs::overhead, 1.0);
    c.latency = median_of(blocks, &message_costs::latency, 1.0);
    c.byte = median_of(blocks, &message_costs::byte, least_byte);
    c.host_byte = median_of(blocks, &message_costs::host_byte, 0.0);
    return c;
}

void median(std::span<profile const> blocks, profile& p) {
    for (auto const& c : of_one_core) p.*c.value = median_of(blocks, c.value, c.least);
    p.local_byte_big = std::max(p.local_byte, p.local_byte_big);
}

} // namespace sode::internal::tools
