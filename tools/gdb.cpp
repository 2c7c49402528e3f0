// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include "base/system_error.hpp"
#include "base/unique_fd.hpp"
#include "debug/running_tasks.hpp"
#include "debug/symbol_files.hpp"
#include "launch/become.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

namespace sode::internal::tools {

namespace {

int print_tasks() {
    auto const tasks = running_tasks();
    if (tasks.empty()) fmt::print("no tasks of yours run on this machine\n");
    for (auto const& t : tasks)
        fmt::print("{:>6} pid {:<8} {:#x}-{:#x}  {}\n", t.rank < 0 ? std::string{"-"} : std::to_string(t.rank), t.pid, t.base,
                   t.end, t.program);
    return 0;
}

// In memory, and open across exec: nothing to be removed afterwards.
unique_fd script_file(std::string const& text) {
    unique_fd file{memfd_create("sode-gdb", 0)};
    if (!file || write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        throw system_error("there is no room for gdb's commands", "memfd_create, write", "");
    lseek(file.get(), 0, SEEK_SET);
    return file;
}

[[noreturn]] void become_gdb(task_info const& task, std::vector<std::string> const& more) {
    unique_fd const script = script_file(gdb_script(task));
    std::vector<std::string> words{"gdb", "-q", "-x", fmt::format("/proc/self/fd/{}", script.get())};
    if (!more.empty()) words.insert(words.end(), more.begin() + 1, more.end()); // without the `--`
    become("gdb", std::move(words), "install gdb (Debian: apt install gdb), and add gdb to PATH");
}

} // namespace

command add_gdb(CLI::App& app) {
    CLI::App* const gdb = app.add_subcommand("gdb", "Attach gdb to a task, with its symbols: sode gdb RANK|PID [-- gdb's options]");
    auto const which = std::make_shared<std::string>();
    gdb->add_option("task", *which, "Rank of the task, or its process ID. Without this argument, list the tasks")
        ->type_name("RANK|PID");
    auto const script = std::make_shared<bool>(false);
    gdb->add_flag("--script", *script, "Print gdb's commands instead of starting it");
    return [which, script](std::vector<std::string> const& rest) -> int {
        if (which->empty()) return print_tasks();
        auto const task = find_task(*which);
        if (*script) {
            fmt::print("{}", gdb_script(task));
            return 0;
        }
        become_gdb(task, rest);
    };
}

} // namespace sode::internal::tools
