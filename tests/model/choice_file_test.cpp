// SPDX-License-Identifier: Apache-2.0
// What was learnt of messages, between runs.
#include "model/choice_file.hpp"

#include <sode/error.hpp>

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace sode::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

measured_choice choice(std::uint64_t pattern, double us) {
    measured_choice c{.pattern = pattern, .ns = {}, .bytes = 8192, .rows = 1024, .far = pattern % 2 != 0};
    c.ns[0] = 1e3 * us;
    c.ns[4] = 2e3 * us;
    return c;
}

class ChoiceFile : public ::testing::Test {
protected:
    std::filesystem::path const folder =
        std::filesystem::temp_directory_path() / fmt::format("sode-choices-{}", static_cast<int>(::getpid()));
    std::string const file = folder / "choices.json";
    void SetUp() override { std::filesystem::create_directories(folder); }
    void TearDown() override { std::filesystem::remove_all(folder); }
    void write(std::string_view text) const { std::ofstream{file} << text; }
};

std::string refusal(std::string_view text) {
    try {
        static_cast<void>(read_choices(text, "FILE"));
    } catch (error const& e) {
        return e.what();
    }
    return "taken";
}

TEST_F(ChoiceFile, GivesBackWhatWasWritten) {
    EXPECT_FALSE(load_choices(file));
    save_choices(file, "a \"CPU\"; MPI", {choice(1, 1.5), choice(0xffffffffffffffff, 0.25)});
    save_choices(file, "another", {choice(7, 2)});
    save_choices(file, "a \"CPU\"; MPI", {choice(1, 3)});
    auto const book = load_choices(file);
    ASSERT_TRUE(book);
    auto const* const first = book->of("a \"CPU\"; MPI");
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(*first, (std::vector{choice(0xffffffffffffffff, 0.25), choice(1, 3)}));
    EXPECT_THAT(*book->of("another"), SizeIs(1));
    EXPECT_EQ(book->of("a third"), nullptr);
}

TEST_F(ChoiceFile, StaysSmall) {
    choice_book book;
    for (std::size_t i = 0; i < 3 * choice_book::most_choices; ++i) book.add("one", {choice(i + 1, 1)});
    EXPECT_THAT(book.pages[0].choices, SizeIs(choice_book::most_choices));
    EXPECT_EQ(book.pages[0].choices.back().pattern, 3 * choice_book::most_choices);
    std::vector<measured_choice> many;
    for (std::size_t i = 0; i < choice_book::most_choices; ++i) many.push_back(choice(i + 1, 123456));
    for (std::size_t i = 0; i < 3 * choice_book::most_machines; ++i) book.add(fmt::format("machine {}", i), many);
    EXPECT_THAT(book.pages, SizeIs(choice_book::most_machines));
    write(write_choices(book));
    EXPECT_TRUE(load_choices(file)) << "what is full can still be read";
}

TEST_F(ChoiceFile, RefusesWhatIsNone) {
    EXPECT_THAT(refusal(""), HasSubstr("FILE is not a file of choices"));
    EXPECT_THAT(refusal("{}"), HasSubstr("sode_choices"));
    EXPECT_THAT(refusal(R"({"sode_choices": 2, "machines": []})"), HasSubstr("another version"));
    EXPECT_THAT(refusal(std::string(100'000, '[')), HasSubstr("nested too deeply"));
    auto const with = [](std::string_view c) {
        return refusal(fmt::format(R"({{"sode_choices": 1, "machines": [{{"machine": "m", "choices": [{}]}}]}})", c));
    };
    EXPECT_EQ(with(R"({"pattern": "1f", "us": {"plain": 1}})"), "taken");
    EXPECT_THAT(with(R"({"pattern": "1g", "us": {"plain": 1}})"), HasSubstr("not a pattern"));
    EXPECT_THAT(with(R"({"pattern": "1f", "us": {"plane": 1}})"), HasSubstr("not a path"));
    EXPECT_THAT(with(R"({"pattern": "1f", "us": {"plain": -1}})"), HasSubstr("took -1"));
    EXPECT_THAT(with(R"({"pattern": "1f", "us": {"plain": "1"}})"), HasSubstr("not a file of choices"));
    EXPECT_THAT(with(R"({"pattern": 1, "us": {}})"), HasSubstr("not a file of choices"));
    EXPECT_THAT(with("7"), HasSubstr("not a file of choices"));
}

TEST_F(ChoiceFile, IsNeverSeenHalf) {
    save_choices(file, "m", {choice(1, 1)});
    std::jthread const writer{[&](std::stop_token const& end) {
        for (std::uint64_t i = 1; !end.stop_requested(); ++i) save_choices(file, "m", {choice(i % 100 + 1, 1)});
    }};
    for (int i = 0; i < 200; ++i) EXPECT_TRUE(load_choices(file));
}

TEST_F(ChoiceFile, ThatIsNoneIsNotOverwritten) {
    write("my thesis");
    EXPECT_THROW(save_choices(file, "m", {choice(1, 1)}), error);
    std::string text;
    std::getline(std::ifstream{file}, text);
    EXPECT_EQ(text, "my thesis");
}

TEST(PatternKey, IsOfWhatMessagesHaveInCommon) {
    message_features m;
    m.bytes = 8192;
    m.source.rows = 1024;
    auto const key = pattern_key(m);
    m.target.rows = 3; // which a sender does not know
    EXPECT_EQ(pattern_key(m), key);
    m.apart = distance::far;
    EXPECT_NE(pattern_key(m), key);
    m.apart = distance::near;
    m.reachable = true;
    EXPECT_NE(pattern_key(m), key);
}

} // namespace
} // namespace sode::internal
