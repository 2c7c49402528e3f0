// SPDX-License-Identifier: Apache-2.0
#include "device/copy_box.hpp"

#include "layout/copy_rows.hpp"

#include <algorithm>
#include <array>

namespace sode::internal {
namespace {

using loop = copy_view::loop;

bool are_rows(loop const& l, index_t bytes) noexcept {
    return std::min(l.src_stride, l.dst_stride) >= bytes;
}

bool are_planes(loop const& l, loop const& rows) noexcept {
    auto const whole = [&](index_t plane, index_t row) { return plane % row == 0 && plane / row >= rows.count; };
    return whole(l.src_stride, rows.src_stride) && whole(l.dst_stride, rows.dst_stride);
}

/// The first box of a copy program, at offset 0, and the loops that repeat it.
struct nest {
    copy_box box;
    int outer = 0;
    std::size_t count = 0; // of boxes
};

nest nest_of(copy_view const& p) noexcept {
    nest n{.box = {.row_bytes = static_cast<std::size_t>(p.block)}, .outer = p.loop_count};
    auto& one = n.box;
    one.to = one.from = {one.row_bytes, 1};
    if (n.outer > 0 && are_rows(p.loops[n.outer - 1], p.block)) {
        auto const& rows = p.loops[--n.outer];
        one.rows = static_cast<std::size_t>(rows.count);
        one.to = {static_cast<std::size_t>(rows.dst_stride), one.rows};
        one.from = {static_cast<std::size_t>(rows.src_stride), one.rows};
        if (n.outer > 0 && are_planes(p.loops[n.outer - 1], rows)) {
            auto const& planes = p.loops[--n.outer];
            one.planes = static_cast<std::size_t>(planes.count);
            one.to.rows_of_a_plane = static_cast<std::size_t>(planes.dst_stride / rows.dst_stride);
            one.from.rows_of_a_plane = static_cast<std::size_t>(planes.src_stride / rows.src_stride);
        }
    }
    n.count = p.twin ? 2 : 1;
    for (int k = 0; k < n.outer; ++k) n.count *= static_cast<std::size_t>(p.loops[k].count);
    return n;
}

} // namespace

std::size_t box_count(copy_view const& p) noexcept {
    return is_list(p) ? 0 : nest_of(p).count;
}

std::vector<copy_box> boxes_of(copy_view const& p, std::byte* target, std::byte const* source, std::size_t most) {
    if (is_list(p)) return {};
    auto [one, outer, count] = nest_of(p);
    if (count > most) return {};
    std::vector<copy_box> all;
    std::array<index_t, max_dims + 1> at{};
    for (bool more = count > 0; more;) {
        index_t src = p.src_offset, dst = p.dst_offset;
        for (int k = 0; k < outer; ++k) {
            auto const n = at[static_cast<std::size_t>(k)];
            src += n * p.loops[k].src_stride, dst += n * p.loops[k].dst_stride;
        }
        one.target = target + dst, one.source = source + src;
        all.push_back(one);
        if (p.twin) {
            one.target += p.twin_dst, one.source += p.twin_src;
            all.push_back(one);
        }
        more = false;
        for (int k = outer - 1; k >= 0 && !more; --k) {
            auto& n = at[static_cast<std::size_t>(k)];
            more = ++n < p.loops[k].count;
            if (!more) n = 0;
        }
    }
    return all;
}

} // namespace sode::internal
