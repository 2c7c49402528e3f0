// SPDX-License-Identifier: Apache-2.0
// Coarrays on devices. What an image's device has of one is a coarray of its own, of memory that no other image can load or store:
// the image itself moves the bytes for others. Assignments in `host_data` copy between devices and images.
#include "device_coarrays.hpp"

#include "device.hpp"
#include "device_parts.hpp"
#include "device_patterns.hpp"
#include "dynamic_coarrays.hpp"

#include <algorithm>
#include <deque>
#include <sode/window_memory.h>

namespace sode::xmp {
namespace {

struct device_coarray {
    coarray there; ///< as images reach it
    char* host;    ///< the same coarray in this image's own memory, which OpenACC knows the device's by
    int device;    ///< its number
    sode_memory_mover mover;
};

std::deque<device_coarray>& all() {
    static auto* const list = new std::deque<device_coarray>;
    return *list;
}

// What other images put and get; also in the thread that serves them.
int move_bytes(void* self, sode_pattern const* what, void* packed, int to_window) {
    auto const& c = *static_cast<device_coarray const*>(self);
    auto const& d = device("coarray");
    other_device const now{d, c.device};
    auto const [first, end] = extent_of(*what);
    if (d.present(c.host + first, static_cast<std::size_t>(end - first)) == 0) return 0;
    auto* const there = static_cast<char*>(d.address(c.host + first)) - first;
    move_pattern(d, there, *what, static_cast<char*>(packed), to_window != 0);
    return 1;
}

sode_pattern pattern_of(sode_acc_side const& s, std::int64_t offset) {
    sode_pattern p{offset, static_cast<std::int64_t>(s.bytes), s.dims, {}, {}};
    std::copy_n(s.counts, s.dims, p.counts);
    std::copy_n(s.strides, s.dims, p.strides);
    return p;
}

sode_pattern packed(std::int64_t bytes) {
    return {0, bytes, 0, {}, {}};
}

/// One side of an assignment: elements of an image, of this image's device, or of its own memory.
class side {
public:
    side(char const* at, sode_acc_side const& s) : at_(at), given_(s), pattern_(pattern_of(s, 0)) {
        if (s.image < 0) return;
        where_ = place_of(at, s.image, s.first);
        pattern_.offset = static_cast<std::int64_t>(where_.offset);
    }
    [[nodiscard]] std::int64_t bytes() const { return bytes_of(pattern_); }
    [[nodiscard]] std::int64_t elements() const { return bytes() / pattern_.bytes; }
    [[nodiscard]] bool of_image() const { return given_.image >= 0; }
    [[nodiscard]] bool here() const { return !of_image() && !on_device(); }
    /// Whether it may be memory that the other side is, too.
    [[nodiscard]] bool own() const { return where_.image == process::here().world().mine; }

    void load(char* to, sode_pattern const& as) const {
        if (of_image())
            check_window(at_, sode_window_get(where_.in->window, where_.image, &pattern_, to, &as));
        else
            move(to, false);
    }
    void store(char const* from, sode_pattern const& as) const {
        if (of_image())
            check_window(at_, sode_window_put(where_.in->window, where_.image, &pattern_, from, &as));
        else
            move(const_cast<char*>(from), true);
    }
    [[nodiscard]] char* first() const { return static_cast<char*>(given_.first); }
    [[nodiscard]] sode_pattern const& pattern() const { return pattern_; }

private:
    [[nodiscard]] bool on_device() const { return given_.device != 0 && !shares_memory(at_); }
    // Between packed memory and this image's own.
    void move(char* packed_memory, bool store) const {
        if (on_device())
            move_pattern(device(at_), first(), pattern_, packed_memory, store);
        else
            move_pattern(first(), pattern_, packed_memory, store);
    }

    char const* at_;
    sode_acc_side const& given_;
    sode_pattern pattern_;
    place where_{};
};

} // namespace

place find_device_place(void const* local) {
    auto const* const at = static_cast<char const*>(local);
    for (auto const& c : all()) {
        auto const* const first = static_cast<char const*>(device("coarray").address(c.host));
        if (first && at >= first && at < first + c.there.bytes) return {&c.there, static_cast<std::size_t>(at - first)};
    }
    return {};
}

} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void sode_acc_coarray(void* memory) {
    auto const host = find_place(memory);
    if (!host.in || shares_memory("coarray")) return;
    auto const& d = device("coarray");
    auto& world = process::here().world();
    auto& c = all().emplace_back();
    c.there.name = host.in->name + ", on the device";
    c.there.bytes = host.in->bytes;
    c.there.host = host.in;
    c.there.images.assign(world.ranks.size(), nullptr);
    c.host = static_cast<char*>(memory);
    c.device = d.count() > 0 ? d.which() : -1;
    c.mover = {&c, move_bytes};
    check("", sode_window_of_memory(world.job, c.there.bytes, &c.mover, c.there.name.c_str(), &c.there.window), world.job);
}

void sode_acc_assign(char const* at, sode_acc_side const* to, sode_acc_side const* from) {
    side const target{at, *to}, source{at, *from};
    if (target.elements() != source.elements())
        fail(at,
             "a section of " + std::to_string(source.elements()) + " elements is assigned to one of " +
                 std::to_string(target.elements()),
             "give both sides the same number of elements");
    if (source.bytes() == 0) return;
    // What is on one side only the host's own goes without a copy in between.
    if (source.here() && !target.own()) return target.store(source.first(), source.pattern());
    if (target.here() && !source.own()) return source.load(target.first(), target.pattern());
    std::vector<char> room(static_cast<std::size_t>(source.bytes()));
    source.load(room.data(), packed(source.bytes()));
    target.store(room.data(), packed(source.bytes()));
}

} // extern "C"
