// SPDX-License-Identifier: Apache-2.0
#include "tasks/prepared_task.hpp"

#include "base/limits.hpp"
#include "base/message.hpp"
#include "tasks/elf_image.hpp"
#include "tasks/no_room.hpp"
#include "tasks/pages.hpp"
#include "tasks/program.hpp"
#include "tasks/task_environment.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace sode::internal {

namespace {

constexpr std::size_t usual_stack = std::size_t{8} << 20U;
constexpr std::size_t most_stack = std::size_t{1} << 30U; // where there is no limit
// Below what a program finds on its stack: room for the kernel's red zone and a few calls.
constexpr std::size_t entry_room = 256;

/// The stack that the program may expect, by its order or its limits.
std::size_t stack_bytes(task_order const& order, partition const& own) {
    if (order.stack_bytes != 0) return round_up(order.stack_bytes, page_bytes);
    rlimit limit{usual_stack, usual_stack};
    ::getrlimit(RLIMIT_STACK, &limit);
    for (auto const& one : order.limits)
        if (one.resource == RLIMIT_STACK) limit = one.value;
    auto const wanted = limit.rlim_cur == RLIM_INFINITY ? most_stack : static_cast<std::size_t>(limit.rlim_cur);
    return round_up(std::min(wanted, own.bytes() / 4), page_bytes);
}

std::string_view doing(entry_step step) {
    switch (step) {
    case entry_step::root: return "be bound to its root";
    case entry_step::signals: return "set its signals";
    case entry_step::descriptors: return "get its file descriptors";
    case entry_step::directory: return "enter its working directory";
    case entry_step::processors: return "be bound to its processors";
    case entry_step::memory_policy: return "set its memory policy";
    case entry_step::nice: return "get its priority";
    case entry_step::limits: return "set its resource limits";
    case entry_step::none: break;
    }
    return "begin";
}

} // namespace

prepared_task::prepared_task(task_order const& order, partition& own, auxiliary_vector const& auxiliary, std::string const& place)
    : path_(order.path), directory_(order.cwd), limits_(order.limits), processors_(order.cpus), memory_nodes_(order.memory_nodes) {
    // The kernel holds these against the memory of all tasks together, which one rank's share must not limit.
    std::erase_if(limits_, [](resource_limit const& one) { return one.resource == RLIMIT_AS || one.resource == RLIMIT_DATA; });
    take_descriptors(order.fds);
    auto const found = find_program(order.path, order.argv);
    name_ = found.name;
    auto const image = map_image(found.file, own);
    auto const env = task_environment(order.env, place);
    map_stack(order, own, {found.argv, env, found.file.path(), image, auxiliary}, found.executable_stack);

    plan_.entry = image.entry;
    plan_.root = ::getpid();
    plan_.name = name_.c_str();
    plan_.directory = directory_.empty() ? nullptr : directory_.c_str();
    plan_.umask = order.umask;
    plan_.own_session = order.own_session;
    plan_.nice = order.nice;
    plan_.ignored_signals = order.ignored_signals;
    plan_.blocked_signals = order.blocked_signals;
    plan_.processors = processors_.empty() ? nullptr : processors_.data();
    plan_.processor_words = processors_.size();
    plan_.memory_policy = order.memory_policy;
    plan_.memory_nodes = memory_nodes_.data();
    plan_.memory_node_words = memory_nodes_.size();
    plan_.limits = limits_.data();
    plan_.limit_count = limits_.size();
    plan_.fds = fds_.data();
    plan_.fd_count = fds_.size();
}

void prepared_task::take_descriptors(std::vector<handed_fd> const& wanted) {
    fds_ = wanted;
    std::sort(fds_.begin(), fds_.end(), [](handed_fd a, handed_fd b) { return a.want < b.want; });
    auto const twice = std::adjacent_find(fds_.begin(), fds_.end(), [](handed_fd a, handed_fd b) { return a.want == b.want; });
    if (twice != fds_.end())
        throw error{error_kind::usage, fmt::format("cannot start {} as a task", path_),
                    fmt::format("two file descriptors would get the number {}", twice->want),
                    "pass a different number for each file descriptor"};
    plan_.free_fd = 3;
    for (auto const& one : fds_) {
        if (one.want < 0 || ::fcntl(one.have, F_GETFD) < 0)
            throw error{error_kind::usage, fmt::format("cannot start {} as a task", path_),
                        fmt::format("file descriptor {} for the task's {} is not open", one.have, one.want),
                        "pass open file descriptors"};
        plan_.free_fd = std::max({plan_.free_fd, one.have + 1, one.want + 1});
    }
}

void prepared_task::map_stack(task_order const& order, partition& own, initial_stack const& content, bool executable) {
    // What stands on it already is on top of what was asked for.
    auto const bytes = stack_bytes(order, own) + round_up(content.bytes(), page_bytes);
    if (bytes + partition::margin > own.bytes() / 2)
        throw error{error_kind::usage, fmt::format("cannot start {} as a task", path_),
                    fmt::format("a stack of {} bytes is larger than half of the task's partition", bytes),
                    "lower the stack limit (ulimit -s), or use larger partitions"};
    auto const top = own.keep_top(bytes + partition::margin); // the margin below stays free: a stack that overflows hits nothing
    stack_low_ = top - bytes;
    auto const map = [&](std::uintptr_t begin, std::size_t length, int prot, int flags) {
        constexpr int always = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_FIXED_NOREPLACE;
        if (::mmap(memory_at(begin), length, prot, always | flags, -1, 0) == MAP_FAILED)
            throw no_room(fmt::format("cannot start {} as a task", path_), fmt::format("mmap of a stack of {} bytes", bytes),
                          errno);
    };
    // It grows down only in name: glibc cannot make it executable otherwise, for a library that needs that. The page below it sees
    // to it that it does not: without a limit, an endless recursion would eat the memory of all tasks.
    map(stack_low_, bytes, PROT_READ | PROT_WRITE | (executable ? PROT_EXEC : 0), MAP_GROWSDOWN);
    map(stack_low_ - page_bytes, page_bytes, PROT_NONE, 0);
    plan_.stack_pointer = content.write(top);
}

std::size_t prepared_task::entry_stack_bytes() const noexcept {
    return round_down(plan_.stack_pointer - entry_room, 16) - stack_low_;
}

std::string prepared_task::failure() const {
    if (plan_.failed == entry_step::none) return {};
    auto const problem = fmt::format("{} could not {}", path_, doing(plan_.failed));
    // A number that is beyond the limit is invalid.
    auto const limit = limit_behind(plan_.failed == entry_step::descriptors ? EMFILE : plan_.failure);
    error const whole{error_kind::environment, problem, std::system_category().message(plan_.failure), limit};
    return std::string{quoted(whole.what())};
}

} // namespace sode::internal
