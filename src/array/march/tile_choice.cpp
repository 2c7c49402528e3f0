// SPDX-License-Identifier: Apache-2.0
#include "array/march/tile_choice.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

// The rows that lie between what the first step reads and what the last one writes.
index_t rows_between(detail::tile_shape const& s) noexcept {
    return s.rows + s.steps * s.lag[0] + s.lower[0];
}

// Elements of a row of dimension 0 in one column of dimension 1.
index_t column(tile_load const& load) noexcept {
    index_t n = 1;
    for (std::size_t d = 2; d < static_cast<std::size_t>(load.dims); ++d) n *= load.extent[d];
    return n;
}

} // namespace

std::int64_t window_bytes(detail::tile_shape const& s, tile_load const& load) noexcept {
    if (load.dims == 1) return rows_between(s) * load.point_bytes;
    auto const columns = s.width > 0 ? std::min(s.width + s.steps * s.lag[1], load.extent[1]) : load.extent[1];
    return rows_between(s) * columns * column(load) * load.point_bytes;
}

double part_inside(detail::tile_shape const& s, tile_load const& load) noexcept {
    double inside = 0, all = 0;
    for (index_t step = 1; step <= s.steps; ++step) {
        double inner = 1, whole = 1;
        for (std::size_t d = 0; d < static_cast<std::size_t>(load.dims); ++d) {
            auto const [lower, upper] = detail::inner_span(s, d, step, {load.lower[d], load.lower[d] + load.extent[d]});
            inner *= static_cast<double>(upper - lower);
            whole *= static_cast<double>(load.extent[d]);
        }
        inside += inner;
        all += whole;
    }
    return all > 0 ? inside / all : 0;
}

void fit_into_cache(detail::tile_shape& s, tile_load const& load) noexcept {
    // A loop of a few elements costs more than they do; one that threads share, more again.
    constexpr index_t worth_a_loop = 1024, worth_a_thread = 4096, hides_a_loop = 8;
    auto const budget = load.cache_bytes * load.threads * 6 / 10;
    index_t const least = load.threads > 1 ? worth_a_thread * load.threads : worth_a_loop;
    s.width = 0;
    if (load.dims == 1) {
        auto const fits = budget / load.point_bytes - s.steps * s.lag[0];
        s.rows = std::clamp<index_t>(fits, least, 64 * least);
        return;
    }
    auto const rest = column(load);
    auto const row = std::max<index_t>(load.extent[1] * rest, 1);
    auto const rows_of = [&](index_t elements) {
        return std::clamp<index_t>((elements + row - 1) / row, 1, std::max<index_t>(load.extent[0], 1));
    };
    // What it costs to begin a loop is nothing beside so many elements; the cache may have room for them.
    for (auto times = hides_a_loop; times > 1; times /= 2) {
        s.rows = rows_of(least * times);
        if (window_bytes(s, load) <= budget) return;
    }
    s.rows = rows_of(least);
    if (load.whole_rows || window_bytes(s, load) <= budget) return;
    // Strips: narrow enough for the cache, but not so narrow that most of a strip is what it shares with the next one.
    auto const per_column = rows_between(s) * rest * load.point_bytes;
    auto const skew = s.steps * s.lag[1];
    index_t const narrowest = std::max<index_t>({skew, 4, (load.dims == 2 ? 512 : 0)});
    auto const width = std::max(budget / std::max<std::int64_t>(per_column, 1) - skew, narrowest);
    auto const strips = (load.extent[1] + width - 1) / width;
    if (strips > 1) s.width = (load.extent[1] + strips - 1) / strips;
}

} // namespace sode::internal
