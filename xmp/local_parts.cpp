// SPDX-License-Identifier: Apache-2.0
// The parts of arrays that lie on this rank.
#include "local_parts.hpp"

#include "arrays.hpp"
#include "process.hpp"
#include "shares.hpp"
#include "upward.hpp"
#include <cstring>
#include <functional>

namespace sode::xmp {
namespace {

// Calls act(place) for each element, in row-major order: places[d] are those of its indices, in elements.
void for_each(std::vector<std::vector<std::int64_t>> const& places, std::size_t d, std::int64_t at,
              std::function<void(std::int64_t)> const& act) {
    if (d == places.size()) return act(at);
    for (auto const p : places[d]) for_each(places, d + 1, at + p, act);
}

std::vector<std::vector<std::int64_t>> places_of(sode_xmp_side const& side) {
    auto const n = static_cast<std::size_t>(side.dims);
    std::vector<std::int64_t> strides(n, 1);
    for (auto d = n - 1; d-- > 0;) strides[d] = strides[d + 1] * side.extents[d + 1];
    std::vector<std::vector<std::int64_t>> places(n);
    for (std::size_t d = 0; d < n; ++d)
        for (std::int64_t k = 0, i = side.part[d].lower; k < count_of(side.part[d]); ++k, i += side.part[d].step)
            places[d].push_back(i * strides[d]);
    return places;
}

// Calls act(place, bytes) for what lies together in memory, in row-major order.
void for_each_run(sode_xmp_side const& side, std::function<void(char*, std::size_t)> const& act) {
    auto const bytes = static_cast<std::int64_t>(side.type >> 8);
    auto places = places_of(side);
    std::int64_t together = 1;
    if (side.part[side.dims - 1].step == 1 && !places.back().empty()) {
        together = static_cast<std::int64_t>(places.back().size());
        places.back().resize(1);
    }
    for_each(places, 0, 0, [&](std::int64_t at) {
        act(static_cast<char*>(side.local) + at * bytes, static_cast<std::size_t>(together * bytes));
    });
}

} // namespace

std::int64_t count_of(sode_range const& r) {
    if (r.step > 0) return r.upper > r.lower ? (r.upper - r.lower + r.step - 1) / r.step : 0;
    return r.step < 0 && r.upper <= r.lower + 1 ? (r.lower + 1 - r.upper) / -r.step + 1 : 0; // upper is behind the last one
}

std::vector<std::int64_t> counts_of(sode_xmp_side const& side) {
    std::vector<std::int64_t> counts;
    for (int d = 0; d < side.dims; ++d) counts.push_back(count_of(side.part[d]));
    return counts;
}

void pack(sode_xmp_side const& from, char* packed) {
    for_each_run(from, [&](char* place, std::size_t bytes) {
        std::memcpy(packed, place, bytes);
        packed += bytes;
    });
}

void unpack(char const* packed, sode_xmp_side const& to) {
    for_each_run(to, [&](char* place, std::size_t bytes) {
        std::memcpy(place, packed, bytes);
        packed += bytes;
    });
}

void fill(char const* at, sode_xmp_side const& to, void const* value) {
    auto const bytes = static_cast<std::size_t>(to.type >> 8);
    std::vector<std::vector<std::int64_t>> places;
    auto* base = static_cast<char*>(to.local);
    if (to.array) {
        auto const& s = *to.array->state;
        base = static_cast<char*>(to.array->base);
        std::vector<std::int64_t> strides(static_cast<std::size_t>(s.dims));
        check(at, sode_array_view(s.array, nullptr, strides.data(), nullptr, nullptr), s.job);
        for (int d = 0; d < s.dims; ++d) {
            auto const k = static_cast<std::size_t>(d);
            sode_dimension is{};
            check(at, sode_grid_dimension(s.grid, d, &is), s.job);
            auto const r = to.part[d].step < 0 ? reversed(to.part[d]) : to.part[d];
            if (r.lower < 0 || r.upper > is.extent)
                fail(at, "gmove names elements outside of array \"" + s.name + "\" (dimension " + std::to_string(d) + ")",
                     "name elements that exist");
            places.emplace_back();
            for (std::int64_t n = 0, i = r.lower; n < count_of(r); ++n, i += r.step) {
                if (owned(is, i)) places.back().push_back((is.chunk > 0 ? sode_xmp_place(to.array, d, i) : i) * strides[k]);
            }
        }
        if (!base) return;
    } else {
        places = places_of(to);
    }
    for_each(places, 0, 0, [&](std::int64_t place) { std::memcpy(base + place * static_cast<std::int64_t>(bytes), value, bytes); });
}

} // namespace sode::xmp
