// SPDX-License-Identifier: Apache-2.0
// What a rank keeps when it has joined a job does not depend on how many ranks that has: what it allocates is counted, in jobs of
// 1,000, 10,000 and 100,000 ranks on machines of eight, of which the ranks of one machine are there.
#include "space/liveness.hpp"
#include "space/shared_machines.hpp"
#include "space/team.hpp"
#include "space/wait_table.hpp"
#include "support/counted_memory.hpp"
#include "support/mini_bootstrap.hpp"

#include <cstring>

namespace sode::internal::testing {
namespace {

constexpr int each = 8; // ranks of a machine

/// A job of many ranks, of which those of machine 1 are there. The others do what one of these does.
class large_job final : public bootstrap {
public:
    large_job(bootstrap& there, int ranks) : there_(there), ranks_(ranks) {}
    // Two machines side by side have each every other rank of sixteen: that takes a table, unless they are all.
    static int machine_of(int rank) noexcept { return rank / (2 * each) * 2 + rank % 2; }

    int rank() const noexcept override { return 2 * there_.rank() + 1; }
    int size() const noexcept override { return ranks_; }
    std::string_view name() const noexcept override { return "large job"; }
    bool one_process() const noexcept override { return there_.one_process(); }
    std::vector<int> machines() override {
        std::vector<int> list;
        for (int r = 0; r < ranks_; ++r) list.push_back(machine_of(r));
        return list;
    }
    void allgather(void const* mine, std::size_t bytes, void* all) override {
        std::vector<char> here(bytes * each);
        there_.allgather(mine, bytes, here.data());
        for (int r = 0; r < ranks_; ++r)
            std::memcpy(static_cast<char*>(all) + static_cast<std::size_t>(r) * bytes,
                        here.data() + static_cast<std::size_t>(r / 2 % each) * bytes, bytes);
    }
    void combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) override { there_.combine(maxima, sums); }

private:
    bootstrap& there_;
    int ranks_;
};

struct kept {
    std::size_t by_all = 0; ///< bytes
    std::size_t by_machines = 0;
    bool operator==(kept const&) const = default;
};

kept join(bootstrap& there, int ranks) {
    large_job boot{there, ranks};
    auto const before = held_bytes();
    auto const machines = shared_machines(boot);
    EXPECT_EQ(machines.table().size_bytes(), 8U * static_cast<unsigned>(ranks));
    kept found;
    found.by_machines = held_bytes() - before;
    auto const memory = make_space(boot, machines, std::size_t{1} << 20);
    liveness alive{boot, *memory};
    wait_table const waits{boot, *memory, false};
    team const all{boot, *memory, machines};
    int const peer = 2 * ((there.rank() + 1) % each) + 1;
    EXPECT_FALSE(alive.departed(peer));
    EXPECT_TRUE(waits.look_at(peer).has_value());
    EXPECT_FALSE(waits.look_at(0).has_value()) << "it is on another machine";
    found.by_all = held_bytes() - before;
    there.barrier();
    return found;
}

// A first time: what is made once for a process.
void join_all(bootstrap& there) {
    static_cast<void>(join(there, 160));
    auto const first = join(there, 1008);
    EXPECT_EQ(join(there, 10000), first);
    EXPECT_EQ(join(there, 100000), first);
    EXPECT_LT(first.by_machines, 256U) << "the table is not its own";
    EXPECT_GT(first.by_all, 200U) << "something is counted";
    EXPECT_LT(first.by_all, 8192U);
}

TEST(start_memory, is_independent_of_the_ranks) {
    run_processes(each, join_all);
}

} // namespace
} // namespace sode::internal::testing
