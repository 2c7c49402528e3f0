// SPDX-License-Identifier: Apache-2.0
#include "tasks/root/options.hpp"

#include "tasks/root/parse_bytes.hpp"

#include <sode/error.hpp>

#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <getopt.h>
#include <string_view>

namespace sode::internal::tasks {

namespace {

constexpr char const* help =
    R"(Run a program as a task: a process in the address space of the other tasks of this machine.
Usage: mpirun -n N sode task [options] [--] ./program [arguments]

  --partition=BYTES   size of the address space of a task (suffixes K, M, G, T). Default: all address space, divided by --tasks
  --tasks=N           largest number of tasks on a machine at a time. Default: twice the number of ranks that
                      the launcher announces, or 1024 if the launcher announces no number
  --scatter=SEED      put tasks at random addresses, to find stray stores
  --stack=BYTES       size of the stack of the main thread. Default: the soft limit (ulimit -s)
  --fds=LIST          additional descriptors for the task, such as 5,7. Under Hydra (MPICH), a task has only descriptors 0, 1, 2
                      and the pipe of the launcher
  --help              print this help

The exit status is that of the program. If a signal kills the program, the same signal kills this process. Status 125: the program
could not be started or completed. Status 2: wrong options. All ranks of a machine need the same --partition, --tasks and --scatter.
See docs/tasks.md.
)";

std::vector<int> parse_list(std::string_view option, std::string_view text) {
    std::vector<int> numbers;
    while (true) {
        auto const comma = text.find(',');
        numbers.push_back(static_cast<int>(parse_number(option, text.substr(0, comma), 1'000'000)));
        if (comma == std::string_view::npos) return numbers;
        text.remove_prefix(comma + 1);
    }
}

} // namespace

std::optional<stub_wishes> parse_options(int argc, char** argv) {
    stub_wishes wishes;
    enum : int { partition = 1, tasks, scatter, stack, fds, asked_help };
    std::array const known{option{"partition", required_argument, nullptr, partition},
                           option{"tasks", required_argument, nullptr, tasks},
                           option{"scatter", required_argument, nullptr, scatter},
                           option{"stack", required_argument, nullptr, stack},
                           option{"fds", required_argument, nullptr, fds},
                           option{"help", no_argument, nullptr, asked_help},
                           option{nullptr, 0, nullptr, 0}};
    opterr = 0;
    while (true) {
        int const at = optind;
        int const found = getopt_long(argc, argv, "+", known.data(), nullptr); // +: the first word that is no option is the program
        if (found == -1) break;
        switch (found) {
        case partition: wishes.house.partition_bytes = parse_bytes("partition", optarg); break;
        case tasks: wishes.house.capacity = static_cast<std::int32_t>(parse_number("tasks", optarg, 1 << 20)); break;
        case scatter: wishes.house.scatter_seed = parse_number("scatter", optarg, UINT64_MAX); break;
        case stack: wishes.stack_bytes = parse_bytes("stack", optarg); break;
        case fds: wishes.descriptors = parse_list("fds", optarg); break;
        case asked_help: std::fputs(help, stdout); return std::nullopt;
        default: throw error{error_kind::usage, fmt::format("{} is invalid", argv[at]), "", "see `sode task --help`"};
        }
    }
    if (optind >= argc)
        throw error{error_kind::usage, "there is no program to run", "", "write `mpirun -n 4 sode task ./program arguments`"};
    wishes.program.assign(argv + optind, argv + argc);
    return wishes;
}

} // namespace sode::internal::tasks
