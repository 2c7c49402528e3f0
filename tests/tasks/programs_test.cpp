// SPDX-License-Identifier: Apache-2.0
// What programs may be, and may do, as tasks.
#include "needs_tasks.hpp"
#include "task_run.hpp"

#include <sode/error.hpp>

#include <array>
#include <cstdlib>
#include <elf.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

class daily : public needs_tasks, public ::testing::WithParamInterface<char const*> {};

TEST_P(daily, works_as_in_any_process) {
    ASSERT_EQ(std::system(fmt::format("test \"$({} {})\" = ok", program_path("daily"), GetParam()).c_str()), 0) << "not even alone";
    task_house tasks;
    std::vector<std::unique_ptr<task_run>> runs;
    for (int i = 0; i < 3; ++i)
        runs.push_back(std::make_unique<task_run>(tasks, program_path("daily"), std::vector<std::string>{GetParam()}));
    for (auto const& run : runs) {
        EXPECT_EQ(run->wait(), 0);
        EXPECT_EQ(run->output(), "ok\n");
    }
}
INSTANTIATE_TEST_SUITE_P(all, daily,
                         ::testing::Values("fork", "exec", "vfork", "spawn", "system", "popen", "thread", "throw", "async",
                                           "openmp", "dlopen", "signal", "break", "stack", "mix", "execstack"),
                         [](auto const& what) { return std::string{what.param}; });

class linked : public needs_tasks, public ::testing::WithParamInterface<char const*> {};

TEST_P(linked, runs_however_it_was_linked) {
    task_house tasks;
    task_run run{tasks, program_path(GetParam())};
    auto const line = run.line();
    EXPECT_EQ(line.substr(0, line.find(' ')), std::to_string(run.task().pid));
    EXPECT_EQ(run.wait(), 0);
}
INSTANTIATE_TEST_SUITE_P(all, linked,
                         ::testing::Values("identity", "identity_static", "identity_static_huge", "identity_huge", "identity_now",
                                           "identity_execstack"),
                         [](auto const& what) { return std::string{what.param}; });

class libraries : public needs_tasks {};

TEST_F(libraries, are_found_beside_the_program) {
    task_house tasks;
    task_run run{tasks, program_path("loads"), {"word"}};
    EXPECT_EQ(run.wait(), 0);
    EXPECT_EQ(run.output(), program_path("loads") + " 2 1 alone\n");
}

TEST_F(libraries, are_found_where_the_environment_says) {
    task_house tasks;
    auto order = task_run::order_for(program_path("loads"));
    order.argv[0] = "another name";
    order.env.push_back("LD_LIBRARY_PATH=" + program_path("elsewhere"));
    order.env.push_back("LD_PRELOAD=" + program_path("libpreloaded.so"));
    task_run run{tasks, order};
    EXPECT_EQ(run.wait(), 0);
    // The runpath of a program comes after LD_LIBRARY_PATH.
    EXPECT_EQ(run.output(), "another name 1 3 in company\n");
    order.env.pop_back();
    task_run alone{tasks, order};
    EXPECT_EQ(alone.wait(), 0);
    EXPECT_EQ(alone.output(), "another name 1 2 alone\n");
}

class scripts : public needs_tasks {
protected:
    std::string write(std::string const& text) {
        path_ = fmt::format("{}/task_script_{}", ::testing::TempDir(), ::getpid());
        std::ofstream{path_} << text;
        ::chmod(path_.c_str(), 0755);
        return path_;
    }
    void TearDown() override { std::filesystem::remove(path_); }

private:
    std::string path_ = "none";
};

TEST_F(scripts, are_run_by_their_interpreter) {
    task_house tasks;
    auto const script = write("#!/bin/sh -e\necho $0 $# \"$1\" $2\nfalse\necho not here\n");
    task_run run{tasks, script, {"a b", "c"}};
    EXPECT_NE(run.wait(), 0);
    EXPECT_EQ(run.output(), script + " 2 a b c\n");
}

TEST_F(scripts, that_run_themselves_are_refused) {
    task_house tasks;
    auto const script = write("x");
    (void)write("#!" + script + "\n");
    EXPECT_THROW((task_run{tasks, script}), error);
}

/// Programs that cannot be tasks, and what is said of them.
class refused : public scripts {
protected:
    std::string message(std::string const& path) {
        task_house tasks;
        try {
            (void)tasks.start(task_run::order_for(path));
        } catch (error const& caught) {
            EXPECT_EQ(caught.kind(), error_kind::usage);
            return caught.what();
        }
        return "started";
    }
    /// A copy of a good program with some bytes of its header changed.
    std::string forged(void (*change)(Elf64_Ehdr&)) {
        std::ifstream good{program_path("identity"), std::ios::binary};
        std::string bytes{std::istreambuf_iterator<char>{good}, {}};
        Elf64_Ehdr header;
        std::memcpy(&header, bytes.data(), sizeof header);
        change(header);
        std::memcpy(bytes.data(), &header, sizeof header);
        return write(bytes);
    }
};

TEST_F(refused, fixed_addresses) {
    EXPECT_THAT(message(program_path("identity_fixed")), HasSubstr("build the program with -fPIE -pie"));
}
TEST_F(refused, another_machine) {
    EXPECT_THAT(message(forged([](Elf64_Ehdr& header) { header.e_machine = EM_AARCH64; })), HasSubstr("64-bit ARM"));
}
TEST_F(refused, another_word_size) {
    EXPECT_THAT(message(forged([](Elf64_Ehdr& header) { header.e_ident[EI_CLASS] = ELFCLASS32; })), HasSubstr("64-bit"));
}
TEST_F(refused, object_files) {
    EXPECT_THAT(message(forged([](Elf64_Ehdr& header) { header.e_type = ET_REL; })), HasSubstr("object file"));
}
TEST_F(refused, damaged_headers) {
    EXPECT_THAT(message(forged([](Elf64_Ehdr& header) { header.e_phoff = 1U << 30U; })), HasSubstr("damaged"));
    EXPECT_THAT(message(forged([](Elf64_Ehdr& header) { header.e_phnum = 0; })), HasSubstr("damaged"));
    EXPECT_THAT(message(forged([](Elf64_Ehdr& header) { header.e_phoff += 8; })), HasSubstr("cannot start"));
    EXPECT_THAT(message(write(std::string{ELFMAG, SELFMAG} + "...")), HasSubstr("damaged"));
}
TEST_F(refused, set_user_id) {
    auto const copy = forged([](Elf64_Ehdr&) {});
    ::chmod(copy.c_str(), 04755);
    EXPECT_THAT(message(copy), HasSubstr("set-user-id"));
}
TEST_F(refused, what_is_no_program) {
    EXPECT_THAT(message("/no/such/program"), HasSubstr("No such file"));
    EXPECT_THAT(message("/tmp"), HasSubstr("not a regular file"));
    EXPECT_THAT(message("/etc/passwd"), HasSubstr("Permission denied"));
    EXPECT_THAT(message(write("just words")), HasSubstr("neither an ELF program nor a script"));
    EXPECT_THAT(message(write("")), HasSubstr("neither an ELF program nor a script"));
}
TEST_F(refused, a_library) {
    EXPECT_THAT(message(program_path("libpreloaded.so")), HasSubstr("library"));
}
TEST_F(refused, leaves_room_for_the_next) {
    task_house tasks{{.capacity = 1}};
    for (int i = 0; i < 3; ++i) EXPECT_THROW((void)tasks.start(task_run::order_for("/no/such/program")), error);
    task_run run{tasks, "/bin/true"};
    EXPECT_EQ(run.wait(), 0);
}

} // namespace
} // namespace sode::internal::testing
