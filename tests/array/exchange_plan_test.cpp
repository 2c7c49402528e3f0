// SPDX-License-Identifier: Apache-2.0
// The plans of random messages, all ranks of a job at once, held against verify(); whether verify() would notice a mistake in them;
// and what ranks tell each other.
#include "array/exchange/matched_ends.hpp"
#include "array/exchange/own_ends.hpp"
#include "array/exchange/told_ends.hpp"
#include "array/random_messages.hpp"
#include "array/transfer_mutations.hpp"
#include "pattern/plan_edges.hpp"
#include "support/cases.hpp"
#include "support/mutations.hpp"

#include <gtest/gtest.h>

namespace sode::internal::testing {
namespace {

// A space in which others can load the first of the two memories.
class half_shared final : public space {
public:
    explicit half_shared(std::byte const* first) : first_(first) {}
    [[nodiscard]] std::string_view name() const noexcept override { return "half shared"; }
    [[nodiscard]] bool contains(int) const noexcept override { return true; }
    [[nodiscard]] std::byte* allocate(std::size_t) override { return nullptr; }
    void release(std::byte*, std::size_t) noexcept override {}
    [[nodiscard]] bool leave_out_of_forks(std::byte const*, std::size_t) override { return false; }
    [[nodiscard]] std::uint64_t offset(std::byte const*) const noexcept override { return 0; }
    [[nodiscard]] std::byte* at(int, std::uint64_t) const noexcept override { return nullptr; }
    [[nodiscard]] bool one_address_space() const noexcept override { return false; }
    [[nodiscard]] int owner_of(void const* p) const noexcept override {
        auto const* const at = static_cast<std::byte const*>(p);
        return at >= first_ && at < first_ + slots * slot_bytes ? 0 : -1;
    }

private:
    std::byte const* first_;
};

exchange_spec random_spec(generator& g, int ranks) {
    exchange_spec spec;
    spec.name = "exchange";
    spec.machines = ranks;
    auto const messages = random_messages(g, ranks);
    std::vector<std::vector<message_end>> ends(static_cast<std::size_t>(ranks));
    static std::vector<std::byte> memory(2 * slots * slot_bytes);
    auto const place = [&](int which) { return memory.data() + which * slots * slot_bytes; };
    for (auto const& m : messages) {
        auto const out = datatype_of(g, m.out), in = datatype_of(g, m.in);
        ends[static_cast<std::size_t>(m.source)].push_back(send_init(place(m.out.memory), out, m.target, m.tag));
        ends[static_cast<std::size_t>(m.target)].push_back(recv_init(place(m.in.memory), in, m.source, m.tag));
    }
    half_shared const where{place(0)};
    for (int r = 0; r < ranks; ++r) {
        auto told = take_ends(ends[static_cast<std::size_t>(r)], r, ranks, where).told;
        for (auto& region : told.regions) region.shared = chance(g, 50);
        spec.ends[r] = std::move(told);
    }
    return spec;
}

struct all_ranks {
    std::vector<plan> plans;
    std::vector<std::vector<array_model>> models;
};
all_ranks build(exchange_spec const& spec) {
    matched_ends const messages{spec};
    all_ranks a;
    for (int r = 0; r < spec.ranks(); ++r) a.plans.push_back(plan_edges(messages, r)), a.models.push_back(exchange_models(spec, r));
    return a;
}

TEST(exchange_plan, random_messages_are_delivered) {
    int const cases = random_cases(150);
    for (int ranks : {1, 2, 3, 4, 7})
        for (int c = 0; c < cases && !HasFailure(); ++c) {
            generator g{static_cast<std::uint64_t>(ranks * 100003 + c)};
            auto spec = random_spec(g, ranks);
            way const* const forced[] = {nullptr, &ways::pull, &ways::stage, &ways::stage_wide, &ways::reference};
            spec.forced = forced[c % 5];
            if (chance(g, 40)) {
                std::vector<int> machine_of;
                for (int r = 0; r < ranks; ++r) machine_of.push_back(static_cast<int>(pick(g, 0, 2)));
                spec.machines = machine_of;
            }
            auto const a = build(spec);
            for (auto const& f : verify(a.plans, a.models, {.machines = spec.machines.list()}))
                ADD_FAILURE() << ranks << " ranks, case " << c << ": " << f.message;
            index_t sent = 0, delivered = 0;
            for (auto const& [r, mine] : spec.ends)
                for (auto const& e : mine.ends) sent += e.sends ? e.where.bytes() : 0;
            for (auto const& p : a.plans)
                for (auto const& d : p.deliveries) delivered += d.target.bytes();
            ASSERT_EQ(sent, delivered) << ranks << " ranks, case " << c;
        }
}

TEST(exchange_plan, ranks_are_told_what_was_said) {
    for (int c = 0; c < 200; ++c) {
        generator g{static_cast<std::uint64_t>(c)};
        for (auto const& [r, mine] : random_spec(g, 3).ends) ASSERT_TRUE(from_words(to_words(mine)) == mine) << "case " << c;
    }
}

// Sums over all ranks: all that tells ranks that their lists do not fit together, before anybody knows another's.
TEST(exchange_plan, pairing_sees_every_end) {
    auto const adds_up = [](exchange_spec const& spec) {
        std::array<std::uint64_t, 2> all{};
        for (auto const& [rank, mine] : spec.ends) {
            auto const sums = pairing_of(mine, rank);
            for (std::size_t i = 0; i < all.size(); ++i) all[i] += sums[i];
        }
        return all == std::array<std::uint64_t, 2>{};
    };
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        generator g{seed};
        auto spec = random_spec(g, 4);
        ASSERT_TRUE(adds_up(spec)) << seed;
        for (auto& [rank, mine] : spec.ends)
            for (std::size_t i = 0; i < mine.ends.size(); ++i) {
                auto& e = mine.ends[i];
                auto const sound = e;
                e.tag += 1000;
                EXPECT_FALSE(adds_up(spec)) << "another tag, seed " << seed;
                e = sound;
                e.peer = (e.peer + 1) % 4;
                EXPECT_FALSE(adds_up(spec)) << "another peer, seed " << seed;
                e = sound;
                e.where = contiguous(0, e.where.bytes() + 8);
                EXPECT_FALSE(adds_up(spec)) << "more bytes, seed " << seed;
                e = sound;
                e.sends = !e.sends;
                EXPECT_FALSE(adds_up(spec)) << "the other way, seed " << seed;
                e = sound;
            }
        ASSERT_TRUE(adds_up(spec)) << seed;
    }
}

// A ring of columns of one matrix, both ways: each rank's ends lie interleaved in one region.
TEST(exchange_plan, every_mistake_is_found) {
    constexpr int ranks = 3;
    std::vector<double> matrix(6 * 5);
    auto const column = datatype::contiguous(8).repeated(6, 40);
    for (auto how : {&ways::pull, &ways::stage, &ways::stage_wide}) {
        exchange_spec spec;
        spec.machines = ranks;
        spec.forced = how;
        half_shared const where{reinterpret_cast<std::byte const*>(matrix.data())};
        for (int r = 0; r < ranks; ++r) {
            int const left = (r + ranks - 1) % ranks, right = (r + 1) % ranks;
            std::vector<message_end> const ends{send_init(&matrix[3], column, right), recv_init(&matrix[0], column, left),
                                                send_init(&matrix[1], column, left, 1), recv_init(&matrix[4], column, right, 1)};
            spec.ends[r] = take_ends(ends, r, ranks, where).told;
            ASSERT_EQ(spec.ends[r].regions.size(), 1U);
            spec.ends[r].regions[0].shared = true;
        }
        auto const a = build(spec);
        for (auto const& f : verify(a.plans, a.models)) ADD_FAILURE() << f.message;
        auto const result = try_mutations(a.plans, a.models, harmless_to_transfers(), 8, {});
        EXPECT_GT(result.tried, 0U);
        for (auto const& s : result.survivors) ADD_FAILURE() << how->name() << ", not found: " << s;
        for (auto const& s : result.refuted) ADD_FAILURE() << how->name() << ", not harmless: " << s;
    }
}

} // namespace
} // namespace sode::internal::testing
