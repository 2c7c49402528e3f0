// SPDX-License-Identifier: Apache-2.0
// The same of faces that are sent to another machine: segments are packed while others are under way, and unpacked while others are
// still to be packed. The emulated devices hold each other up by files.
#include "device/emulated/emulated_device.hpp"
#include "model/job.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sched.h>
#include <unistd.h>

namespace sode::internal::testing {
namespace {

/// Something that has happened, for all processes of a machine to see.
class moment {
public:
    moment(runtime& rt, std::string const& name) {
        int const own = ::getpid();
        std::vector<int> all(static_cast<std::size_t>(rt.size()));
        rt.job().boot->allgather(&own, sizeof own, all.data());
        path_ = std::filesystem::temp_directory_path() / ("sode-" + name + std::to_string(all.front()));
    }
    ~moment() {
        std::error_code none;
        std::filesystem::remove(path_, none);
    }
    moment(moment const&) = delete;
    moment& operator=(moment const&) = delete;

    void comes() const { std::ofstream{path_}; }
    void await() const {
        while (!std::filesystem::exists(path_)) sched_yield();
    }

private:
    std::filesystem::path path_;
};

TEST(MessagePipeline, PacksAndUnpacksWhileItSends) {
    auto& rt = ranks();
    bool const cheap = std::getenv("SODE_PROFILE") != nullptr; // turns_cost_nothing.json
    if (!cheap || rt.size() != 2 || rt.job().ranks->machines().machines() != 2) GTEST_SKIP() << "two machines, and cheap turns";
    constexpr index_t layers = 1024;
    grid<1> g{rt, {layers * rt.size()}};
    array<float, 1> on_host{g, shadow{{layers, 0}}}, got{g, shadow{{layers, 0}}};
    loop(g.all(), [v = *on_host](index_t i) { v(i) = static_cast<float>(i); });
    array<float, 1, sode::device> u{g, shadow{{layers, 0}}, 0.F, "u"};
    upload(on_host, u);
    auto halo = reflect_init(u);
    if (rt.rank() > 0) {
        EXPECT_THAT(halo.explain(), ::testing::ContainsRegex("mpi .* 64 segments"));
    }
    moment const some_packed{rt, "packed"}, one_unpacked{rt, "unpacked"};
    auto& device = dynamic_cast<watched_device&>(rt.job().need_device());
    // Rank 1 takes nothing before rank 0 has packed five, and rank 0 packs the twentieth only when rank 1 takes the first.
    int n = 0;
    device.watch([&](copy_program const&, std::byte const*) {
        ++n;
        if (rt.rank() == 0 && n == 6) some_packed.comes();
        if (rt.rank() == 0 && n == 20) one_unpacked.await();
        if (rt.rank() == 1 && n == 1) {
            some_packed.await();
            one_unpacked.comes();
        }
    });
    halo();
    device.watch({});
    EXPECT_EQ(n, 64);
    download(u, got);
    auto const v = *got;
    for (index_t i = v.lower(0); i < v.upper(0); ++i)
        if (i >= 0) {
            ASSERT_EQ(v(i), static_cast<float>(i));
        }
    rt.barrier(); // the moments are over
}

} // namespace
} // namespace sode::internal::testing
