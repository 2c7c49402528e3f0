// SPDX-License-Identifier: Apache-2.0
// x:[k] in expressions. On this machine it is loaded and stored where it is. On another one it is got into a variable of the
// program; what is assigned is written to a slot, and put from there.
#include "coarrays.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <sode/directives.h>
#include <tuple>

namespace sode::xmp {
namespace {

char* direct(place const& p, int image) {
    auto* const there = p.in->images[static_cast<std::size_t>(image)];
    return there ? there + p.offset : nullptr;
}

sode_pattern block(std::size_t offset, std::size_t bytes) {
    return {static_cast<std::int64_t>(offset), static_cast<std::int64_t>(bytes), 0, {}, {}};
}

// What is assigned to, or an atomic variable, on another machine, as long as its expression is evaluated. Assignments may be in
// others' right sides, in any order.
struct slot {
    place where;
    int image;
    std::vector<std::max_align_t> memory;
    std::vector<char> before; // what was loaded, if a part of it is assigned to
};
std::vector<std::unique_ptr<slot>>& slots() {
    static thread_local auto* const list = new std::vector<std::unique_ptr<slot>>;
    return *list;
}

slot& new_slot(place const& where, int image, std::size_t bytes) {
    auto& s = *slots().emplace_back(new slot{where, image, {}, {}});
    s.memory.resize(bytes / sizeof(std::max_align_t) + 1);
    return s;
}

// The slot that begins there is taken out of the list; null: there is none.
std::unique_ptr<slot> take_slot(void const* first) {
    auto& all = slots();
    for (auto k = all.size(); k-- > 0;)
        if (all[k]->memory.data() == first) {
            auto s = std::move(all[k]);
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(k));
            return s;
        }
    return nullptr;
}

// Puts of an assignment of sections, which go together. Those to one image and of one size are a request.
struct gathered {
    coarray const* in = nullptr;
    int image = -1;
    std::size_t bytes = 0;
    std::vector<std::int64_t> offsets;
    std::vector<char> data;

    void add(char const* at, place const& p, int to, void const* from, std::size_t n) {
        constexpr std::size_t most = 1 << 16; // bounds the memory
        if (p.in != in || to != image || n != bytes || offsets.size() == most) flush(at);
        in = p.in;
        image = to;
        bytes = n;
        offsets.push_back(static_cast<std::int64_t>(p.offset));
        auto const* const first = static_cast<char const*>(from);
        data.insert(data.end(), first, first + n);
    }
    void flush(char const* at) {
        if (!offsets.empty())
            check_window(at, sode_window_put_blocks(in->window, image, offsets.size(), offsets.data(), bytes, data.data()));
        offsets.clear();
        data.clear();
    }
};
thread_local gathered* pending_puts = nullptr;

// Of a structure of which a member was assigned to: others may change the rest of it at the same time.
void put_changes(char const* at, slot const& s) {
    auto const* const now = reinterpret_cast<char const*>(s.memory.data());
    for (std::size_t begin = 0; begin < s.before.size(); ++begin) {
        auto end = begin;
        while (end < s.before.size() && now[end] != s.before[end]) ++end;
        if (end == begin) continue;
        auto const to = block(s.where.offset + begin, end - begin), from = block(begin, end - begin);
        check_window(at, sode_window_put(s.where.in->window, s.image, &to, now, &from));
        begin = end;
    }
}

// The gets of an assignment of sections, in the order in which they are wanted, with the places that they become.
struct wish {
    coarray const* in;
    int image;
    std::size_t bytes;
    std::int64_t offset;
    char* to;
};

} // namespace

struct wishes {
    std::vector<wish> all;
};

} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void* sode_xmp_image(char const* at, int image, void const* local) {
    auto const p = place_of(at, image, local);
    auto* const there = direct(p, p.image);
    if (!there)
        fail(at,
             direct(p, process::here().world().mine)
                 ? "image " + std::to_string(image) + " is on another machine, where memory has no address"
                 : "coarray \"" + p.in->name + "\" has no address for other images",
             "read or assign its elements and sections");
    return there;
}

void const* sode_xmp_image_get(char const* at, int image, void const* local, size_t bytes, void* room) {
    auto const p = place_of(at, image, local);
    if (auto const* const there = direct(p, p.image)) return there;
    auto const from = block(p.offset, bytes), to = block(0, bytes);
    check_window(at, sode_window_get(p.in->window, p.image, &from, room, &to));
    return room;
}

void* sode_xmp_image_begin(char const* at, int image, void const* local, size_t bytes, int load) {
    auto const p = place_of(at, image, local);
    if (auto* const there = direct(p, p.image)) return there;
    auto& s = new_slot(p, p.image, bytes);
    auto const* const first = reinterpret_cast<char const*>(s.memory.data());
    if (load) (void)sode_xmp_image_get(at, image, local, bytes, s.memory.data());
    if (load == 2) s.before.assign(first, first + bytes);
    return s.memory.data();
}

void sode_xmp_image_end(char const* at, void const* written, size_t bytes) {
    if (slots().empty()) return;
    auto const s = take_slot(written);
    if (!s) return;
    if (!s->before.empty()) return put_changes(at, *s);
    if (pending_puts) return pending_puts->add(at, s->where, s->image, written, bytes);
    auto const to = block(s->where.offset, bytes), from = block(0, bytes);
    check_window(at, sode_window_put(s->where.in->window, s->image, &to, written, &from));
}

void* sode_xmp_image_atom(char const* at, int image, void const* local) {
    auto const p = place_of(at, image, local);
    return new_slot(p, p.image, sizeof(int)).memory.data();
}

void sode_xmp_puts_begin(void) {
    pending_puts = new gathered;
}
void sode_xmp_puts_end(char const* at) {
    pending_puts->flush(at);
    delete pending_puts;
    pending_puts = nullptr;
}

void sode_xmp_want(char const* at, sode_xmp_wishes** list, int image, void const* local, size_t bytes, void* to) {
    auto const p = place_of(at, image, local);
    if (auto const* const there = direct(p, p.image)) {
        std::memcpy(to, there, bytes);
        return;
    }
    if (!*list) *list = reinterpret_cast<sode_xmp_wishes*>(new wishes);
    reinterpret_cast<wishes*>(*list)->all.push_back(
        {p.in, p.image, bytes, static_cast<std::int64_t>(p.offset), static_cast<char*>(to)});
}

void sode_xmp_get_wanted(char const* at, sode_xmp_wishes** list) {
    std::unique_ptr<wishes> const wanted{reinterpret_cast<wishes*>(*list)};
    *list = nullptr;
    if (!wanted) return;
    // An expression names its images by turns; each image is asked once.
    auto& all = wanted->all;
    std::ranges::stable_sort(all, {}, [](auto const& w) { return std::tuple{w.in, w.image, w.bytes}; });
    std::vector<std::int64_t> offsets;
    std::vector<char> data;
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        auto const& first = all[begin];
        offsets.clear();
        for (; end < all.size() && all[end].in == first.in && all[end].image == first.image && all[end].bytes == first.bytes; ++end)
            offsets.push_back(all[end].offset);
        data.resize(offsets.size() * first.bytes);
        check_window(
            at, sode_window_get_blocks(first.in->window, first.image, offsets.size(), offsets.data(), first.bytes, data.data()));
        for (auto k = begin; k < end; ++k) std::memcpy(all[k].to, data.data() + (k - begin) * first.bytes, first.bytes);
    }
}

} // extern "C"

namespace sode::xmp {

std::optional<atom> atom_of(void const* pointer) {
    if (auto const s = take_slot(pointer)) return atom{s->where, s->image};
    auto const p = find_place(pointer);
    if (!p.in) return {};
    return atom{p, process::here().world().mine};
}

std::int64_t operate(char const* at, atom const& a, sode_word_op op, std::int64_t operand, std::int64_t expected) {
    std::int64_t before = 0;
    check_window(at, sode_window_word(a.where.in->window, a.image, a.where.offset, sizeof(int), op, operand, expected, &before));
    return before;
}

} // namespace sode::xmp
