// SPDX-License-Identifier: Apache-2.0
#include "window/packed_memory.hpp"

namespace sode::internal::windows {
namespace {

// act(pattern) for each nest in the order of transfer, while it returns true. Loops around lists and sequences are walked.
template <class Act> bool each_nest(layout const& l, index_t base, Act const& act) {
    if (l.is_nest()) {
        if (l.block == 0) return true;
        byte_pattern p{.offset = base + l.offset, .bytes = l.block};
        for (auto const& [count, stride] : l.loops) p.loops.push_back({count, stride});
        return act(p, l.bytes());
    }
    index_t rounds = 1;
    for (auto const& each : l.loops) rounds *= each.count;
    for (index_t round = 0; round < rounds; ++round) {
        auto first = base + l.offset;
        auto rest = round;
        for (auto k = l.loops.size(); k-- > 0; rest /= l.loops[k].count) first += rest % l.loops[k].count * l.loops[k].stride;
        for (auto const& [offset, bytes] : l.list)
            if (!act(byte_pattern{.offset = first + offset, .bytes = bytes}, bytes)) return false;
        for (auto const& part : l.parts)
            if (!each_nest(part, first, act)) return false;
    }
    return true;
}

} // namespace

bool load_packed(window_memory& memory, layout const& from, std::byte* packed) {
    return each_nest(from, 0, [&](byte_pattern const& p, index_t bytes) {
        bool const there = memory.load(p, packed);
        packed += bytes;
        return there;
    });
}

bool store_packed(window_memory& memory, layout const& to, std::byte const* packed) {
    return each_nest(to, 0, [&](byte_pattern const& p, index_t bytes) {
        bool const there = memory.store(p, packed);
        packed += bytes;
        return there;
    });
}

} // namespace sode::internal::windows
