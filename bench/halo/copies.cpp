// SPDX-License-Identifier: Apache-2.0
#include "halo/copies.hpp"

#include <cstring>

namespace sode::internal::bench {
namespace {

struct nest {
    std::int64_t planes, rows, to_plane, from_plane, to_row, from_row;
};

template <class Row> inline void for_each_row(char* to, char const* from, nest const& n, Row row) noexcept {
    for (std::int64_t p = 0; p < n.planes; ++p, to += n.to_plane, from += n.from_plane) {
        char* t = to;
        char const* f = from;
        for (std::int64_t r = 0; r < n.rows; ++r, t += n.to_row, f += n.from_row) row(t, f);
    }
}

template <std::size_t Bytes> void fixed(char* to, char const* from, nest const& n) noexcept {
    for_each_row(to, from, n, [](char* t, char const* f) { std::memcpy(t, f, Bytes); });
}

// Single elements. Volatile keeps g++ from vectorising it with inserts or not, depending on what it knows about the strides:
// unrolled scalar code is as fast as the best of those and always the same.
void single(char* to, char const* from, nest const& n) noexcept {
    auto const load = [](char const* p) { return *reinterpret_cast<std::uint64_t const volatile*>(p); };
    auto const store = [](char* p, std::uint64_t v) { *reinterpret_cast<std::uint64_t volatile*>(p) = v; };
    auto const a = n.to_row, b = n.from_row;
    for (std::int64_t p = 0; p < n.planes; ++p, to += n.to_plane, from += n.from_plane) {
        char* t = to;
        char const* f = from;
        std::int64_t r = 0;
        for (; r + 8 <= n.rows; r += 8, t += 8 * a, f += 8 * b) {
            auto const v0 = load(f), v1 = load(f + b), v2 = load(f + 2 * b), v3 = load(f + 3 * b);
            auto const v4 = load(f + 4 * b), v5 = load(f + 5 * b), v6 = load(f + 6 * b), v7 = load(f + 7 * b);
            store(t, v0), store(t + a, v1), store(t + 2 * a, v2), store(t + 3 * a, v3);
            store(t + 4 * a, v4), store(t + 5 * a, v5), store(t + 6 * a, v6), store(t + 7 * a, v7);
        }
        for (; r < n.rows; ++r, t += a, f += b) store(t, load(f));
    }
}

// Rows too short to pay for a call of memcpy: 64 bytes a step, the last step ends at the row's end.
void medium(char* to, char const* from, nest const& n, std::int64_t length) noexcept {
    for_each_row(to, from, n, [length](char* t, char const* f) {
        for (std::int64_t i = 0; i + 64 <= length; i += 64) std::memcpy(t + i, f + i, 64);
        std::memcpy(t + length - 64, f + length - 64, 64);
    });
}

void any(char* to, char const* from, nest const& n, std::int64_t length) noexcept {
    for_each_row(to, from, n, [length](char* t, char const* f) { std::memcpy(t, f, static_cast<std::size_t>(length)); });
}

} // namespace

place place::in(fields const& f, int field, box const& b) noexcept {
    constexpr std::int64_t element = sizeof(double);
    auto const& s = f.strides();
    return {reinterpret_cast<char*>(f.base(field) + b.from[0] * s[0] + b.from[1] * s[1] + b.from[2] * s[2]),
            {s[0] * element, s[1] * element, s[2] * element}};
}

place place::packed(char* memory, extent3 const& size) noexcept {
    constexpr std::int64_t element = sizeof(double);
    return {memory, {size[1] * size[2] * element, size[2] * element, element}};
}

box_copy::box_copy(place const& to, place const& from, extent3 const& size) noexcept
    : to_(to.origin), from_(from.origin), planes_(size[0]), rows_(size[1]),
      length_(size[2] * static_cast<std::int64_t>(sizeof(double))), to_plane_(to.strides[0]), from_plane_(from.strides[0]),
      to_row_(to.strides[1]), from_row_(from.strides[1]) {
    auto const rows_are_one = [this] { return rows_ > 1 && to_row_ == length_ && from_row_ == length_; };
    auto const lift = [this] {
        if (rows_ != 1) return;
        rows_ = planes_, to_row_ = to_plane_, from_row_ = from_plane_;
        planes_ = 1;
    };
    if (rows_are_one()) length_ *= rows_, rows_ = 1;
    lift();
    if (planes_ == 1 && rows_are_one()) length_ *= rows_, rows_ = 1;
}

void box_copy::run() const noexcept {
    nest const n{planes_, rows_, to_plane_, from_plane_, to_row_, from_row_};
    switch (length_) {
    case 8: return single(to_, from_, n);
    case 16: return fixed<16>(to_, from_, n);
    case 24: return fixed<24>(to_, from_, n);
    case 32: return fixed<32>(to_, from_, n);
    case 40: return fixed<40>(to_, from_, n);
    case 48: return fixed<48>(to_, from_, n);
    case 56: return fixed<56>(to_, from_, n);
    case 64: return fixed<64>(to_, from_, n);
    default: return length_ > 64 && length_ < 4096 ? medium(to_, from_, n, length_) : any(to_, from_, n, length_);
    }
}

copy_list self_copies(fields const& f) {
    copy_list copies;
    auto const& b = f.where();
    for (int field = 0; field < f.count(); ++field)
        for (auto const& d : directions())
            if (b.neighbour(d) == b.rank()) {
                box const to = b.halo(d);
                copies.emplace_back(place::in(f, field, to), place::in(f, field, b.edge(opposite(d))), to.size);
            }
    return copies;
}

} // namespace sode::internal::bench
