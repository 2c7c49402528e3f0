// SPDX-License-Identifier: Apache-2.0
// Setting up a plan costs a rank words with its neighbours, and the logarithm of the ranks to agree that all plan the same. Counted
// in jobs of 27, 64 and 125 ranks, each with 26 neighbours.
#include "base/thread_team.hpp"
#include "model/job.hpp"

#include <sode/exchange.hpp>
#include <sode/sode.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace sode::internal::testing {
namespace {

struct spoken {
    int gathered = 0;            ///< calls in which every rank hears every rank
    int combined = 0;            ///< calls in which it hears the logarithm of them
    std::uint64_t looked_up = 0; ///< ranks at which it looked
    bool operator==(spoken const&) const = default;
};

class counted final : public bootstrap {
public:
    counted(std::unique_ptr<bootstrap> all, spoken& count) : all_(std::move(all)), count_(count) {}
    [[nodiscard]] int rank() const noexcept override { return all_->rank(); }
    [[nodiscard]] int size() const noexcept override { return all_->size(); }
    [[nodiscard]] std::string_view name() const noexcept override { return all_->name(); }
    [[nodiscard]] bool one_process() const noexcept override { return true; }
    [[nodiscard]] std::vector<int> machines() override { return all_->machines(); }
    void allgather(void const* mine, std::size_t bytes, void* all) override {
        ++count_.gathered;
        all_->allgather(mine, bytes, all);
    }
    void combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) override {
        ++count_.combined;
        all_->combine(maxima, sums);
    }
    void barrier() override {
        ++count_.gathered;
        all_->barrier();
    }
    [[nodiscard]] std::optional<std::string> departed(int rank) noexcept override { return all_->departed(rank); }

private:
    std::unique_ptr<bootstrap> all_;
    spoken& count_;
};

// Runs `plan` on n x n x n ranks and expects `wanted` of each.
void expect_spoken(int n, std::function<void(runtime&)> const& plan, spoken const& wanted) {
    run_as_threads(n * n * n, [&](std::unique_ptr<bootstrap> boot) {
        spoken count;
        runtime rt{std::make_unique<counted>(std::move(boot), count)};
        auto const& ranks = *rt.job().ranks;
        auto const before = count;
        auto const looked_up = ranks.looked_up();
        plan(rt);
        spoken const now{count.gathered - before.gathered, count.combined - before.combined, ranks.looked_up() - looked_up};
        EXPECT_EQ(now.gathered, wanted.gathered) << n << " cubed";
        EXPECT_EQ(now.combined, wanted.combined) << n << " cubed";
        EXPECT_EQ(now.looked_up, wanted.looked_up) << n << " cubed";
    });
}

TEST(setup_messages, of_a_halo_grow_with_its_neighbours) {
    for (int n : {3, 4, 5})
        expect_spoken(n,
                      [n](runtime& rt) {
                          grid<3> const g{rt, {2 * n, 2 * n, 2 * n}, {.nodes = {n, n, n}}};
                          array<double, 3> u{g, shadow{1}};
                          reflect_options options;
                          options.corners = true;
                          options.periodic = true;
                          options.channel = "pull"; // a plan of the same kind on every rank
                          auto const halo = reflect_init(options, u);
                      },
                      {.gathered = 0, .combined = 1, .looked_up = 26});
}

// One message to and from each of the 26 ranks around.
TEST(setup_messages, of_an_exchange_grow_with_its_peers) {
    for (int n : {3, 4, 5})
        expect_spoken(n,
                      [n](runtime& rt) {
                          std::vector<double> from(27), to(27);
                          std::vector<message_end> ends;
                          auto const one = datatype::contiguous(8);
                          int const me = rt.rank(), i = me / (n * n), j = me / n % n, k = me % n;
                          for (int d = 0; d < 27; ++d) {
                              auto const at = [n](int c, int step) { return (c + step + n) % n; };
                              auto const rank_at = [&](int sign) {
                                  return (at(i, sign * (d / 9 - 1)) * n + at(j, sign * (d / 3 % 3 - 1))) * n +
                                         at(k, sign * (d % 3 - 1));
                              };
                              if (d == 13) continue;
                              ends.push_back(send_init(&from[static_cast<std::size_t>(d)], one, rank_at(1), d));
                              ends.push_back(recv_init(&to[static_cast<std::size_t>(d)], one, rank_at(-1), d));
                          }
                          auto const x = exchange_init(rt, ends);
                      },
                      {.gathered = 0, .combined = 3, .looked_up = 3 * 26}); // the ends, their places, and the memory
}

} // namespace
} // namespace sode::internal::testing
