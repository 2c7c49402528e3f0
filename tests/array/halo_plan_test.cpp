// SPDX-License-Identifier: Apache-2.0
// The plans of real halo exchanges, all ranks of a job at once, held against verify(); and whether verify() would notice a mistake
// in them.
#include "array/halo/halo_edges.hpp"
#include "array/halo/halo_plan.hpp"

#include "array/sound_halo.hpp"
#include "array/transfer_mutations.hpp"
#include "support/all_ranks.hpp"
#include "support/either_plan.hpp"
#include "support/mutations.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

namespace sode::internal::testing {
namespace {

TEST(halo_plan, random_exchanges_are_sound) {
    for (int ranks : {1, 2, 3, 4, 6, 8})
        for (int c = 0; c < 40 && !HasFailure(); ++c) {
            generator g{static_cast<std::uint64_t>(7919 * ranks + c)};
            way const* const forced[] = {nullptr,          &ways::pull, &ways::stage,      &ways::stage_wide, &ways::stage_chunks,
                                         &ways::reference, &ways::mpi,  &ways::mpi_machine};
            auto const how = forced[c % 8];
            auto x = random_exchange(g, ranks, how);
            x.spec.costs.chunk_bytes = pick(g, 1, 200);
            expect_sound(x.spec, fmt::format("{} ranks, case {}, {}", ranks, c, how ? how->name() : "chosen"));
        }
}

// Memory that users brought: any strides on any rank. Nobody names another's.
TEST(halo_plan, attached_memory_is_only_met_by_its_owner) {
    for (int ranks : {2, 3, 4, 6, 8, 27})
        for (int c = 0; c < 12 && !HasFailure(); ++c) {
            generator g{static_cast<std::uint64_t>(104729 * ranks + c)};
            way const* const forced[] = {nullptr, &ways::pull, &ways::stage_chunks, &ways::reference};
            auto x = random_exchange(g, ranks, forced[c % 4]);
            x.spec.costs.chunk_bytes = pick(g, 1, 200);
            auto& shape = *x.shapes.front();
            for (int r = 0; r < ranks; ++r) {
                auto const block = shape.allocated(r);
                std::vector<std::size_t> order;
                for (std::size_t d = 0; d < static_cast<std::size_t>(shape.dims); ++d) order.push_back(d);
                std::shuffle(order.begin(), order.end(), g);
                auto& strides = shape.brought.emplace_back();
                index_t next = shape.element_bytes * pick(g, 1, 2);
                for (auto const d : order) {
                    strides[d] = next;
                    next = next * std::max<index_t>(1, block[d].size()) + shape.element_bytes * pick(g, 0, 3);
                }
            }
            auto const label = fmt::format("{} ranks, case {}", ranks, c);
            expect_sound(x.spec, label);
            for (auto const& p : build(x.spec).plans)
                for (auto const& b : p.buffers)
                    EXPECT_TRUE(b.role != buffer_role::array || b.ordinal != 0 || b.host == p.rank) << label << ", rank " << p.rank;
        }
}

// Variants of an exchange take turns (docs/decisions/0035): every sequence of epochs of two of them.
TEST(halo_plan, variants_may_follow_each_other) {
    way const* const forced[] = {&ways::pull, &ways::stage, &ways::stage_wide, &ways::stage_chunks};
    for (int ranks : {2, 3, 4, 6, 8})
        for (int c = 0; c < 30 && !HasFailure(); ++c) {
            generator g{static_cast<std::uint64_t>(15485863 * ranks + c)};
            auto x = random_exchange(g, ranks, nullptr);
            x.spec.machines = ranks;
            x.spec.costs.chunk_bytes = pick(g, 1, 200);
            auto const as_proposed = build(x.spec);
            x.spec.second_best = static_cast<std::uint32_t>(pick(g, 1, (1 << halo_spec::edge_classes) - 1));
            either_of(as_proposed, build(x.spec)).expect_sound(fmt::format("{} ranks, case {}, second best", ranks, c));
            x.spec.third_best = x.spec.second_best;
            x.spec.second_best = 0;
            either_of(as_proposed, build(x.spec)).expect_sound(fmt::format("{} ranks, case {}, third best", ranks, c));
            x.spec.third_best = 0;
            x.spec.forced = forced[c % 4];
            auto const one = build(x.spec);
            x.spec.forced = forced[(c + 1 + c / 4 % 3) % 4];
            either_of(one, build(x.spec)).expect_sound(fmt::format("{} ranks, case {}, forced", ranks, c));
        }
}

TEST(halo_plan, many_ranks_are_sound) {
    for (int ranks : {27, 64, 127}) {
        generator g{static_cast<std::uint64_t>(ranks)};
        auto const x = random_exchange(g, ranks, nullptr);
        expect_sound(x.spec, fmt::format("{} ranks", ranks));
    }
}

TEST(halo_plan, cube_of_125_ranks_is_sound) {
    expect_sound(cube(125, {5, 5, 5}, true, nullptr).spec, "buffered");
    expect_sound(cube(125, {5, 5, 5}, false, nullptr).spec, "single");
}

// The halo of some dimensions of an array whose other dimensions are dealt out.
TEST(halo_plan, cyclic_dimensions_stand_aside) {
    sode::detail::place const where{0, 12};
    nodes<3> const p{where, {2, 2, 3}};
    for (auto how : {static_cast<way const*>(nullptr), &ways::pull, &ways::stage})
        for (bool buffered : {false, true}) {
            dry_exchange x;
            auto const map = distribution<4>{p, {6, 7, 3, 10}, {block, cyclic(2), none, gblock({3, 5, 2})}}.mapping();
            x.shapes.push_back(shape_of(map, 8, {1, 0, 1, 2}, {2, 0, 0, 1}));
            x.spec.fields.push_back(
                {.shape = x.shapes.back().get(), .lower = {1, 0, 1, 2}, .upper = {2, 0, 0, 1}, .buffered = buffered});
            x.spec.groups = buffered ? 1 : 0;
            x.spec.machines = 12;
            x.spec.corners = true;
            x.spec.periodic = {true, true, false, true};
            x.spec.forced = how;
            x.spec.name = "halo of \"u\"";
            x.spec.check();
            expect_sound(x.spec, buffered ? "buffered" : "single");
        }
}

// What proves to a rank that its half has been read is the other variant's flags: without them there is a race.
TEST(halo_plan, a_variant_that_says_nothing_may_not_follow) {
    auto x = cube(2, {2}, true, &ways::pull);
    auto const pull = build(x.spec);
    x.spec.forced = &ways::stage;
    auto both = either_of(pull, build(x.spec));
    EXPECT_TRUE(verify(both.plans, both.models, {.epochs = both.epochs, .own_epochs = true}).empty());
    for (auto& p : both.plans)
        for (auto& d : p.descriptors)
            if (d.trigger >= pull.plans.front().counters.size()) d.trigger = 0;
    EXPECT_FALSE(verify(both.plans, both.models, {.epochs = both.epochs, .own_epochs = true}).empty());
}

// What an exchange costs in steps is part of its meaning: an engine that runs a plan twice is right, and twice as slow.
TEST(halo_plan, has_no_descriptor_too_many) {
    auto const count = [](dry_exchange const& x) { return build_halo(x.spec, 13).descriptors.size(); };
    // Ready flag and end; per neighbour: wait, copy, end.
    EXPECT_EQ(count(cube(27, {3, 3, 3}, true, &ways::pull)), 2U + 26U * 3U);
    // With one array also an acknowledgement and a credit.
    EXPECT_EQ(count(cube(27, {3, 3, 3}, false, &ways::pull)), 2U + 26U * 5U);
    // By the model: faces (rows of 32 bytes) staged, the low and the high one packed as one; edges and corners in line, a put, a
    // get and an end each; no acknowledgement at all.
    EXPECT_EQ(count(cube(27, {3, 3, 3}, false, nullptr)), 3U + 2U + 6U * 3U + 20U * 3U);
}

// Between machines: 64 ranks on 8 machines of 2 x 2 x 2, periodic, 26 neighbours each. Every machine has the 7 others for
// neighbours.
TEST(halo_plan, messages_grow_with_pairs_of_machines) {
    auto x = cube(64, {4, 4, 4}, false, nullptr);
    std::vector<int> machine_of;
    for (int r = 0; r < 64; ++r) machine_of.push_back(r / 32 * 4 + r / 8 % 2 * 2 + r / 2 % 2);
    x.spec.machines = machine_of;
    auto const sends = [&] {
        std::size_t n = 0;
        for (int r = 0; r < 64; ++r) {
            auto const p = build_halo(x.spec, r);
            n += static_cast<std::size_t>(
                std::count_if(p.descriptors.begin(), p.descriptors.end(), [](auto const& d) { return d.op == operation::send; }));
        }
        return n;
    };
    EXPECT_EQ(sends(), 8U * 7U); // by the model: small faces go together
    expect_sound(x.spec, "together");
    x.spec.pretended = true;
    EXPECT_EQ(sends(), 64U * 19U); // of 26 neighbours 7 are on the same machine
    expect_sound(x.spec, "apart");
}

TEST(halo_plan, every_mistake_in_a_pull_is_found) {
    expect_all_found(cube(3, {3}, false, &ways::pull, 2), {},
                     {{mutation_kind::swap, "the neighbour still acknowledges before it waits: no cycle closes",
                       [](spot const& s) { return s.here().op == operation::signal && s.next().op == operation::credit; }}});
}
TEST(halo_plan, every_mistake_in_a_buffered_pull_is_found) {
    expect_all_found(cube(3, {3}, true, &ways::pull, 2), {});
}
TEST(halo_plan, every_mistake_in_a_stage_is_found) {
    expect_all_found(cube(4, {2, 2}, false, &ways::stage), {0},
                     {{mutation_kind::swap, "the first to be told does not read what is packed last",
                       [](spot const& s) { return s.here().op == operation::pack && s.next().op == operation::signal; }}});
}
TEST(halo_plan, every_mistake_in_a_wide_stage_is_found) {
    expect_all_found(cube(4, {2, 2}, false, &ways::stage_wide), {0});
}
TEST(halo_plan, every_mistake_in_chunks_is_found) {
    auto x = cube(4, {2, 2}, false, &ways::stage_chunks);
    x.spec.costs.chunk_bytes = 16; // two rows of four
    expect_all_found(x, {0},
                     {{mutation_kind::swap,
                       "the neighbours still pack before they wait, and the first to be told of other edges does not read what "
                       "is packed last",
                       [](spot const& s) {
                           return s.here().op == operation::pack &&
                                  (s.next().op == operation::unpack || s.next().op == operation::signal);
                       }}});
}
// Rows on pages of their own, more than there are translations for: the model's case for chunks.
TEST(halo_plan, rows_on_pages_of_their_own_go_in_chunks) {
    dry_exchange x;
    sode::detail::place const where{0, 2};
    auto const map = sode::detail::distribute(where, sode::detail::make_node_grid(2, std::vector<node_extent>{2}, {}),
                                              std::vector<index_t>{8192, 2 * 8192}, std::vector<distribution_format>{none, block});
    std::array<index_t, max_dims> const w{1, 1};
    x.shapes.push_back(shape_of(map, 8, w, w));
    x.spec.fields.push_back({.shape = x.shapes.back().get(), .lower = w, .upper = w});
    x.spec.machines = 2;
    x.spec.name = "halo of \"u\"";
    auto const p = build_halo(x.spec, 0);
    ASSERT_EQ(p.notes.size(), 1U);
    EXPECT_EQ(p.notes[0].chosen, "stage-chunks");
    auto const loop =
        std::find_if(p.descriptors.begin(), p.descriptors.end(), [](descriptor const& d) { return d.op == operation::loop; });
    ASSERT_NE(loop, p.descriptors.end());
    EXPECT_EQ(loop->argument, 16U);      // of 512 rows, 4 KiB
    EXPECT_EQ(p.descriptors.size(), 7U); // the size of a plan does not depend on the number of chunks
}
TEST(halo_plan, every_mistake_in_a_message_is_found) {
    auto packed = cube(3, {3}, false, nullptr, 2);
    packed.spec.machines = std::vector<int>{0, 1, 2};
    expect_all_found(packed, {});
    auto mixed = cube(4, {2, 2}, true, nullptr);
    mixed.spec.machines = std::vector<int>{0, 0, 1, 1};
    mixed.spec.pretended = true; // a message for each pair of ranks
    auto together = cube(4, {2, 2}, false, &ways::mpi_machine);
    together.spec.machines = std::vector<int>{0, 0, 1, 1};
    expect_all_found(together, {0, 1}, harmless_to_machine_messages());
    expect_all_found(mixed, {0, 1},
                     {{mutation_kind::swap, "a message that begins a step later: that step does not touch its place",
                       [](spot const& s) { return is_message(s.here().op) && !is_message(s.next().op); }},
                      {mutation_kind::swap, "what has come may be unpacked before or after what has gone is gone",
                       [](spot const& s) { return s.here().op == operation::unpack && s.next().op == operation::wait; }}});
}
// Planes with the shadow between their rows, from rank to rank: as rows of whole planes, which travel as they lie.
dry_exchange planes(int ranks) {
    auto x = cube(ranks, {ranks, 1, 1}, false, nullptr);
    x.spec.machines = each_alone(ranks);
    x.spec.periodic = {true};
    x.spec.costs.network.byte = x.spec.costs.network.host_byte = 0;
    return x;
}
std::size_t loans_in(halo_spec const& spec) {
    return build_halo(spec, 0).loans.size();
}
TEST(halo_plan, rows_travel_as_they_lie_where_what_is_between_them_keeps_still) {
    auto x = planes(3);
    EXPECT_EQ(loans_in(x.spec), 2U); // from below and from above
    expect_sound(x.spec, "planes");
    x.spec.costs = {};
    EXPECT_EQ(loans_in(x.spec), 0U) << "a third more bytes do not pay";
    x = planes(3);
    x.spec.periodic[2] = true;
    EXPECT_EQ(loans_in(x.spec), 0U) << "what is between them is exchanged too";
    x = planes(3);
    auto const strides = x.shapes.front()->strides(0); // of all
    x.shapes.front()->brought.assign(3, strides);
    EXPECT_EQ(loans_in(x.spec), 0U) << "what is between them may be anybody's";
    x = planes(2); // below and above are the same rank: two boxes in one message
    EXPECT_EQ(loans_in(x.spec), 0U);
    x = planes(3);
    x.spec.forced = &ways::reference;
    EXPECT_EQ(loans_in(x.spec), 0U);
}
TEST(halo_plan, every_mistake_in_rows_that_travel_as_they_lie_is_found) {
    expect_all_found(planes(3), {},
                     {{mutation_kind::swap, "what is saved for one message is no part of the other",
                       [](spot const& s) { return is_message(s.here().op) && s.next().op == operation::pack; }},
                      {mutation_kind::repeat, "what is put back may be put back twice",
                       [](spot const& s) { return s.here().op == operation::unpack; }},
                      {mutation_kind::swap, "what was there may be put back before or after what has gone is gone",
                       [](spot const& s) { return s.here().op == operation::unpack && s.next().op == operation::wait; }}});
}
TEST(halo_plan, every_mistake_in_line_is_found) {
    expect_all_found(cube(3, {3}, false, nullptr), {},
                     {{mutation_kind::swap, "the two lines have nothing to do with each other", [](spot const& s) {
                           return s.here().op == operation::inline_put && s.next().op == operation::inline_put;
                       }}});
}
// A level that ranks hand to the rank below in a march: two rows above a block that begins farther on in its memory.
TEST(halo_plan, every_mistake_in_a_level_that_is_handed_is_found) {
    auto x = cube(3, {3, 1}, true, &ways::stage);
    auto& shape = *x.shapes.front();
    shape.axes[0].shadow_lower = 3, shape.axes[0].shadow_upper = 2;
    auto& field = x.spec.fields.front();
    field.lower = {}, field.upper = {2};
    x.spec.corners = false;
    x.spec.periodic = {};
    x.spec.credits = true;
    auto const middle = build_halo(x.spec, 1);
    EXPECT_EQ(std::ranges::count(middle.descriptors, operation::credit, &descriptor::op), 1); // who reads gives its place back
    expect_all_found(x, {0, 1, 2},
                     {{mutation_kind::threshold_up, "who reads waits for nobody below, so the epoch before may be waited for too",
                       [](spot const& s) { return s.here().op == operation::credit; }}});
}
TEST(halo_plan, every_mistake_in_a_mixture_is_found) {
    expect_all_found(cube(8, {2, 2, 2}, false, nullptr), {0});
}

// What network interfaces run: each face is put where it belongs, and no rank looks at memory of another.
dry_exchange by_interfaces(dry_exchange x) {
    x.spec.puts_only = true;
    return x;
}
std::size_t looks_elsewhere(plan const& p) {
    std::size_t n = 0;
    for (auto const& d : p.descriptors) {
        n += d.trigger != 0 && p.counters[d.trigger].host != p.rank;
        n += moves_data(d.op) && p.buffers[d.src].host != p.rank;
        n += d.op != operation::put &&
             ((d.signal != 0 && p.counters[d.signal].host != p.rank) || (moves_data(d.op) && p.buffers[d.dst].host != p.rank));
    }
    return n;
}
TEST(halo_plan, random_exchanges_by_interfaces_are_sound) {
    std::size_t puts = 0;
    for (int ranks : {1, 2, 3, 4, 6, 8})
        for (int c = 0; c < 15 && !HasFailure(); ++c) {
            generator g{static_cast<std::uint64_t>(49979687 * ranks + c)};
            auto const label = fmt::format("{} ranks, case {}", ranks, c);
            auto x = random_exchange(g, ranks, c % 5 == 0 ? &ways::put : nullptr);
            x.spec.puts_only = c % 5 != 1; // the caller can put, too
            if (c % 5 == 1) x.spec.forced = &ways::put;
            expect_sound(x.spec, label);
            x.spec.machines = ranks;
            auto const one = build(x.spec);
            one.expect_sound(label + ", on one machine");
            for (auto const& p : one.plans) {
                EXPECT_EQ(looks_elsewhere(p), 0U) << label;
                puts += static_cast<std::size_t>(std::ranges::count(p.notes, "put", &edge_note::chosen));
            }
            x.spec.puts_only = false;
            x.spec.forced = c % 2 == 0 ? &ways::pull : &ways::stage;
            either_of(one, build(x.spec)).expect_sound(label + ", two ways by turns");
        }
    EXPECT_GT(puts, 300U);
}
TEST(halo_plan, has_no_descriptor_too_many_for_interfaces) {
    // End; per neighbour: the word that puts may come, and its landing; what lands; a wait for each end, a put, two ends.
    EXPECT_EQ(build_halo(by_interfaces(cube(27, {3, 3, 3}, false, nullptr)).spec, 13).descriptors.size(), 1U + 26U * 8U);
    EXPECT_EQ(build_halo(by_interfaces(cube(27, {3, 3, 3}, true, nullptr)).spec, 13).descriptors.size(), 1U + 26U * 8U);
}
TEST(halo_plan, every_mistake_in_puts_is_found) {
    auto const empty = [](spot const& s) { return is_put(s.here().op) && s.sound.programs[s.here().program].bytes == 0; };
    std::vector<harmless> known{{mutation_kind::swap,
                                 "landings and words wait for nothing, and nothing in their stream waits for them",
                                 [](spot const& s) { return is_put(s.here().op) && is_put(s.next().op); }},
                                {mutation_kind::source_shift, "of no bytes", empty}};
    for (bool buffered : {false, true}) {
        expect_all_found(by_interfaces(cube(3, {3}, buffered, nullptr, 2)), {}, known);
        expect_all_found(by_interfaces(cube(4, {2, 2}, buffered, nullptr)), {0}, known);
    }
}

// Machines that a network joins beside MPI: faces go by it or by MPI, and verify() knows which ranks it joins.
TEST(halo_plan, faces_between_wired_machines_are_sound) {
    std::size_t puts = 0, messages = 0;
    for (int ranks : {2, 3, 4, 6, 8})
        for (int c = 0; c < 12 && !HasFailure(); ++c) {
            generator g{static_cast<std::uint64_t>(86028121 * ranks + c)};
            auto x = by_interfaces(random_exchange(g, ranks, c % 6 == 0 ? &ways::put : nullptr));
            x.spec.machines = each_alone(ranks);
            x.spec.pretended = x.spec.wired = true;
            x.spec.subcluster = static_cast<int>(pick(g, 1, ranks));
            x.spec.costs.networks = {interfaces_as_network(x.spec.costs), interfaces_as_network(x.spec.costs)};
            auto a = build(x.spec);
            for (int r = 0; r < ranks; ++r) a.wires.push_back(r / x.spec.subcluster);
            a.expect_sound(fmt::format("{} ranks, case {}", ranks, c));
            for (auto const& p : a.plans) {
                EXPECT_EQ(looks_elsewhere(p), 0U);
                puts += static_cast<std::size_t>(std::ranges::count(p.notes, "put", &edge_note::chosen));
                messages += static_cast<std::size_t>(std::ranges::count(p.notes, "mpi", &edge_note::chosen));
            }
            if (c % 6 != 0 || x.spec.subcluster < 2) continue;
            a.wires.assign(static_cast<std::size_t>(ranks), -1); // as if nothing joined them
            auto const has_rows = [](plan const& p) {
                return std::ranges::any_of(p.descriptors, [&](descriptor const& d) {
                    return d.op == operation::put && p.programs[d.program].loop_count > 0;
                });
            };
            if (std::ranges::none_of(a.plans, has_rows)) continue;
            EXPECT_FALSE(verify(a.plans, a.models, {.machines = a.machines, .wires = a.wires}).empty());
        }
    EXPECT_GT(std::min(puts, messages), 30U);
}
// Paper P0, figures 19 and 20: what makes the hybrid fast is that both parts are over at the same time.
TEST(halo_plan, networks_share_the_faces_so_that_they_finish_together) {
    auto x = by_interfaces(cube(4, {2, 2, 1}, false, nullptr));
    x.spec.corners = false;
    x.spec.machines = each_alone(4);
    x.spec.pretended = x.spec.wired = true;
    x.spec.subcluster = 4;
    auto const one = interfaces_as_network(x.spec.costs);
    x.spec.costs.networks = {one, one}; // equal networks, equal faces: one dimension each
    auto const text = halo_edges{x.spec}.networks().text();
    EXPECT_TRUE(text.find("mpi takes dimension 0, expected") != std::string::npos ||
                text.find("mpi takes dimension 1, expected") != std::string::npos)
        << text;
    EXPECT_TRUE(text.find("put takes dimension ") != std::string::npos) << text;
    auto slow = one;
    for (auto& p : slow.protocols) p.latency *= 1000;
    x.spec.costs.networks = {slow, one};
    EXPECT_NE(halo_edges{x.spec}.networks().text().find("mpi takes nothing, expected 0.00 us"), std::string::npos);
    x.spec.subcluster = 1;
    EXPECT_EQ(halo_edges{x.spec}.networks().text(), "");
}

} // namespace
} // namespace sode::internal::testing
