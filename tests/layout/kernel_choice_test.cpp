// SPDX-License-Identifier: Apache-2.0
// Which instruction set moves what: every kernel belongs to a class, a choice survives being written and read, and a file that is
// missing, malformed, of other kernels or of another processor changes nothing.
#include "copy_arena.hpp"
#include "layout/kernel_choice.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace sode::internal {
namespace {

TEST(KernelChoice, EveryKernelHasTheClassOfItsBlock) {
    EXPECT_EQ(class_of_kernel(mixed_kernel), kernel_class::lists);
    for (int first : {first_nest_kernel, first_twin_kernel}) {
        auto const at = [&](block_unit u) { return class_of_kernel(first + static_cast<int>(u)); };
        EXPECT_EQ(at(block_unit::bytes8), kernel_class::words);
        EXPECT_EQ(at(block_unit::pair4), kernel_class::words);
        EXPECT_EQ(at(block_unit::pair8), kernel_class::short_blocks);
        EXPECT_EQ(at(block_unit::bytes48), kernel_class::short_blocks);
        EXPECT_EQ(at(block_unit::bytes64), kernel_class::rows);
        EXPECT_EQ(at(block_unit::row), kernel_class::rows);
        EXPECT_EQ(at(block_unit::long_row), kernel_class::long_rows);
        EXPECT_EQ(at(block_unit::big), kernel_class::big);
    }
    for (int k = first_tiled_kernel; k < first_segments_kernel; ++k) EXPECT_EQ(class_of_kernel(k), kernel_class::tiles);
    for (int first : {first_segments_kernel, first_hops_kernel, first_gather_kernel, first_scatter_kernel}) {
        EXPECT_EQ(class_of_kernel(first), kernel_class::lists);
        EXPECT_EQ(class_of_kernel(first + tiled_units - 1), kernel_class::lists);
        EXPECT_EQ(class_of_kernel(first + tiled_units), kernel_class::rows);
        EXPECT_EQ(class_of_kernel(first + block_units - 1), kernel_class::big);
    }
}

// Each class by another set than its neighbours, as far as there are several.
kernel_choice mixed() {
    auto const sets = supported_kernel_sets();
    kernel_choice choice;
    for (std::size_t i = 0; i < kernel_classes; ++i) choice.sets[i] = sets[i % sets.size()];
    return choice;
}

TEST(KernelChoice, SurvivesBeingWritten) {
    for (auto const& choice : {usual_kernels(), mixed()}) {
        auto const back = read_kernels(write_kernels(choice, "a processor"), "a processor");
        ASSERT_TRUE(back);
        EXPECT_TRUE(*back == choice);
    }
}

TEST(KernelChoice, WhatIsNotOfThisProcessorIsIgnored) {
    auto const text = write_kernels(mixed(), "a processor");
    EXPECT_FALSE(read_kernels(text, "another processor"));
    EXPECT_FALSE(read_kernels("", "a processor"));
    EXPECT_FALSE(read_kernels(text + "more\n", "a processor"));
    EXPECT_FALSE(read_kernels(text + std::string(1 << 20, '\n'), "a processor"));
    for (std::size_t end = 0; end + 1 < text.size(); ++end)
        EXPECT_FALSE(read_kernels(std::string_view{text}.substr(0, end), "a processor")) << end;
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto wrong = text;
        wrong[i] = '?';
        EXPECT_FALSE(read_kernels(wrong, "a processor")) << i;
    }
}

TEST(KernelChoice, AFileThatCannotBeUsedChangesNothing) {
    auto const folder = std::filesystem::temp_directory_path() / ("sode-kernels-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    auto const file = (folder / "kernels").string();
    EXPECT_FALSE(load_kernels(""));
    EXPECT_FALSE(load_kernels(file));
    EXPECT_FALSE(load_kernels(folder.string()));
    std::ofstream{file} << std::string(1 << 20, 'x');
    EXPECT_FALSE(load_kernels(file));
    std::ofstream{file} << write_kernels(mixed(), "another processor");
    EXPECT_FALSE(load_kernels(file));
    std::ofstream{file} << write_kernels(mixed(), processor_key());
    auto const loaded = load_kernels(file);
    ASSERT_TRUE(loaded);
    EXPECT_TRUE(*loaded == mixed());
    std::filesystem::remove_all(folder);
}

TEST(KernelChoice, TheTableHasTheKernelsOfTheChoice) {
    for (int k = own_kernels; k < kernel_count; ++k)
        EXPECT_EQ(copy_kernels()[k], kernels_in_force().of(class_of_kernel(k)).kernels[k - own_kernels]) << k;
}

TEST(KernelChoice, AProbeOfOneCoreLeavesClaimsAndStringsAlone) {
    auto const probed = probed_kernel_sets();
    EXPECT_EQ(probed.front(), supported_kernel_sets().front());
    for (auto const* set : probed) {
        EXPECT_STRNE(set->name, "strings");
        EXPECT_TRUE(set != &baseline_kernels || probed.size() == 1);
    }
}

TEST(KernelChoice, StringsMoveBigBlocksOrNothing) {
    auto const choice = usual_kernels();
    for (std::size_t c = 0; c < kernel_classes; ++c) {
        if (choice.sets[c] == supported_kernel_sets().front()) continue;
        EXPECT_STREQ(choice.sets[c]->name, "strings");
        EXPECT_EQ(static_cast<kernel_class>(c), kernel_class::big);
    }
}

} // namespace
} // namespace sode::internal
