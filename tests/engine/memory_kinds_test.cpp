// SPDX-License-Identifier: Apache-2.0
// A plan gets memory of the kinds that it asks for: pinned pages are locked, a device's are whose provider says so, and what cannot
// be had is refused by name.
#include "engine/one_rank.hpp"
#include "plan/builder.hpp"
#include "support/message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <thread>

#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sode::internal::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Kilobytes that this process has locked.
long locked() {
    std::ifstream status{"/proc/self/status"};
    for (std::string word; status >> word;)
        if (word == "VmLck:") {
            long n = -1;
            status >> n;
            return n;
        }
    return -1;
}

/// Memory that looks like a device's to whoever asks: plain pages that are counted.
class fake_device final : public memory_provider {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "fake"; }
    [[nodiscard]] std::byte* allocate(std::size_t bytes) override {
        return all.emplace_back(std::make_unique<std::byte[]>(bytes)).get();
    }
    void release(std::byte* block, std::size_t) noexcept override {
        std::erase_if(all, [&](auto const& one) { return one.get() == block; });
    }
    [[nodiscard]] handle tell(std::byte*) override { return {}; }
    [[nodiscard]] std::byte* open(int, handle const&) override { return nullptr; }

    std::vector<std::unique_ptr<std::byte[]>> all;
};

// Sanitizers take mlock for themselves, and lock nothing.
bool pages_can_be_locked() {
    alignas(4096) static std::byte page[4096];
    auto const before = locked();
    bool const done = mlock(page, sizeof page) == 0 && locked() > before;
    munlock(page, sizeof page);
    return done;
}

class memory_kinds_test : public ::testing::Test, protected one_rank {
protected:
    memory_kinds_test() : one_rank(256) {}

    // What is in the array goes through a stage and a scratch of that kind, one behind host memory, and a line of that kind says
    // so.
    static plan through(memory_kind kind) {
        plan_builder b{"what goes through", 0, 1};
        auto& p = b.target();
        p.own_lines = 2, p.own_stage = 128, p.own_scratch = 96;
        own_part const part{.lines = 1, .stage = 64, .scratch = 32};
        if (kind == memory_kind::pinned) p.own_pinned = part;
        if (kind == memory_kind::device) p.own_device = part;
        auto const s = b.add_stream(-1), t = b.add_stream(-1);
        auto const array = b.add(buffer{.host = 0, .bytes = 256});
        auto const stage = b.add(buffer{.host = 0, .role = buffer_role::stage, .offset = 64, .bytes = 64, .memory = kind});
        auto const plain = b.add(buffer{.host = 0, .role = buffer_role::stage, .bytes = 64});
        auto const scratch = b.add(buffer{.host = 0, .role = buffer_role::scratch, .offset = 64, .bytes = 32, .memory = kind});
        auto const line = b.add(counter{.host = 0, .writer = 0, .index = 0, .memory = kind});
        auto const program = [] { return compile(contiguous(0, 32), contiguous(0, 32)); };
        b.copy(s, operation::copy, stage, array, program());
        b.copy(s, operation::copy, scratch, stage, program());
        b.copy(s, operation::copy, plain, scratch, program()).signal = line;
        auto& last = b.copy(t, operation::copy, array, plain, program());
        last.trigger = line;
        last.dst_offset = 100;
        return b.finish();
    }
    std::unique_ptr<prepared> make(plan p, memory_provider* device = nullptr) {
        auto terms = around();
        terms.device = device;
        bound_array const arrays[] = {{{array_, nullptr}}};
        return std::make_unique<prepared>(std::move(p), terms, plan_terms{.arrays = arrays, .fingerprint = 1});
    }
    void expect_runs(prepared& run) {
        for (int salt : {3, 90}) {
            for (int i = 0; i < 32; ++i) array_[i] = static_cast<std::byte>(7 * i + salt);
            run.start();
            run.wait();
            EXPECT_TRUE(std::equal(array_, array_ + 32, array_ + 100));
        }
    }
};

TEST_F(memory_kinds_test, pinned_memory_is_locked_as_long_as_the_plan_lives) {
    if (!pages_can_be_locked()) GTEST_SKIP() << "nothing is locked here";
    auto const before = locked();
    {
        auto run = make(through(memory_kind::pinned));
        auto const pages = static_cast<long>(sysconf(_SC_PAGESIZE)) / 1024;
        EXPECT_EQ(locked(), before + pages);
        auto other = make(through(memory_kind::pinned));
        EXPECT_EQ(locked(), before + 2 * pages) << "each has pages of its own";
        expect_runs(*run);
        expect_runs(*other);
        other.reset();
        EXPECT_EQ(locked(), before + pages);
        expect_runs(*run);
    }
    EXPECT_EQ(locked(), before);
}

// Without the privilege to lock as much as one likes, and at a limit of nothing.
TEST_F(memory_kinds_test, a_limit_is_named) {
    if (!pages_can_be_locked()) GTEST_SKIP() << "nothing is locked here";
    std::string text;
    rlimit most{};
    ASSERT_EQ(getrlimit(RLIMIT_MEMLOCK, &most), 0);
    rlimit const nothing{0, most.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_MEMLOCK, &nothing), 0);
    std::thread{[&] { // privileges are a thread's
        __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
        __user_cap_data_struct data[2]{};
        if (syscall(SYS_capget, &header, data) == 0) {
            data[0].effective &= ~(1U << CAP_IPC_LOCK);
            EXPECT_EQ(syscall(SYS_capset, &header, data), 0);
        }
        text = message([&] { return make(through(memory_kind::pinned)), 0; }, error_kind::environment);
    }}
        .join();
    ASSERT_EQ(setrlimit(RLIMIT_MEMLOCK, &most), 0);
    EXPECT_THAT(text, AllOf(HasSubstr("cannot lock 4096 bytes of memory (mlock: "), HasSubstr("raise `ulimit -l` (now 0 KiB)")));
    expect_runs(*make(through(memory_kind::pinned)));
}

TEST_F(memory_kinds_test, device_memory_comes_from_who_has_it) {
    EXPECT_THAT(message([&] { return make(through(memory_kind::device)), 0; }, error_kind::environment),
                AllOf(HasSubstr("what goes through needs device memory (this rank has no memory of this kind)"),
                      HasSubstr("plan the communication in pinned memory, or in host memory")));
    fake_device device;
    auto run = make(through(memory_kind::device), &device);
    EXPECT_EQ(device.all.size(), 1U);
    expect_runs(*run);
    auto const* const line = reinterpret_cast<std::byte const*>(run->places().counter(1, 0));
    EXPECT_EQ(line, device.all[0].get());
    EXPECT_EQ(run->places().buffer(1, 0), device.all[0].get() + 128) << "the stage, behind the line";
    EXPECT_TRUE(std::equal(array_, array_ + 32, device.all[0].get() + 128)) << "it went through there";
    run.reset();
    EXPECT_TRUE(device.all.empty());
}

TEST_F(memory_kinds_test, an_array_is_in_the_memory_that_it_was_planned_for) {
    auto p = through(memory_kind::host);
    p.buffers[0].memory = memory_kind::device;
    EXPECT_THAT(message([&] { return make(std::move(p)), 0; }, error_kind::usage),
                HasSubstr("array 0 of what goes through is in host memory (the exchange was planned for device memory)"));
}

} // namespace
} // namespace sode::internal::testing
