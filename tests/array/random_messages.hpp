// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/random_halo.hpp"

#include <sode/exchange.hpp>

#include <algorithm>
#include <numeric>

/// Random messages between the ranks of a job: all about them follows from the seed, on every rank.
namespace sode::internal::testing {

/// Memory of a rank is cut into slots of 8 bytes; a message takes some of one memory and puts them into some of another.
inline constexpr index_t slot_bytes = 8;
inline constexpr index_t slots = 300;

struct random_end {
    int memory = 0; ///< which of the two that a rank has
    std::vector<index_t> picked;
    bool strided = false; ///< picked in equal steps
};
struct random_message {
    int source = 0;
    int target = 0;
    int tag = 0;
    random_end out;
    random_end in;
};

/// The slots as a datatype, relative to the memory: a nest where they are one, a list, or a nest and a list one after the other.
inline datatype datatype_of(generator& g, random_end const& e) {
    auto const part = [](std::span<index_t const> picked) {
        std::vector<datatype::block> blocks;
        for (auto s : picked) blocks.push_back({s * slot_bytes, slot_bytes});
        return datatype::blocks(blocks);
    };
    std::span const all{e.picked};
    if (e.strided && all.size() > 1 && chance(g, 70))
        return datatype::contiguous(slot_bytes)
            .repeated(static_cast<index_t>(all.size()), (all[1] - all[0]) * slot_bytes)
            .moved(all[0] * slot_bytes);
    auto const cut = static_cast<std::size_t>(pick(g, 0, static_cast<index_t>(all.size())));
    return chance(g, 50) ? part(all) : datatype::joined({part(all.first(cut)), part(all.subspan(cut))});
}

/// `count` slots of those that are `free`: in equal steps if that can be had, else anywhere, in any order.
inline random_end random_slots(generator& g, int memory, index_t count, std::vector<bool> const& free) {
    random_end e{.memory = memory, .picked = {}};
    for (int attempt = 0; attempt < 4 && count > 0 && chance(g, 75); ++attempt) {
        index_t const step = (chance(g, 25) ? -1 : 1) * pick(g, 1, 4), reach = (count - 1) * (step < 0 ? -step : step);
        if (reach >= slots) continue;
        index_t const first = pick(g, 0, slots - 1 - reach) + (step < 0 ? reach : 0);
        e.picked.clear();
        for (index_t i = 0; i < count; ++i) e.picked.push_back(first + i * step);
        e.strided = std::all_of(e.picked.begin(), e.picked.end(), [&](index_t s) { return free[static_cast<std::size_t>(s)]; });
        if (e.strided) return e;
    }
    e.picked.clear();
    for (index_t s = 0; s < slots; ++s)
        if (free[static_cast<std::size_t>(s)]) e.picked.push_back(s);
    if (chance(g, 50)) std::shuffle(e.picked.begin(), e.picked.end(), g);
    e.picked.resize(static_cast<std::size_t>(count));
    return e;
}

inline std::vector<random_message> random_messages(generator& g, int ranks) {
    std::vector<random_message> all(static_cast<std::size_t>(pick(g, 0, 5 * ranks)));
    using marks = std::array<std::vector<bool>, 2>;
    std::vector<marks> free(static_cast<std::size_t>(ranks), marks{std::vector<bool>(slots, true), std::vector<bool>(slots, true)});
    for (auto& m : all) {
        m.source = static_cast<int>(pick(g, 0, ranks - 1));
        m.target = static_cast<int>(pick(g, 0, ranks - 1));
        m.tag = static_cast<int>(pick(g, 0, 2));
        int const memory = static_cast<int>(pick(g, 0, 1));
        auto& left = free[static_cast<std::size_t>(m.target)][static_cast<std::size_t>(memory)];
        // Half of the slots are never received into, so that there is something to send.
        auto const room = std::count(left.begin(), left.end(), true) - slots / 2;
        m.in = random_slots(g, memory, chance(g, 5) ? 0 : pick(g, 0, std::min<index_t>(room, 40)), left);
        for (auto s : m.in.picked) left[static_cast<std::size_t>(s)] = false;
    }
    for (auto& m : all) {
        int const memory = static_cast<int>(pick(g, 0, 1));
        m.out = random_slots(g, memory, static_cast<index_t>(m.in.picked.size()),
                             free[static_cast<std::size_t>(m.source)][static_cast<std::size_t>(memory)]);
    }
    return all;
}

} // namespace sode::internal::testing
