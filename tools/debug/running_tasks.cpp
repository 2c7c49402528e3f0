// SPDX-License-Identifier: Apache-2.0
#include "debug/running_tasks.hpp"

#include "tasks/root/job_key.hpp"
#include "tasks/root/root_link.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <poll.h>
#include <sstream>

namespace sode::internal::tools {

namespace {

constexpr int patience_ms = 1000;

std::vector<std::string> root_sockets() {
    std::string const prefix = "@" + tasks::socket_name_prefix();
    std::vector<std::string> names;
    std::ifstream sockets{"/proc/net/unix"};
    for (std::string line; std::getline(sockets, line);)
        if (auto const at = line.find(prefix); at != std::string::npos) names.push_back(line.substr(at + 1));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end()); // connections have their listener's name
    return names;
}

std::string ask(std::string const& socket) {
    std::string text;
    auto link = tasks::root_link::to(socket);
    if (!link || !link->send({tasks::packet_kind::list, 0, 0, 0, {}})) return text;
    while (true) {
        pollfd answer{link->fd(), POLLIN, 0};
        if (poll(&answer, 1, patience_ms) <= 0) return {};
        auto const part = link->receive();
        if (!part || part->kind != tasks::packet_kind::listed) return {};
        text += part->text;
        if (part->count == 0) return text;
    }
}

std::string describe(std::vector<task_info> const& tasks) {
    std::string text;
    for (auto const& t : tasks) {
        std::string const rank = t.rank < 0 ? "" : fmt::format("rank {}, ", t.rank);
        text += fmt::format("\n    {}pid {}: {}", rank, t.pid, t.program);
    }
    return text;
}

} // namespace

std::vector<task_info> running_tasks() {
    std::vector<task_info> found;
    for (auto const& socket : root_sockets()) {
        std::istringstream lines{ask(socket)};
        task_info t;
        while (lines >> t.rank >> t.pid >> std::hex >> t.base >> t.end >> std::dec && std::getline(lines >> std::ws, t.program)) {
            t.job = socket;
            found.push_back(t);
        }
    }
    std::sort(found.begin(), found.end(),
              [](auto const& a, auto const& b) { return std::tie(a.job, a.rank, a.pid) < std::tie(b.job, b.rank, b.pid); });
    return found;
}

task_info find_task(std::string const& text) {
    int number = -1;
    auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{} || end != text.data() + text.size() || number < 0)
        throw error{error_kind::usage, fmt::format("\"{}\" is not a task", text),
                    "the argument is neither a rank nor a process ID of the job", "give a rank, or a process ID as ps shows it"};
    auto const all = running_tasks();
    std::vector<task_info> same_pid;
    std::vector<task_info> same_rank;
    for (auto const& t : all) {
        if (t.pid == number) same_pid.push_back(t);
        if (t.rank == number) same_rank.push_back(t);
    }
    if (same_rank.size() == 1 && same_pid.empty()) return same_rank.front();
    if (same_pid.size() == 1 && same_rank.empty()) return same_pid.front();
    if (all.empty())
        throw error{error_kind::usage, "there are no tasks", "you have no tasks on this machine",
                    "start tasks, for example: sode run --space=tasks -n 4 ./program"};
    if (same_rank.empty() && same_pid.empty())
        throw error{error_kind::usage, fmt::format("there is no task {}", number), "you have no such task on this machine",
                    "choose one of these tasks:" + describe(all)};
    same_rank.insert(same_rank.end(), same_pid.begin(), same_pid.end());
    throw error{error_kind::usage, fmt::format("{} may be one of several tasks", number), "you run several jobs on this machine",
                "give the process ID of the task that you mean:" + describe(same_rank)};
}

} // namespace sode::internal::tools
