// SPDX-License-Identifier: Apache-2.0
// What the inline engine does with a plan is what the definitions of its descriptors say, byte for byte: on random plans with
// loops, copies in every encoding, reductions, changes of sign and calls; and it refuses what it could not do.
#include "engine/combine.hpp"
#include "engine/prepared.hpp"

#include "base/bootstraps.hpp"
#include "engine/random_plan.hpp"
#include "plan/builder.hpp"

#include <gtest/gtest.h>

namespace sode {
namespace {

using testing::memory_image;
using testing::random_plan;

class engine_meaning_test : public ::testing::Test {
protected:
    engine_meaning_test()
        : boot_(make_alone_bootstrap()), memory_(make_space(*boot_, std::size_t{1} << 22)), freed_(*memory_), alive_(*boot_) {
        waiting_.spins = 0;
        array_ = memory_->allocate(random_plan::room);
        freed_.expose(array_);
    }
    ~engine_meaning_test() override { memory_->release(array_, random_plan::room); }

    context around() { return {*boot_, *memory_, freed_, alive_, waiting_}; }

    std::unique_ptr<bootstrap> boot_;
    std::unique_ptr<space> memory_;
    quarantine freed_;
    liveness alive_;
    wait_policy waiting_;
    std::byte* array_ = nullptr;
};

void fill(std::byte* at, std::mt19937_64& random) {
    for (std::int64_t i = 0; i < random_plan::room; ++i) at[i] = static_cast<std::byte>(random() >> 40U);
}

TEST_F(engine_meaning_test, random_plans_do_what_their_descriptors_say) {
    int lists = 0, in_loops = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        random_plan const r{seed};
        lists += r.lists;
        in_loops += r.in_loops;
        std::vector<plan_calls::function> functions;
        for (std::size_t k = 0; k < random_plan::calls; ++k)
            functions.emplace_back([k](std::byte* at) { random_plan::call(k, at); });
        bound_array const arrays[] = {{{array_, nullptr}}};
        prepared run{r.steps, around(), {.arrays = arrays, .fingerprint = 1, .calls = std::move(functions)}};

        std::mt19937_64 random{seed};
        memory_image expected(r.steps.buffers.size());
        for (std::size_t b = 0; b < expected.size(); ++b)
            for (unsigned parity_now : {0U, 1U}) {
                auto* const at = run.places().buffers(parity_now, 0)[b];
                if (parity_now == 0 || r.steps.buffers[b].instances != parity::none) fill(at, random);
                expected[b][parity_now].assign(at, at + random_plan::room);
            }
        for (int epoch = 1; epoch <= 3; ++epoch) {
            run.start();
            run.wait();
            r.interpret(expected, epoch);
            for (std::size_t b = 0; b < expected.size(); ++b)
                for (unsigned parity_now : {0U, 1U}) {
                    if (parity_now == 1 && r.steps.buffers[b].instances == parity::none) continue;
                    auto* const at = run.places().buffers(parity_now, 0)[b];
                    ASSERT_TRUE(std::equal(at, at + random_plan::room, expected[b][parity_now].begin()))
                        << "plan " << seed << ", epoch " << epoch << ", buffer " << b;
                }
        }
    }
    EXPECT_GT(lists, 200);
    EXPECT_GT(in_loops, 200);
}

TEST_F(engine_meaning_test, messages_in_loops_are_refused) {
    plan_builder b{"messages", 0, 1};
    b.target().own_lines = 1;
    auto const s = b.add_stream(-1);
    auto const array = b.add(buffer{.host = 0, .bytes = 64});
    b.emit(s, operation::loop).argument = 2;
    b.copy(s, operation::send, array, array, compile(contiguous(0, 8), contiguous(0, 8)), 0);
    b.emit(s, operation::end_loop);
    auto const p = b.finish();
    bound_array const arrays[] = {{{array_, nullptr}}};
    try {
        prepared const run{p, around(), {.arrays = arrays, .fingerprint = 1}};
        FAIL() << "no error";
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::internal);
        EXPECT_NE(std::string{e.what()}.find("is a message inside a loop"), std::string::npos) << e.what();
    }
}

TEST_F(engine_meaning_test, unknown_combiners_are_refused) {
    for (auto const argument : {combiner(reduction::bit_and, element::f64), 0xfffU}) {
        plan_builder b{"combines", 0, 1};
        auto const s = b.add_stream(-1);
        auto const array = b.add(buffer{.host = 0, .bytes = 64});
        b.copy(s, operation::reduce, array, array, compile(contiguous(0, 8), contiguous(0, 8))).argument = argument;
        auto const p = b.finish();
        bound_array const arrays[] = {{{array_, nullptr}}};
        EXPECT_THROW(prepared(p, around(), plan_terms{.arrays = arrays, .fingerprint = 1}), error);
    }
}

} // namespace
} // namespace sode
