// SPDX-License-Identifier: Apache-2.0
// A copy by both ends, as the layer does it: two threads take pieces of one program from its two ends. ThreadSanitizer sees whether
// pieces share a byte, and whether the receiver may touch what the sender has written.
#include "pieces.hpp"

#include "layout/copy_sequence.hpp"
#include "layout/random_layout.hpp"
#include "support/cases.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <thread>

namespace sode::interpose {
namespace {

struct copy_by_both {
    copy_by_both(layout const& source, layout const& target) : pieces(split(compile_sequence(source, target), 12)) {
        slot->pieces = static_cast<std::uint32_t>(pieces.size());
        slot->front_and_back.store(0);
        slot->finished.store(0);
    }

    // As outbox::help().
    void send(std::byte* to, std::byte const* from) {
        while (auto const piece = next_piece(*slot, copier::sender)) {
            run(pieces[*piece], to, from);
            slot->finished.fetch_add(1, std::memory_order_release);
        }
    }
    // As inbox::from_buffer().
    void receive(std::byte* to, std::byte const* from) {
        std::uint32_t own = 0;
        while (auto const piece = next_piece(*slot, copier::receiver)) {
            run(pieces[*piece], to, from);
            ++own;
        }
        while (slot->finished.load(std::memory_order_acquire) + own != slot->pieces) std::this_thread::yield();
    }

    std::vector<copy_sequence> pieces;
    std::unique_ptr<message_slot> slot = std::make_unique<message_slot>();
};

TEST(Pieces, TwoCopiersDoAllOfIt) {
    sode::test::layout_generator g{17};
    for (int c = 0; c < sode::testing::random_cases(200); ++c) {
        index_t const bytes = g.between(1, 40) * 48;
        layout const source = normalised(g.list(bytes)), target = normalised(g.list(bytes));
        auto const from = source.extent(), to = target.extent();
        std::vector<std::byte> sent(static_cast<std::size_t>(from.second - from.first));
        for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::byte>(i * 13 + 5);
        std::vector<std::byte> received(static_cast<std::size_t>(to.second - to.first)), expected = received;
        run(compile_sequence(source, target), expected.data() - to.first, sent.data() - from.first);

        copy_by_both both{source, target};
        std::thread sender{[&] { both.send(received.data() - to.first, sent.data() - from.first); }};
        both.receive(received.data() - to.first, sent.data() - from.first);
        ASSERT_TRUE(received == expected) << "case " << c; // read before the sender has ended
        sender.join();
    }
}

} // namespace
} // namespace sode::interpose
