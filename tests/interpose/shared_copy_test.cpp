// SPDX-License-Identifier: Apache-2.0
// A copy by both ends, as the layer does it: two threads run pieces of one program from its two ends. ThreadSanitizer sees whether
// pieces share a byte, and whether the receiver may touch what the sender has written.
#include "interpose/transport/shared_copy.hpp"

#include "layout/copy_sequence.hpp"
#include "layout/random_layout.hpp"
#include "support/cases.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <thread>

namespace sode::internal::interpose {
namespace {

pair_program program_of(layout const& source, layout const& target) {
    pair_program p{compile_sequence(source, target), {}};
    p.pieces = split(p.whole, 12);
    return p;
}

/// What the sender does while it waits.
void help_until_over(message_slot& s) {
    for (auto now = s.state.load(std::memory_order_acquire); now != slot_state::done; now = s.state.load(std::memory_order_acquire))
        if (now == slot_state::shared)
            help(s);
        else
            std::this_thread::yield();
}

// One slot for all messages, as it is in a program.
class SharedCopy : public ::testing::TestWithParam<shared_copy::first_pieces> {};
INSTANTIATE_TEST_SUITE_P(of, SharedCopy, ::testing::Values(shared_copy::first_pieces::own, shared_copy::first_pieces::senders),
                         [](auto const& i) { return i.param == shared_copy::first_pieces::own ? "both" : "sender"; });

TEST_P(SharedCopy, IsOverWhenTwoCopiersHaveDoneAllOfIt) {
    auto const slot = std::make_unique<message_slot>();
    sode::internal::test::layout_generator g{17};
    for (int c = 0; c < sode::internal::testing::random_cases(200); ++c) {
        index_t const bytes = g.between(1, 40) * 48;
        layout const source = normalised(g.list(bytes)), target = normalised(g.list(bytes));
        auto const from = source.extent(), to = target.extent();
        std::vector<std::byte> sent(static_cast<std::size_t>(from.second - from.first));
        for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::byte>(i * 13 + 5);
        std::vector<std::byte> received(static_cast<std::size_t>(to.second - to.first)), expected = received;
        run(compile_sequence(source, target), expected.data() - to.first, sent.data() - from.first);

        slot->buffer = sent.data() - from.first;
        slot->state.store(slot_state::ready);
        std::thread sender{[&] { help_until_over(*slot); }};
        pair_program const program = program_of(source, target);
        shared_copy copy{*slot, program, received.data() - to.first, GetParam()};
        if (GetParam() == shared_copy::first_pieces::own) copy.run_here();
        while (!copy.over()) std::this_thread::yield();
        ASSERT_TRUE(received == expected) << "case " << c; // read before the sender has ended
        slot->state.store(slot_state::done, std::memory_order_release);
        sender.join();
    }
}

} // namespace
} // namespace sode::internal::interpose
