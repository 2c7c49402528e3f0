// SPDX-License-Identifier: Apache-2.0
// How many steps a march takes at a time, by trial of made-up times; and the shape of a tile, by the cache.
#include "array/march/handing_choice.hpp"
#include "array/march/tile_choice.hpp"
#include "array/march/tile_trial.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sode::internal::testing {
namespace {

// Tries all there is to be tried. \return how many steps it stays with
template <class Time> index_t settled(tile_trial& trial, Time ns) {
    for (int told = 0; !trial.over(); ++told) {
        if (told > 20) return -1;
        trial.tell(ns(trial.steps()));
    }
    return trial.steps();
}

TEST(tile_trial, the_fastest_stays) {
    for (index_t const best : {2, 3, 4, 6, 8, 12, 16}) {
        tile_trial trial{16};
        EXPECT_EQ(settled(trial, [&](index_t k) { return 1e6 * (1 + std::abs(std::log2(double(k)) - std::log2(double(best)))); }),
                  best);
    }
}

TEST(tile_trial, single_steps_stay_where_nothing_is_gained) {
    tile_trial alike{16}, worse{16}, none{1};
    EXPECT_EQ(settled(alike, [](index_t k) { return k == 1 ? 1000.0 : 990.0; }), 1);
    EXPECT_EQ(settled(worse, [](index_t k) { return 1000.0 * static_cast<double>(k); }), 1);
    EXPECT_EQ(worse.results().size(), 2U); // 1 and 2: no more is tried then
    EXPECT_TRUE(none.over());
    EXPECT_EQ(none.steps(), 1);
}

TEST(tile_trial, no_more_steps_than_there_is_room_for) {
    tile_trial trial{5};
    EXPECT_EQ(settled(trial, [](index_t k) { return 1e6 / static_cast<double>(k); }), 5);
    for (auto const& r : trial.results()) EXPECT_LE(r.steps, 5);
}

TEST(tile_trial, what_a_march_is_too_short_for_is_left_out) {
    tile_trial trial{16};
    for (int told = 0; !trial.over() && told < 20; ++told)
        if (trial.steps() > 5)
            trial.skip();
        else
            trial.tell(1e6 / static_cast<double>(trial.steps()));
    EXPECT_TRUE(trial.over());
    EXPECT_EQ(trial.steps(), 4);
    for (auto const& r : trial.results()) EXPECT_LE(r.steps, 5);
}

TEST(tile_trial, short_passes_are_measured_together) {
    tile_trial trial{16};
    trial.tell(100); // a first idea
    EXPECT_EQ(trial.steps(), 1);
    EXPECT_EQ(trial.passes(), 1000);
    trial.tell(1000);
    EXPECT_EQ(trial.steps(), 2);
    EXPECT_EQ(trial.passes(), 100);
}

TEST(tile_trial, expects_what_four_words_instead_of_three_for_each_step_make) {
    tile_trial trial{8};
    static_cast<void>(settled(
        trial, [](index_t k) { return k == 1 ? 40.0 : 10.0 + 40.0 / static_cast<double>(k); })); // 10 + 3 * 10, 10 + 4 * 10 / k
    EXPECT_DOUBLE_EQ(trial.expected(8), 15.0);
}

TEST(tile_trial, rows_are_handed_where_that_is_faster) {
    for (double const handed : {1e5, 2e6}) {
        tile_trial trial{4};
        EXPECT_EQ(settled(trial, [](index_t k) { return 4e6 / static_cast<double>(k); }), 4);
        EXPECT_FALSE(trial.handed());
        trial.try_handing(4);
        EXPECT_TRUE(trial.handed());
        EXPECT_EQ(settled(trial, [=](index_t) { return handed; }), 4);
        EXPECT_EQ(trial.handed(), handed < 1e6);
        EXPECT_EQ(trial.handed_ns(), handed);
    }
    // Also with a number that does not pay without.
    tile_trial single{4};
    EXPECT_EQ(settled(single, [](index_t k) { return 1e6 * static_cast<double>(k); }), 1);
    single.try_handing(2);
    EXPECT_EQ(settled(single, [](index_t) { return 9e5; }), 2);
    EXPECT_TRUE(single.handed());
    EXPECT_EQ(single.handed_steps(), 2);
    tile_trial slower{4};
    static_cast<void>(settled(slower, [](index_t k) { return 1e6 * static_cast<double>(k); }));
    slower.try_handing(2);
    EXPECT_EQ(settled(slower, [](index_t) { return 9.9e5; }), 1);
    tile_trial too_short{4};
    static_cast<void>(settled(too_short, [](index_t k) { return 4e6 / static_cast<double>(k); }));
    too_short.try_handing(4);
    too_short.skip();
    EXPECT_TRUE(too_short.over());
    EXPECT_FALSE(too_short.handed());
}

TEST(handing_choice, rows_are_handed_where_computing_them_twice_costs_more) {
    pair_costs const near{.flag = 60, .stream_byte = 0.02, .row = 5, .short_row = 3, .stage_byte = 0.02};
    handing_load few{.rows = {1, 2}, .sides = 1, .block_rows = 1000, .point_bytes = 16'000, .changing_bytes = 8'000};
    EXPECT_FALSE(weigh(few, near).worth_it()); // a row of each, and more copies
    handing_load many = few;
    many.rows.steps = 16;
    many.sides = 2;
    EXPECT_TRUE(weigh(many, near).worth_it());
    many.point_bytes = 16, many.changing_bytes = 8; // short rows: it waits longer than they take
    EXPECT_FALSE(weigh(many, near).worth_it());
    many.step_ns = 1e6; // what was measured counts
    EXPECT_TRUE(weigh(many, near).worth_it());
}

TEST(tile_shape, what_a_tile_comes_back_to_fits_into_the_cache) {
    for (int dims : {1, 2, 3})
        for (index_t const n : {64, 1000, 4096, 10000})
            for (index_t const steps : {2, 8, 16}) {
                tile_load load{.dims = dims, .point_bytes = 16, .cache_bytes = 2 << 20};
                for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d)
                    load.extent[d] = dims == 3 ? std::min<index_t>(n, 512) : n;
                detail::tile_shape shape;
                shape.steps = steps;
                shape.lower = shape.upper = shape.lag = {1, 1, 1};
                fit_into_cache(shape, load);
                EXPECT_GE(shape.rows, 1);
                // Strips are no narrower than what they share with their neighbours.
                EXPECT_TRUE(window_bytes(shape, load) <= 2 << 20 ||
                            (shape.width > 0 && shape.width <= std::max(shape.steps, index_t{512})));
                EXPECT_TRUE(shape.width == 0 || shape.width < load.extent[1]);
            }
}

} // namespace
} // namespace sode::internal::testing
