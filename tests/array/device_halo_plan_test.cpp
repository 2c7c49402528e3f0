// SPDX-License-Identifier: Apache-2.0
// The plans of exchanges of arrays in the memory of devices, by each of their ways, held against verify(); and whether verify()
// would notice a mistake in them.
#include "array/sound_halo.hpp"
#include "support/either_plan.hpp"

namespace sode::internal::testing {
namespace {

// The same where arrays are in the memory of devices, which load and store each other's.
dry_exchange on_devices(dry_exchange x) {
    for (auto& f : x.spec.fields) f.on_device = true;
    x.spec.peers = true;
    return x;
}
// Segments cost nothing but their bytes, so faces are cut as finely as may be.
dry_exchange in_segments(dry_exchange x) {
    x.spec.costs.devices.turn = x.spec.costs.devices.word = x.spec.costs.network.overhead = 0;
    return x;
}
TEST(halo_plan, random_exchanges_of_devices_are_sound) {
    way const* const forced[] = {nullptr, &ways::device_push, &ways::device_pull, &ways::device_stage, &ways::device_segments};
    constexpr int ways_to_go = 5;
    std::size_t stored = 0, cut = 0;
    for (int ranks : {1, 2, 3, 4, 6, 8})
        for (int c = 0; c < 15 && !HasFailure(); ++c) {
            generator g{static_cast<std::uint64_t>(32452843 * ranks + c)};
            auto const label = fmt::format("{} ranks, case {}", ranks, c);
            auto x = on_devices(random_exchange(g, ranks, forced[c % ways_to_go]));
            if (x.spec.forced == &ways::device_segments || chance(g, 50)) x = in_segments(std::move(x));
            expect_sound(x.spec, label);
            x.spec.machines = ranks;
            auto const one = build(x.spec);
            for (auto const& p : one.plans)
                stored += static_cast<std::size_t>(std::ranges::count(p.notes, "device-push", &edge_note::chosen));
            for (auto const& p : one.plans)
                cut += static_cast<std::size_t>(std::ranges::count_if(p.notes, [](auto const& n) { return n.segments > 4; }));
            x.spec.forced = forced[(c + 1 + c / ways_to_go % (ways_to_go - 1)) % ways_to_go];
            either_of(one, build(x.spec)).expect_sound(label + ", two ways by turns");
        }
    EXPECT_GT(stored, 80U);
    EXPECT_GT(cut, 20U);
}
// Who must be told that its array has been read may as well be told that it has been written.
TEST(halo_plan, devices_store_where_reads_would_be_acknowledged) {
    for (bool buffered : {false, true}) {
        auto const x = on_devices(cube(3, {3}, buffered, nullptr));
        for (auto const& n : build_halo(x.spec, 0).notes) {
            EXPECT_EQ(n.chosen, buffered ? "device-pull" : "device-push");
            EXPECT_EQ(n.runner_up, buffered ? "device-push" : "device-pull");
        }
    }
    auto alone = on_devices(cube(3, {3}, false, &ways::device_push));
    alone.spec.peers = false;
    for (auto const& n : build_halo(alone.spec, 0).notes) EXPECT_EQ(n.chosen, "device-stage");
}
// A slab of 4 x 4 x 4 elements at each side, in 8 segments; the ring has 4 slots.
dry_exchange slabs(int ranks, way const* forced) {
    auto x = in_segments(on_devices(cube(ranks, {ranks, 1, 1}, false, forced, 4)));
    x.spec.corners = false;
    return x;
}
// Of 8 segments in a ring of 4 slots. What a device tells of them counts all of them; messages are counted by slot.
std::vector<harmless> harmless_to_segments() {
    using enum mutation_kind;
    auto const waits = [](descriptor const& d) { return d.op == operation::credit || d.op == operation::wait; };
    return {
        {threshold_up, "as if the ring had a slot less, or segments were longer",
         [=](spot const& s) { return waits(s.here()) && s.here().threshold < 0 && s.sound.counters[s.here().trigger].step == 8; }},
        {no_signal, "the word of the next segment tells of this one, too",
         [](spot const& s) { return s.here().op == operation::unpack || (s.here().op == operation::pack && s.here().value < 0); }},
        {grow, "of what is no part of the face, in a slot that is filled next",
         [](spot const& s) {
             return s.here().op == operation::pack && s.here().value == -6 &&
                    s.sound.buffers[s.here().dst].role == buffer_role::scratch;
         }},
        {swap, "the ring has room for the segment in front, too", [=](spot const& s) {
             auto const op = s.here().op;
             return (op == operation::pack || op == operation::unpack || is_message(op)) && waits(s.next());
         }}};
}
TEST(halo_plan, every_mistake_in_segments_is_found) {
    auto x = slabs(3, &ways::device_segments);
    auto const p = build_halo(x.spec, 0);
    EXPECT_EQ(std::ranges::count(p.notes, 8, &edge_note::segments), 2);
    EXPECT_EQ(p.own_stage, 2 * 4 * 64); // not the faces, but a ring for each
    x.spec.periodic = {true, false, false};
    expect_all_found(x, {0}, harmless_to_segments());
}
TEST(halo_plan, every_mistake_in_segments_of_messages_is_found) {
    auto x = slabs(3, nullptr);
    x.spec.machines = each_alone(3);
    x.spec.periodic = {true, false, false};
    auto const p = build_halo(x.spec, 0);
    EXPECT_EQ(std::ranges::count(p.notes, 8, &edge_note::segments), 2);
    EXPECT_EQ(p.own_scratch, 4 * 4 * 64); // two rings each way
    expect_all_found(x, {0}, harmless_to_segments());
}
TEST(halo_plan, every_mistake_in_stores_by_the_source_is_found) {
    for (bool buffered : {false, true}) {
        expect_all_found(on_devices(cube(3, {3}, buffered, &ways::device_push, 2)), {});
        expect_all_found(on_devices(cube(4, {2, 2}, buffered, &ways::device_push)), {0});
    }
}

} // namespace
} // namespace sode::internal::testing
