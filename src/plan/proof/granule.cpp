// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_rows.hpp"
#include "plan/proof/memory.hpp"

#include <algorithm>
#include <numeric>

namespace sode::internal::proof {
namespace {

class divisor {
public:
    void take(std::int64_t n) noexcept { value_ = std::gcd(value_, n); }
    void take(copy_program const& p) noexcept {
        take(p.src_offset);
        take(p.dst_offset);
        for_each_entry(p, [&](std::int64_t src, std::int64_t dst, std::int64_t bytes) {
            take(src);
            take(dst);
            take(bytes);
        });
        for (std::size_t l = 0; l < p.loop_count; ++l) {
            take(p.loops[l].src_stride);
            take(p.loops[l].dst_stride);
        }
        if (p.twin) {
            take(p.twin_src);
            take(p.twin_dst);
        }
    }
    void take(layout const& l) noexcept {
        for (auto const& p : l.list) {
            take(p.offset);
            take(p.bytes);
        }
        for (layout const& p : l.parts) take(p);
        take(l.offset);
        take(l.block);
        for (auto const& loop : l.loops) take(loop.stride);
    }
    void take(buffer const& b) noexcept {
        take(b.offset);
        if (b.role == buffer_role::payload)
            take(payload_offset);
        else if (b.role != buffer_role::array && b.instances != parity::none)
            take(b.bytes);
    }
    void take(descriptor const& d) noexcept {
        if (!moves_data(d.op) && !is_end(d.op) && d.op != operation::call) return;
        take(d.src_offset);
        take(d.dst_offset);
    }
    void take(loop_strides const& s) noexcept {
        take(s.src.bytes);
        take(s.dst.bytes);
        take(s.operand.bytes);
    }
    [[nodiscard]] std::int64_t value() const noexcept { return std::max<std::int64_t>(value_, 1); }

private:
    std::int64_t value_ = 0;
};

} // namespace

std::int64_t granule_of(job const& all) {
    divisor g;
    for (std::size_t r = 0; r < all.ranks(); ++r) {
        auto const& p = all.of(r);
        for (auto const& program : p.programs) g.take(program);
        for (auto const& b : p.buffers) g.take(b);
        for (auto const& d : p.descriptors) {
            g.take(d);
            // What no descriptor names has not been checked, and may be any number.
            for (auto i = d.strides; i != 0; i = p.strides[i].outer) g.take(p.strides[i]);
            if (d.operand != 0) g.take(p.operands[d.operand].offset);
        }
        for (auto const& d : p.deliveries) {
            g.take(d.source);
            g.take(d.target);
        }
        for (auto const& b : p.loans) g.take(b.bytes);
        for (auto const& c : p.calls) {
            g.take(c.reads);
            g.take(c.writes);
        }
        for (auto const& a : all.arrays(r)) {
            g.take(a.owned);
            g.take(a.readable);
            g.take(a.early);
        }
    }
    return g.value();
}

} // namespace sode::internal::proof
