// SPDX-License-Identifier: Apache-2.0
// What the kernel reads out of the memory of other processes is what they gave, epoch after epoch; and ranks whose messages do not
// belong together all hear so.
#include "array/prepare_kernel_reads.hpp"
#include "model/job.hpp"
#include "support/ranks.hpp"

#include <sode/exchange.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace sode::internal::testing {
namespace {

long value(int source, int target, int round, std::size_t i) {
    return 1000003L * source + 10007L * target + 101L * round + static_cast<long>(i);
}

// From each rank to each other one another length, some none.
std::size_t length(int source, int target) {
    return static_cast<std::size_t>((source * 7 + target * 3) % 5) * 4099;
}

TEST(kernel_reads, bring_what_others_gave) {
    auto& rt = ranks();
    auto& j = rt.job();
    if (!j.ranks->machines().one()) GTEST_SKIP() << "several machines";
    int const p = rt.size(), me = rt.rank();
    std::vector<std::vector<long>> given(static_cast<std::size_t>(p)), got(given.size());
    std::vector<message_end> ends;
    for (int r = 0; r < p; ++r) {
        auto& out = given[static_cast<std::size_t>(r)] = std::vector<long>(length(me, r));
        auto& in = got[static_cast<std::size_t>(r)] = std::vector<long>(length(r, me));
        if (!out.empty()) ends.push_back(send_init(out.data(), datatype::contiguous(static_cast<index_t>(8 * out.size())), r));
        if (!in.empty()) ends.push_back(recv_init(in.data(), datatype::contiguous(static_cast<index_t>(8 * in.size())), r));
    }
    auto const run = prepare_kernel_reads(j, ends, "reads");
    if (!run) GTEST_SKIP() << "this kernel lets no process read another one's memory";
    for (int round = 0; round < 4; ++round) {
        for (int r = 0; r < p; ++r)
            for (std::size_t i = 0; i < given[static_cast<std::size_t>(r)].size(); ++i)
                given[static_cast<std::size_t>(r)][i] = value(me, r, round, i);
        run->start();
        run->wait();
        for (int r = 0; r < p; ++r)
            for (std::size_t i = 0; i < got[static_cast<std::size_t>(r)].size(); ++i)
                ASSERT_EQ(got[static_cast<std::size_t>(r)][i], value(r, me, round, i)) << "from " << r << ", round " << round;
    }
    if (p > 1) {
        EXPECT_NE(run->explain().find("kernel-read"), std::string::npos) << run->explain();
    }
}

TEST(kernel_reads, of_messages_that_do_not_belong_together_are_not_made) {
    auto& rt = ranks();
    auto& j = rt.job();
    int const p = rt.size(), right = (rt.rank() + 1) % p, left = (rt.rank() + p - 1) % p;
    std::vector<long> out(100), in(100);
    index_t const bytes = rt.rank() == 0 ? 792 : 800; // rank 0 gives less than is waited for
    std::vector const ends{send_init(out.data(), datatype::contiguous(bytes), right),
                           recv_init(in.data(), datatype::contiguous(800), left)};
    EXPECT_EQ(prepare_kernel_reads(j, ends, "reads"), nullptr);
    rt.barrier();
}

} // namespace
} // namespace sode::internal::testing
