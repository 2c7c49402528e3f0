// SPDX-License-Identifier: Apache-2.0
// Files that are written as a whole or not at all, also where somebody means ill; and those that can be read.
#include "base/whole_file.hpp"

#include "base/file_beside.hpp"

#include <sode/error.hpp>

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace sode::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class WholeFile : public ::testing::Test {
protected:
    void SetUp() override { std::filesystem::create_directories(folder_); }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::string file(std::string const& name) const { return (folder_ / name).string(); }
    void put(std::string const& name, std::string const& text) const { std::ofstream{file(name)} << text; }
    /// What is there besides "file".
    [[nodiscard]] std::set<std::string> others() const {
        std::set<std::string> names;
        for (auto const& entry : std::filesystem::directory_iterator{folder_})
            if (entry.path().filename() != "file") names.insert(entry.path().filename());
        return names;
    }

private:
    std::filesystem::path folder_ = std::filesystem::temp_directory_path() / fmt::format("sode-whole-file-{}", getpid());
};

std::string refusal(std::string const& file, std::size_t most = 1000) {
    try {
        static_cast<void>(read_file(file, "profile", most));
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::usage);
        return e.what();
    }
    return "none";
}

TEST_F(WholeFile, IsThereWhenItIsComplete) {
    put("file", "old");
    {
        new_file fresh{file("file"), "trace"};
        fresh.write("new");
        EXPECT_EQ(read_file(file("file"), "trace"), "old");
        fresh.commit();
    }
    EXPECT_EQ(read_file(file("file"), "trace"), "new");
    { new_file{file("file"), "trace"}.write("never committed"); }
    EXPECT_EQ(read_file(file("file"), "trace"), "new");
    EXPECT_THAT(others(), IsEmpty());
}

TEST_F(WholeFile, IsNotWrittenThroughALinkThatWasWaiting) {
    put("victim", "precious");
    std::filesystem::create_symlink("victim", file(fmt::format("file.{}.new", getpid())));
    replace_file(file("file"), "trace", "text");
    EXPECT_EQ(read_file(file("victim"), "victim"), "precious");
    EXPECT_EQ(read_file(file("file"), "trace"), "text");
}

TEST_F(WholeFile, IsMadeUnderANameThatNobodyKnowsBefore) {
    std::set<std::string> names;
    for (int i = 0; i < 100; ++i) {
        auto const made = make_file_beside(file("file"), "new");
        EXPECT_TRUE(made.fd);
        struct stat status {};
        EXPECT_EQ(::lstat(made.name.c_str(), &status), 0);
        EXPECT_TRUE(S_ISREG(status.st_mode));
        names.insert(made.name);
    }
    EXPECT_EQ(names.size(), 100U);
    put("file.0123456789abcdeg.new", "another's");
    put("other.0123456789abcdef.new", "another's");
    put("file.0123456789abcdef.part", "another's");
    remove_files_beside(file("file"), "new");
    EXPECT_THAT(others(),
                ::testing::ElementsAre("file.0123456789abcdef.part", "file.0123456789abcdeg.new", "other.0123456789abcdef.new"));
}

TEST_F(WholeFile, SaysWhyItCannotBeRead) {
    EXPECT_THAT(refusal(file("none")), HasSubstr("No such file"));
    EXPECT_THAT(refusal(file(".")), HasSubstr("the path is a folder"));
    ASSERT_EQ(::mkfifo(file("pipe").c_str(), 0600), 0);
    EXPECT_THAT(refusal(file("pipe")), HasSubstr("the path is a device, a pipe or a socket"));
    EXPECT_THAT(refusal("/dev/zero"), HasSubstr("the path is a device, a pipe or a socket"));
    put("file", std::string(1001, 'x'));
    EXPECT_THAT(refusal(file("file")), HasSubstr("the file is longer than 1000 B"));
    put("file", std::string(1000, 'x'));
    EXPECT_EQ(refusal(file("file")), "none");
}

} // namespace
} // namespace sode::internal
