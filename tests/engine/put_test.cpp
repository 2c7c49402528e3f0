// SPDX-License-Identifier: Apache-2.0
// Puts bring every byte, epoch after epoch, and tell whom they are for: stored within a machine, carried by messages between
// machines, by the same plan; with ranks that are late by turns.
#include "engine/prepared.hpp"
#include "model/job.hpp"
#include "plan/toy_plans.hpp"
#include "support/ranks.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

namespace sode::internal::testing {
namespace {

double value(int rank, int epoch, std::int64_t at) {
    return 1e6 * rank + 1e3 * epoch + static_cast<double>(at);
}

/// Runs this rank's plan of a toy job, and holds its array against the deliveries.
class player {
public:
    explicit player(toy::job const& all)
        : rt_(ranks()), plan_(all.plans[static_cast<std::size_t>(rt_.rank())]),
          model_(all.arrays[static_cast<std::size_t>(rt_.rank())].front()), bytes_(static_cast<std::size_t>(model_.bytes)),
          memory_(rt_.job().surroundings().memory), at_(memory_.allocate(bytes_)) {
        rt_.job().surroundings().freed.expose(at_);
        bound_array const arrays[] = {{{at_, nullptr}}};
        run_ = std::make_unique<prepared>(plan_, rt_.job().surroundings(), plan_terms{.arrays = arrays, .fingerprint = 11});
    }
    ~player() {
        run_.reset();
        rt_.job().surroundings().freed.release(at_, bytes_);
    }
    player(player const&) = delete;
    player& operator=(player const&) = delete;

    void epoch(int number) {
        for (auto const& piece : expand(model_.owned))
            for (auto at = piece.offset; at < piece.offset + piece.bytes; at += toy::element)
                store(at, value(rt_.rank(), number, at));
        if ((rt_.rank() + number) % 3 == 0) std::this_thread::sleep_for(std::chrono::milliseconds{2});
        run_->start();
        run_->wait();
        for (auto const& d : plan_.deliveries) {
            auto const from = expand(d.source).front(), to = expand(d.target).front();
            for (std::int64_t k = 0; k < to.bytes; k += toy::element)
                ASSERT_EQ(load(to.offset + k), value(d.source_rank, number, from.offset + k)) << "epoch " << number;
        }
    }

private:
    void store(std::int64_t at, double v) { std::memcpy(at_ + at, &v, sizeof v); }
    [[nodiscard]] double load(std::int64_t at) const {
        double v = 0;
        std::memcpy(&v, at_ + at, sizeof v);
        return v;
    }

    runtime& rt_;
    plan plan_;
    array_model model_;
    std::size_t bytes_;
    space& memory_;
    std::byte* at_;
    std::unique_ptr<prepared> run_;
};

void play(toy::job const& all) {
    player here{all};
    for (int epoch = 1; epoch <= 40 && !::testing::Test::HasFatalFailure(); ++epoch) here.epoch(epoch);
}

TEST(Puts, ComeRoundARing) {
    play(toy::ring_put(ranks().size()));
}

TEST(Puts, GoThroughSlotsInALoop) {
    play(toy::parcels(ranks().size()));
}

TEST(Puts, OfTwoPlansAreNotMixedUp) {
    auto const all = toy::ring_put(ranks().size());
    player first{all}, second{all};
    for (int epoch = 1; epoch <= 10 && !::testing::Test::HasFatalFailure(); ++epoch) {
        first.epoch(epoch);
        second.epoch(100 + epoch);
    }
}

} // namespace
} // namespace sode::internal::testing
