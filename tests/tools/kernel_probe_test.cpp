// SPDX-License-Identifier: Apache-2.0
// Which kernels `sode tune` chooses by what they took: recorded times, and that copies are of the classes that they are said to be
// of.
#include "tune/kernel_probe.hpp"

#include <gtest/gtest.h>

namespace sode::internal::tools {
namespace {

kernel_times recorded(std::vector<std::vector<double>> const& rows) {
    kernel_times times;
    for (auto& of_class : times) of_class.assign(8, {100, 100});
    times[static_cast<std::size_t>(kernel_class::rows)] = rows;
    return times;
}

std::vector<kernel_set const*> two_sets() {
    static kernel_set const other{"other", {}};
    return {&baseline_kernels, &other};
}

TEST(KernelProbe, TakesWhatIsFasterAndStaysElsewhere) {
    auto const sets = two_sets();
    auto const choice = choose_kernels(recorded({{100, 80}, {110, 81}, {90, 79}, {100, 83}}), sets);
    EXPECT_EQ(&choice.of(kernel_class::rows), sets[1]);
    EXPECT_EQ(&choice.of(kernel_class::words), sets[0]);
    EXPECT_EQ(&choice.of(kernel_class::tiles), sets[0]);
}

TEST(KernelProbe, AFewPercentAndNoiseDecideNothing) {
    auto const sets = two_sets();
    EXPECT_EQ(&choose_kernels(recorded({{100, 95}, {100, 96}, {100, 94}, {100, 95}}), sets).of(kernel_class::rows), sets[0]);
    EXPECT_EQ(&choose_kernels(recorded({{100, 50}, {100, 60}, {100, 130}, {100, 140}}), sets).of(kernel_class::rows), sets[0]);
    EXPECT_EQ(&choose_kernels(kernel_times{}, sets).of(kernel_class::rows), sets[0]);
}

TEST(KernelProbe, CopiesAreOfTheirClasses) {
    std::vector<bool> seen(kernel_classes);
    for (auto const& c : probed_copies()) {
        auto const p = compile(c.source, c.target);
        EXPECT_EQ(to_string(class_of_kernel(p.kernel)), to_string(c.of)) << int{p.kernel};
        EXPECT_LE(c.source.extent().second, 256 << 10);
        EXPECT_LE(c.target.extent().second, 256 << 10);
        seen[static_cast<std::size_t>(c.of)] = true;
    }
    for (bool const s : seen) EXPECT_TRUE(s);
}

TEST(KernelProbe, EndsWithAnswers) {
    auto const sets = probed_kernel_sets();
    auto const times = probe_kernels(sets, 0);
    for (auto const& of_class : times) {
        ASSERT_FALSE(of_class.empty());
        for (double const ns : of_class.front()) EXPECT_GT(ns, 0);
    }
    EXPECT_FALSE(kernels_in_words(choose_kernels(times, sets)).empty());
}

} // namespace
} // namespace sode::internal::tools
