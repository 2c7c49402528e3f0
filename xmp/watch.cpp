// SPDX-License-Identifier: Apache-2.0
// What the elements of a watched array hold.
#include "watch.hpp"

#include "arrays.hpp"
#include "process.hpp"
#include "shares.hpp"
#include <algorithm>
#include <functional>
#include <sode/checked.h>

namespace sode::xmp {

struct watch::halo {
    std::array<std::int64_t, most_dims> at{};
    cell* state = nullptr;
};

std::vector<watch*>& watch::all() {
    static auto* const list = new std::vector<watch*>;
    return *list;
}

watch::watch(char const* at, sode_xmp_array const& array)
    : array_(array), state_(array.state), dims_(static_cast<std::size_t>(array.state->dims)) {
    auto const& s = *state_;
    key_ = static_cast<std::int64_t>(std::hash<std::string>{}(s.name + '\n' + at));
    check(at, sode_array_view(s.array, nullptr, strides_.data(), lower_.data(), upper_.data()), s.job);
    std::int64_t count = 1;
    for (std::size_t d = dims_; d-- > 0;) {
        check(at, sode_grid_dimension(s.grid, static_cast<int>(d), &shares_[d]), s.job);
        auto const& is = shares_[d];
        none_ = none_ || is.coordinate < 0 || upper_[d] <= lower_[d];
        cells_[d] = count;
        count *= std::max<std::int64_t>(upper_[d] - lower_[d], 0);
        halos_ = halos_ || (is.chunk == 0 && (lower_[d] < is.lower || upper_[d] > is.upper));
    }
    for (std::size_t d = 0; d < dims_; ++d) {
        from_[d] = INT64_MAX;
        to_[d] = INT64_MIN;
    }
    if (halos_ && !none_) {
        states_.assign(static_cast<std::size_t>(count), cell::good);
        for_each_halo([&](halo const& h) { *h.state = outside(h.at.data()) ? cell::outside : cell::never; });
    }
    all().push_back(this);
}

watch::~watch() {
    std::erase(all(), this);
}

// Row by row: where an index is beyond the own block all of the row is halo, else only its two ends are.
template <class Act> void watch::for_each_halo(Act const& act) {
    if (states_.empty()) return;
    halo h;
    std::function<void(std::size_t, bool, std::size_t)> const walk = [&](std::size_t d, bool beyond, std::size_t before) {
        auto const& is = shares_[d];
        bool const last = d + 1 == dims_;
        for (auto i = lower_[d]; i < upper_[d]; ++i) {
            bool const out = beyond || (is.chunk == 0 && (i < is.lower || i >= is.upper));
            if (last && !out) { // over the own elements
                i = (is.chunk == 0 ? is.upper : upper_[d]) - 1;
                continue;
            }
            h.at[d] = i;
            auto const here = before + static_cast<std::size_t>((i - lower_[d]) * cells_[d]);
            if (last) {
                h.state = &states_[here];
                act(h);
            } else {
                walk(d + 1, out, here);
            }
        }
    };
    walk(0, false, 0);
}

std::size_t watch::place(std::array<std::int64_t, most_dims> const& i) const {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < dims_; ++d) at += (i[d] - lower_[d]) * cells_[d];
    return static_cast<std::size_t>(at);
}

bool watch::outside(std::int64_t const* indices) const {
    for (std::size_t d = 0; d < dims_; ++d)
        if (shares_[d].chunk == 0 && (indices[d] < 0 || indices[d] >= shares_[d].extent)) return true;
    return false;
}

void watch::extend(std::int64_t const* indices) {
    for (std::size_t d = 0; d < dims_; ++d) {
        for (auto low = from_[d].load(std::memory_order_relaxed); indices[d] < low;)
            if (from_[d].compare_exchange_weak(low, indices[d], std::memory_order_relaxed)) break;
        for (auto high = to_[d].load(std::memory_order_relaxed); indices[d] > high;)
            if (to_[d].compare_exchange_weak(high, indices[d], std::memory_order_relaxed)) break;
    }
    if (!wrote_.load(std::memory_order_relaxed)) wrote_ = true;
}

void* watch::element(char const* at, int how, std::int64_t const* indices, bool expands) {
    if (none_) not_here(at, indices, 0, (how & sode_xmp_reads) != 0);
    std::array<std::int64_t, most_dims> i{};
    bool own = true;
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < dims_; ++d) {
        auto const& is = shares_[d];
        i[d] = indices[d];
        if (is.chunk > 0) {
            if (i[d] < 0 || i[d] >= is.extent || !owned(is, i[d])) not_here(at, indices, d, (how & sode_xmp_reads) != 0);
            i[d] = sode_xmp_place(&array_, static_cast<int>(d), i[d]);
        } else {
            // An address may be the one behind the last element.
            if (i[d] < lower_[d] || i[d] >= upper_[d] + (how == 0 ? 1 : 0))
                not_here(at, indices, d, (how & sode_xmp_reads) != 0, expands);
            own = own && i[d] >= is.lower && i[d] < is.upper;
        }
        offset += i[d] * strides_[d];
    }
    void* const where = static_cast<char*>(array_.base) + offset * static_cast<std::int64_t>(state_->type >> 8);
    if (how == 0) return where;
    if (own) {
        if (halos_ && (how & sode_xmp_writes) != 0) extend(indices);
        return where;
    }
    auto& state = states_[place(i)];
    bool const added_up = (how & sode_xmp_adds) != 0 && (state == cell::never || state == cell::outside); // from 0
    if ((how & sode_xmp_reads) != 0 && state != cell::good && state != cell::just_written && !added_up)
        no_value(at, indices, state);
    if ((how & sode_xmp_writes) != 0) {
        if (!expands && (how & sode_xmp_adds) == 0 && !outside(indices)) not_own(at, indices);
        state = cell::just_written;
        halo_written_ = true;
    }
    return where;
}

void watch::row(char const* at, std::size_t d, std::int64_t index) const {
    auto const& is = shares_[d];
    std::array<std::int64_t, most_dims> indices{};
    for (std::size_t k = 0; k < dims_; ++k) indices[k] = k == d ? index : shares_[k].chunk > 0 ? 0 : shares_[k].lower;
    bool const here = is.chunk > 0 ? index >= 0 && index < is.extent && owned(is, index) : index >= lower_[d] && index <= upper_[d];
    if (none_ || !here) not_here(at, indices.data(), d, true);
}

void watch::fetched(char const* at, std::array<std::int64_t, 14> const& width, std::array<int, 7> const& periodic, bool orthogonal,
                    bool begins) {
    for_each_halo([&](halo const& h) {
        int beyond = 0;
        bool brought = true, array = true; // `array`: it is a copy of some element
        for (std::size_t d = 0; d < dims_; ++d) {
            auto const& is = shares_[d];
            if (is.chunk > 0) continue;
            auto const below = is.lower - h.at[d], above = h.at[d] - is.upper + 1;
            if (below <= 0 && above <= 0) continue;
            ++beyond;
            auto const layers = width[2 * d + (below > 0 ? 0 : 1)];
            brought = brought && (layers < 0 || std::max(below, above) <= layers);
            array = array && (periodic[d] != 0 || (h.at[d] >= 0 && h.at[d] < is.extent));
        }
        if (beyond > 1 && orthogonal) brought = false;
        if (brought && array)
            *h.state = begins ? cell::coming : cell::good;
        else if (*h.state == cell::stale || *h.state == cell::never || (array && *h.state == cell::outside))
            *h.state = cell::left_out;
    });
    for (std::size_t d = 0; d < dims_; ++d) {
        wraps_[d] = wraps_[d] || periodic[d] != 0;
        from_[d] = INT64_MAX;
        to_[d] = INT64_MIN;
    }
    wrote_ = false;
    fetched_at_ = at;
    orthogonal_ = orthogonal;
}

void watch::arrived() {
    for_each_halo([](halo const& h) {
        if (*h.state == cell::coming) *h.state = cell::good;
    });
}

void watch::replaced(char const* at, char const* what) {
    for_each_halo([&](halo const& h) {
        if (*h.state != cell::outside) *h.state = cell::stale;
    });
    written_at_ = at;
    replaced_by_ = what;
}

void watch::written(char const* at, box const& b) {
    bool any = false;
    for_each_halo([&](halo const& h) {
        if (*h.state == cell::outside || *h.state == cell::just_written) return;
        for (std::size_t d = 0; d < dims_; ++d) {
            auto i = h.at[d];
            auto const& is = shares_[d];
            if (is.chunk > 0) continue; // this rank's own places; others write others
            if (i < 0 || i >= is.extent) {
                if (!wraps_[d]) return;
                i = (i % is.extent + is.extent) % is.extent;
            }
            if (i < b.first[d] || i >= b.last[d]) return;
        }
        *h.state = cell::stale;
        any = true;
    });
    if (!any) return;
    written_at_ = at;
    replaced_by_ = nullptr;
}

bool watch::take_written(box& b) {
    if (!wrote_.exchange(false)) return false;
    for (std::size_t d = 0; d < dims_; ++d) {
        b.first[d] = from_[d].exchange(INT64_MAX);
        b.last[d] = to_[d].exchange(INT64_MIN) + 1;
    }
    return true;
}

void watch::settle() {
    if (!halo_written_.exchange(false)) return;
    for_each_halo([](halo const& h) {
        if (*h.state == cell::just_written) *h.state = cell::good;
    });
}

} // namespace sode::xmp
