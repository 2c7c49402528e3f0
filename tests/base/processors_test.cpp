// SPDX-License-Identifier: Apache-2.0
// Lists of processors are read as they are written, and threads are bound to them.
#include "base/processors.hpp"

#include <sode/error.hpp>

#include <gtest/gtest.h>
#include <thread>

namespace sode::internal {
namespace {

TEST(ProcessorSet, ReadsWhatItWrites) {
    for (std::string const list : {"0", "0-3", "0-3,8", "1,3,5", "63-64,1000"})
        EXPECT_EQ(processor_set::parse(list).to_string(), list);
    EXPECT_EQ(processor_set::parse("3,1,2").to_string(), "1-3");
    EXPECT_EQ(processor_set{}.to_string(), "");
}

TEST(ProcessorSet, RefusesWhatIsNoList) {
    for (std::string const list : {"", ",", "0,", "a", "0-", "-1", "3-1", "0 1", "99999999", "1;2"})
        EXPECT_THROW(static_cast<void>(processor_set::parse(list)), error) << list;
}

TEST(ProcessorSet, Unites) {
    processor_set set = processor_set::parse("0,70");
    set |= processor_set::parse("1");
    EXPECT_EQ(set.count(), 3);
    EXPECT_EQ(set.numbers(), (std::vector{0, 1, 70}));
    EXPECT_TRUE(set.contains(70));
    EXPECT_FALSE(set.contains(71));
    EXPECT_FALSE(set.contains(-1));
    EXPECT_FALSE(set.contains(100000));
}

TEST(ProcessorSet, BindsAThread) {
    auto const before = processor_set::of_this_thread();
    ASSERT_GE(before.count(), 1);
    processor_set one;
    one.insert(before.numbers().back());
    std::thread{[&] {
        EXPECT_TRUE(one.bind_this_thread());
        EXPECT_EQ(processor_set::of_this_thread().to_string(), one.to_string());
        EXPECT_EQ(usable_processors(), 1);
    }}.join();
    EXPECT_EQ(processor_set::of_this_thread().to_string(), before.to_string());
}

} // namespace
} // namespace sode::internal
