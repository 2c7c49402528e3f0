// SPDX-License-Identifier: Apache-2.0
#include "device_patterns.hpp"

#include "dynamic_coarrays.hpp"

#include <algorithm>

namespace sode::xmp {
namespace {

// More pieces than this are packed on the device and moved as one.
constexpr std::int64_t most_pieces = 16;

// In the largest units that all its places are multiples of. Loops that lie together are one.
sode_acc_box box_of(sode_pattern const& p, std::uintptr_t base) {
    std::int64_t unit = 8;
    auto const fits = [&] {
        bool all = (static_cast<std::int64_t>(base) | p.offset | p.bytes) % unit == 0;
        for (int d = 0; d < p.dims; ++d) all = all && p.strides[d] % unit == 0;
        return all;
    };
    while (!fits()) unit /= 2;
    sode_acc_box box{};
    box.unit = static_cast<int>(unit);
    box.first = p.offset / unit;
    std::fill_n(box.counts, 8, 1);
    box.counts[7] = p.bytes / unit;
    box.strides[7] = 1;
    std::size_t at = 7;
    for (auto d = static_cast<std::size_t>(p.dims); d-- > 0;) {
        auto const count = p.counts[d], stride = p.strides[d] / unit;
        if (count == 1) continue;
        if (at == 7 && stride == box.counts[7]) {
            box.counts[7] *= count;
            continue;
        }
        --at;
        box.counts[at] = count;
        box.strides[at] = stride;
    }
    return box;
}

} // namespace

bytes_between extent_of(sode_pattern const& p) {
    bytes_between all{p.offset, p.offset + p.bytes};
    for (int d = 0; d < p.dims; ++d) {
        auto const reach = (p.counts[d] - 1) * p.strides[d];
        (reach < 0 ? all.first : all.end) += reach;
    }
    return all;
}

void move_pattern(sode_acc_device const& device, char* base, sode_pattern const& what, char* packed, bool to_device) {
    if (bytes_of(what) == 0) return;
    auto const box = box_of(what, reinterpret_cast<std::uintptr_t>(base));
    if (runs_of(box) <= most_pieces)
        return for_each_run(box, [&](std::int64_t at, std::int64_t in, std::size_t n) {
            if (to_device)
                device.to_device(base + at, packed + in, n, device.now);
            else
                device.from_device(packed + in, base + at, n, device.now);
        });
    auto const bytes = static_cast<std::size_t>(bytes_of(what));
    auto* const packed_there = device.allocate(bytes);
    if (to_device) {
        device.to_device(packed_there, packed, bytes, device.now);
        device.unpack(base, packed_there, &box);
    } else {
        device.pack(packed_there, base, &box);
        device.from_device(packed, packed_there, bytes, device.now);
    }
    device.release(packed_there);
}

void move_pattern(char* base, sode_pattern const& what, char* packed, bool from_packed) {
    if (bytes_of(what) == 0) return;
    for_each_run(box_of(what, reinterpret_cast<std::uintptr_t>(base)), [&](std::int64_t at, std::int64_t in, std::size_t n) {
        if (from_packed)
            std::copy_n(packed + in, n, base + at);
        else
            std::copy_n(base + at, n, packed + in);
    });
}

} // namespace sode::xmp
