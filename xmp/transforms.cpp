// SPDX-License-Identifier: Apache-2.0
// xmp_gather, xmp_scatter, xmp_pack, xmp_unpack, xmp_sort_up, xmp_sort_down: elements go where values say.
#include "elements.hpp"
#include "process.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstring>

namespace sode::xmp {
namespace {

using buffers = std::vector<std::vector<char>>;

template <class T> void append(std::vector<char>& to, T const& value) {
    auto const* const first = reinterpret_cast<char const*>(&value);
    to.insert(to.end(), first, first + sizeof value);
}

template <class T> T taken(char const*& from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    from += sizeof value;
    return value;
}

std::size_t ranks_of(elements const& e) {
    return static_cast<std::size_t>(sode_size(e.state().job));
}

void require_same(char const* at, elements const& a, elements const& b) {
    if (a.state().type != b.state().type)
        fail(at, "arrays \"" + a.state().name + "\" and \"" + b.state().name + "\" have elements of different types",
             "declare them with the same type");
    if (a.state().job != b.state().job)
        fail(at, "arrays \"" + a.state().name + "\" and \"" + b.state().name + "\" are on different sets of ranks",
             "use one set of nodes for all arrays");
    require_made_by_caller(at, a.state());
}

// An integer, as wide as the array's elements are.
std::int64_t integer_at(elements const& of, char const* place) {
    switch (of.bytes()) {
    case 1: return *reinterpret_cast<signed char const*>(place);
    case 2: return *reinterpret_cast<std::int16_t const*>(place);
    case 4: return *reinterpret_cast<std::int32_t const*>(place);
    default: return *reinterpret_cast<std::int64_t const*>(place);
    }
}

// Element `number` of `to` becomes the value, wherever there is a copy of it.
struct parcel {
    std::int64_t number;
    char const* value;
};
void deliver(char const* at, elements const& to, std::vector<parcel> const& parcels) {
    buffers out(ranks_of(to));
    for (auto const& p : parcels)
        to.each_owner(p.number, [&](int rank) {
            auto& b = out[static_cast<std::size_t>(rank)];
            append(b, p.number);
            b.insert(b.end(), p.value, p.value + to.bytes());
        });
    for (auto const& in : exchanged(at, to.state().job, out))
        for (auto const *c = in.data(), *const end = c + in.size(); c < end; c += to.bytes())
            if (auto const number = taken<std::int64_t>(c); true) std::memcpy(to.place(number), c, to.bytes());
}

// Stores element numbers[k] of `from` at places[k].
void fetch(char const* at, elements const& from, std::vector<std::int64_t> const& numbers, std::vector<char*> const& places) {
    buffers asked(ranks_of(from));
    std::vector<int> whom;
    for (auto const n : numbers) {
        whom.push_back(from.owner(n));
        append(asked[static_cast<std::size_t>(whom.back())], n);
    }
    buffers answers(asked.size());
    auto const questions = exchanged(at, from.state().job, asked);
    for (std::size_t k = 0; k < questions.size(); ++k)
        for (auto const *c = questions[k].data(), *const end = c + questions[k].size(); c < end;) {
            auto const* const place = from.place(taken<std::int64_t>(c));
            answers[k].insert(answers[k].end(), place, place + from.bytes());
        }
    auto const got = exchanged(at, from.state().job, answers);
    std::vector<std::size_t> next(got.size(), 0);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        auto const rank = static_cast<std::size_t>(whom[k]);
        std::memcpy(places[k], got[rank].data() + next[rank], from.bytes());
        next[rank] += from.bytes();
    }
}

// The element of `of` that the index arrays name, for each of those that this rank has of the first one.
std::vector<std::int64_t> named(char const* at, elements const& of, std::vector<elements> const& indices) {
    std::vector<std::int64_t> numbers;
    indices.front().each_owned([&](std::int64_t n, char*) {
        std::vector<std::int64_t> list;
        for (auto const& i : indices) list.push_back(integer_at(i, i.place(n)));
        numbers.push_back(of.number(at, list));
    });
    return numbers;
}

std::vector<elements> index_arrays(char const* at, int count, elements const& like, std::va_list list) {
    std::vector<elements> indices;
    for (int k = 0; k < count; ++k) {
        indices.emplace_back(at, va_arg(list, xmp_desc_t));
        auto const &a = indices.back().state(), &b = like.state();
        bool same = a.dims == b.dims && a.along->onto == b.along->onto;
        for (std::size_t d = 0; same && d < static_cast<std::size_t>(a.dims); ++d) same = a.extents[d] == b.extents[d];
        if (!same)
            fail(at, "index array \"" + a.name + "\" has another shape or mapping than \"" + b.name + "\"",
                 "declare and align both arrays in the same way");
    }
    return indices;
}

// How many of `list` (ascending, on all ranks together) come before each: the list is spread over the ranks by number.
std::vector<std::int64_t> positions(char const* at, sode_runtime* job, std::int64_t all, std::vector<std::int64_t> const& list) {
    auto const ranks = static_cast<std::size_t>(sode_size(job));
    auto const share = all / static_cast<std::int64_t>(ranks) + 1;
    buffers asked(ranks);
    for (auto const n : list) append(asked[static_cast<std::size_t>(n / share)], n);
    auto const in = exchanged(at, job, asked);
    std::vector<std::int64_t> here;
    for (auto const& b : in)
        for (auto const *c = b.data(), *const end = c + b.size(); c < end;) here.push_back(taken<std::int64_t>(c));
    std::ranges::sort(here);
    here.erase(std::unique(here.begin(), here.end()), here.end()); // copies count once
    std::vector<std::int64_t> counts(ranks, 0);
    counts[static_cast<std::size_t>(sode_rank(job))] = static_cast<std::int64_t>(here.size());
    check(at, sode_allreduce(job, counts.data(), ranks, SODE_INT64, SODE_SUM), job);
    std::int64_t before = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(sode_rank(job)); ++k) before += counts[k];
    buffers answers(ranks);
    for (std::size_t k = 0; k < ranks; ++k)
        for (auto const *c = in[k].data(), *const end = c + in[k].size(); c < end;)
            append(answers[k], before + (std::ranges::lower_bound(here, taken<std::int64_t>(c)) - here.begin()));
    auto const got = exchanged(at, job, answers);
    std::vector<char const*> next;
    for (auto const& b : got) next.push_back(b.data());
    std::vector<std::int64_t> result;
    for (auto const n : list) result.push_back(taken<std::int64_t>(next[static_cast<std::size_t>(n / share)]));
    return result;
}

// The elements of `a` that the mask selects, on this rank: their numbers in the vector, and where they lie.
struct selection {
    std::vector<std::int64_t> positions;
    std::vector<char*> places;
};
selection selected(char const* at, elements const& a, xmp_desc_t mask, elements const& v) {
    selection s;
    std::vector<std::int64_t> numbers;
    std::vector<elements> which;
    if (mask) which.emplace_back(at, mask);
    a.each_owned([&](std::int64_t n, char* place) {
        if (mask && integer_at(which.front(), which.front().place(n)) == 0) return;
        numbers.push_back(n);
        s.places.push_back(place);
    });
    s.positions = mask ? positions(at, a.state().job, a.count(), numbers) : numbers;
    for (auto const p : s.positions)
        if (p >= v.count())
            fail(at, "vector \"" + v.state().name + "\" is too short (it has " + std::to_string(v.count()) + " elements)",
                 "declare a longer vector");
    return s;
}

// Each rank gets those between two samples, sorts them, and knows how many are before.
template <class T> void sort(char const* at, elements const& to, elements const& from, bool up) {
    auto* const job = from.state().job;
    auto const ranks = ranks_of(from);
    auto const less = [up](T a, T b) { return up ? a < b : b < a; };
    std::vector<T> mine;
    from.each_owned([&](std::int64_t n, char const* place) {
        if (from.owner(n) == sode_rank(job)) mine.push_back(*reinterpret_cast<T const*>(place));
    });
    std::sort(mine.begin(), mine.end(), less);
    std::vector<char> sample;
    for (std::size_t k = 0; k < 8 * ranks && !mine.empty(); ++k) append(sample, mine[k * mine.size() / (8 * ranks)]);
    std::vector<T> samples;
    for (auto const& b : exchanged(at, job, buffers(ranks, sample)))
        for (auto const *c = b.data(), *const end = c + b.size(); c < end;) samples.push_back(taken<T>(c));
    std::sort(samples.begin(), samples.end(), less);
    buffers out(ranks);
    for (T const value : mine) {
        std::size_t k = 0;
        while (k + 1 < ranks && !samples.empty() && !less(value, samples[(k + 1) * samples.size() / ranks])) ++k;
        append(out[k], value);
    }
    mine.clear();
    for (auto const& b : exchanged(at, job, out))
        for (auto const *c = b.data(), *const end = c + b.size(); c < end;) mine.push_back(taken<T>(c));
    std::sort(mine.begin(), mine.end(), less);
    std::vector<std::int64_t> counts(ranks, 0);
    counts[static_cast<std::size_t>(sode_rank(job))] = static_cast<std::int64_t>(mine.size());
    check(at, sode_allreduce(job, counts.data(), ranks, SODE_INT64, SODE_SUM), job);
    std::int64_t position = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(sode_rank(job)); ++k) position += counts[k];
    std::vector<parcel> parcels;
    for (T const& value : mine) parcels.push_back({position++, reinterpret_cast<char const*>(&value)});
    deliver(at, to, parcels);
}

void sort_any(char const* at, xmp_desc_t v1, xmp_desc_t v2, bool up) {
    all_written(at, v1);
    elements const to{at, v1}, from{at, v2};
    require_same(at, to, from);
    if (to.count() != from.count()) fail(at, "the vectors have different lengths", "declare them with the same length");
    switch (from.state().type) {
    case SODE_FLOAT: return sort<float>(at, to, from, up);
    case SODE_DOUBLE: return sort<double>(at, to, from, up);
    case SODE_LONG_DOUBLE: return sort<long double>(at, to, from, up);
    case SODE_INT8: return sort<std::int8_t>(at, to, from, up);
    case SODE_INT16: return sort<std::int16_t>(at, to, from, up);
    case SODE_INT32: return sort<std::int32_t>(at, to, from, up);
    case SODE_INT64: return sort<std::int64_t>(at, to, from, up);
    case SODE_UINT8: return sort<std::uint8_t>(at, to, from, up);
    case SODE_UINT16: return sort<std::uint16_t>(at, to, from, up);
    case SODE_UINT32: return sort<std::uint32_t>(at, to, from, up);
    case SODE_UINT64: return sort<std::uint64_t>(at, to, from, up);
    default:
        fail(at, "elements of array \"" + from.state().name + "\" have no order",
             "pass an array of integers or floating-point numbers");
    }
}

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void xmp_gather(xmp_desc_t x, xmp_desc_t a, ...) {
    constexpr auto at = "xmp_gather()";
    all_written(at, x);
    elements const to{at, x}, from{at, a};
    require_same(at, to, from);
    std::va_list list;
    va_start(list, a);
    auto const indices = index_arrays(at, from.state().dims, to, list);
    va_end(list);
    std::vector<char*> places;
    to.each_owned([&](std::int64_t, char* place) { places.push_back(place); });
    fetch(at, from, named(at, from, indices), places);
}

void xmp_scatter(xmp_desc_t x, xmp_desc_t a, ...) {
    constexpr auto at = "xmp_scatter()";
    all_written(at, x);
    elements const to{at, x}, from{at, a};
    require_same(at, to, from);
    std::va_list list;
    va_start(list, a);
    auto const indices = index_arrays(at, to.state().dims, from, list);
    va_end(list);
    auto const numbers = named(at, to, indices);
    std::vector<parcel> parcels;
    std::size_t k = 0;
    from.each_owned([&](std::int64_t n, char const* place) {
        auto const target = numbers[k++];
        if (from.owner(n) == sode_rank(from.state().job)) parcels.push_back({target, place});
    });
    deliver(at, to, parcels);
}

void sode_xmp_pack(xmp_desc_t v, xmp_desc_t a, xmp_desc_t mask, ...) {
    constexpr auto at = "xmp_pack()";
    all_written(at, v);
    elements const to{at, v}, from{at, a};
    require_same(at, to, from);
    auto const s = selected(at, from, mask, to);
    std::vector<parcel> parcels;
    for (std::size_t k = 0; k < s.places.size(); ++k) parcels.push_back({s.positions[k], s.places[k]});
    deliver(at, to, parcels);
}

void sode_xmp_unpack(xmp_desc_t a, xmp_desc_t v, xmp_desc_t mask, ...) {
    constexpr auto at = "xmp_unpack()";
    all_written(at, a);
    elements const to{at, a}, from{at, v};
    require_same(at, to, from);
    auto const s = selected(at, to, mask, from);
    fetch(at, from, s.positions, s.places);
}

void xmp_sort_up(xmp_desc_t v1, xmp_desc_t v2) {
    sort_any("xmp_sort_up()", v1, v2, true);
}

void xmp_sort_down(xmp_desc_t v1, xmp_desc_t v2) {
    sort_any("xmp_sort_down()", v1, v2, false);
}

} // extern "C"
