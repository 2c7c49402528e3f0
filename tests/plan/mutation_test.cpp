// SPDX-License-Identifier: Apache-2.0
// verify() finds every change of one field of a correct plan that matters.
#include "plan/toy_plans.hpp"
#include "support/mutations.hpp"

#include <gtest/gtest.h>

namespace sode::internal {
namespace {

using testing::harmless;
using testing::spot;
using enum testing::mutation_kind;

bool only_waits(descriptor const& d) {
    return d.op == operation::wait || d.op == operation::credit;
}
bool only_moves(descriptor const& d) {
    return moves_data(d.op) && d.trigger == 0 && d.signal == 0;
}

/// Harmless in any plan.
std::vector<harmless> always() {
    return {{repeat, "what has been waited for need not be waited for again", [](spot const& s) { return only_waits(s.here()); }},
            {swap, "boxes that are copied between the same two events may be copied in any order",
             [](spot const& s) { return only_moves(s.here()) && only_moves(s.next()) && s.here().op == s.next().op; }}};
}

/// Every mistake in every descriptor must be found, except those that are known to be harmless; and those must not be "found".
void expect_all_found(toy::job (*make)(int ranks), std::vector<harmless> const& special, int ranks_of_machine = 0) {
    auto known = special;
    for (auto& h : always()) known.push_back(std::move(h));
    std::vector<std::size_t> excused(known.size());
    for (int ranks : {1, 2, 3, 8, 127}) {
        auto const j = make(ranks);
        // At many ranks one stands for all: plans repeat.
        std::vector<std::size_t> const few = ranks <= 8 ? std::vector<std::size_t>{} : std::vector<std::size_t>{126};
        std::vector<int> machines;
        for (int r = 0; r < ranks && ranks_of_machine > 0; ++r) machines.push_back(r / ranks_of_machine);
        auto const result = testing::try_mutations(j.plans, j.arrays, known, toy::element, few, machines);
        EXPECT_TRUE(result.tried > 0 || ranks == 1) << ranks << " ranks";
        for (auto const& s : result.survivors) ADD_FAILURE() << "not found: " << s;
        for (auto const& s : result.refuted) ADD_FAILURE() << "not harmless: " << s;
        for (std::size_t i = 0; i < known.size(); ++i) excused[i] += result.excused[i];
    }
    for (std::size_t i = 0; i < special.size(); ++i) EXPECT_GT(excused[i], 0U) << "never needed: " << known[i].reason;
}

harmless const credit_first{
    swap, "one rank alone may wait for its credit before it pulls: no cycle closes (all at once is a deadlock)",
    [](spot const& s) { return !s.everywhere && s.here().op == operation::copy && s.next().op == operation::credit; }};

harmless const puts_of_nothing{source_shift, "no bytes come from anywhere", [](spot const& s) {
                                   return s.here().op == operation::put && s.sound.programs[s.here().program].bytes == 0;
                               }};

TEST(mutation, ring_pull) {
    expect_all_found([](int p) { return toy::ring_pull(p); }, {credit_first});
}

TEST(mutation, ring_put) {
    for (int const of_machine : {1, 2, 8}) {
        std::vector<harmless> special{puts_of_nothing,
                                      {swap, "a landing may be begun after its put has arrived", [](spot const& s) {
                                           return s.here().op == operation::landing && s.next().op == operation::put &&
                                                  s.next().trigger == 0;
                                       }}};
        // Everywhere: with all on one machine, or it is a deadlock of those who are not.
        if (of_machine > 1)
            special.push_back({swap, "a landing on the machine of its put does nothing", [=](spot const& s) {
                                   int const here = s.sound.rank / of_machine, there = s.here().peer / of_machine;
                                   return s.here().op == operation::landing && s.next().op == operation::put &&
                                          s.next().trigger == s.here().signal &&
                                          (s.everywhere ? s.sound.ranks <= of_machine : here == there);
                               }});
        expect_all_found(toy::ring_put, special, of_machine);
    }
}

TEST(mutation, ring_staged) {
    expect_all_found(toy::ring_staged, {});
}

TEST(mutation, ring_two_ways) {
    expect_all_found(toy::ring_two_ways, {credit_first});
}

TEST(mutation, ring_in_line) {
    expect_all_found(toy::ring_in_line, {{swap, "the two lines have nothing to do with each other", [](spot const& s) {
                                              return s.here().op == operation::inline_put && s.next().op == operation::inline_put;
                                          }}});
}

TEST(mutation, ring_buffered) {
    expect_all_found(toy::ring_buffered, {});
}

TEST(mutation, ring_joined) {
    auto const both_sides_are_one = [](spot const& s) { return s.sound.ranks == 2 && s.here().op == operation::credit; };
    expect_all_found(toy::ring_joined, {credit_first,
                                        {drop, "of two ranks, each waits twice for the same flag", both_sides_are_one},
                                        {threshold_down, "of two ranks, each waits twice for the same flag", both_sides_are_one},
                                        {swap, "`done` tells that the pulls are over, not the copies of what was pulled",
                                         [](spot const& s) { return s.stream() == 1 && s.next().op == operation::signal; }}});
}

TEST(mutation, chain_pipeline) {
    expect_all_found(
        toy::chain_pipeline,
        {{swap, "a chain has an end, so acknowledgements may run back through it one after another",
          [](spot const& s) { return s.sound.rank > 0 && s.here().op == operation::signal && s.next().op == operation::credit; }},
         {threshold_stride_down, "rank 0 publishes all chunks at once, and each iteration waits for one of them",
          [](spot const& s) { return s.sound.rank == 1 && !s.everywhere; }}});
}

TEST(mutation, conveyor) {
    auto const slot = [](descriptor const& d) { return d.src_offset + d.dst_offset; };
    expect_all_found(toy::conveyor,
                     {{no_signal, "the second slot's signal tells of the first one too",
                       [=](spot const& s) { return s.here().op == operation::pack && slot(s.here()) == 0; }},
                      {no_signal, "the other slot's signal, in this epoch or the next, comes before anybody needs this one",
                       [](spot const& s) { return s.here().op == operation::unpack; }},
                      {threshold_up, "waits for both slots to be empty: slower, and right",
                       [](spot const& s) { return s.here().op == operation::pack; }},
                      {threshold_up, "waits for both slots to be full: slower, and right",
                       [=](spot const& s) { return s.here().op == operation::unpack && slot(s.here()) == 0; }}});
}

TEST(mutation, carousel) {
    expect_all_found(toy::carousel,
                     {{swap, "one end of a loop is like the other",
                       [](spot const& s) { return s.here().op == operation::end_loop && s.next().op == operation::end_loop; }},
                      {threshold_up, "one place of the ring stays empty: slower, and right",
                       [](spot const& s) { return s.here().op == operation::pack; }}});
}

TEST(mutation, epochs_ahead) {
    harmless const slower{threshold_up, "one of the slots stays empty: slower, and right",
                          [](spot const& s) { return s.here().op == operation::pack; }};
    expect_all_found([](int p) { return toy::epochs_ahead(p, 1); }, {});
    expect_all_found([](int p) { return toy::epochs_ahead(p, 2); }, {slower});
    expect_all_found([](int p) { return toy::epochs_ahead(p, 3); }, {slower});
    expect_all_found([](int p) { return toy::epochs_ahead(p, 4); }, {slower});
}

TEST(mutation, couriers) {
    expect_all_found(toy::couriers, {{threshold_up, "one of the two places stays empty: slower, and right",
                                      [](spot const& s) { return s.here().op == operation::receive; }}});
}

TEST(mutation, parcels) {
    std::vector<harmless> special{
        {threshold_up, "one place of the ring stays empty: slower, and right", [](spot const& s) { return is_put(s.here().op); }},
        puts_of_nothing,
        {source_stride, "no bytes come from anywhere", puts_of_nothing.applies}};
    expect_all_found(toy::parcels, special, 1);
    for (auto const kind : {no_trigger, threshold_down, threshold_stride_down})
        special.push_back({kind, "a landing on the machine of its put does nothing",
                           [](spot const& s) { return s.here().op == operation::landing; }});
    expect_all_found(toy::parcels, special, 2);
}

TEST(mutation, scan) {
    expect_all_found(toy::scan,
                     {{swap, "a chain has an end, so acknowledgements may run back through it one after another",
                       [](spot const& s) { return s.here().op == operation::signal && s.next().op == operation::credit; }}});
}

TEST(mutation, allreduce) {
    expect_all_found(toy::allreduce, {});
}

TEST(mutation, sum_by_chunks) {
    expect_all_found(toy::sum_by_chunks,
                     {{threshold_up, "waits for a later chunk, which has left the stage as well: slower, and right",
                       [](spot const& s) { return s.sound.rank > 0; }},
                      {threshold_stride_up, "waits for a later chunk, which has left the stage as well: slower, and right",
                       [](spot const& s) { return s.here().op == operation::pack; }},
                      {swap, "two loops that are equally long become one: chunk by chunk all the same",
                       [](spot const& s) { return s.here().op == operation::end_loop && s.next().op == operation::loop; }}});
}

} // namespace
} // namespace sode::internal
