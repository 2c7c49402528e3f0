// SPDX-License-Identifier: Apache-2.0
#include "tasks/root/job_key.hpp"

#include "base/job_control.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sode::internal::tasks {

namespace {

std::optional<int> number_in(char const* variable) {
    char const* const text = std::getenv(variable);
    if (text == nullptr) return std::nullopt;
    std::string_view const all{text};
    int value = 0;
    auto const [end, failure] = std::from_chars(all.data(), all.data() + all.size(), value);
    if (failure != std::errc{} || end != all.data() + all.size()) return std::nullopt;
    return value;
}

int first_number(std::initializer_list<char const*> variables, int otherwise) {
    for (char const* const v : variables)
        if (auto const n = number_in(v)) return *n;
    return otherwise;
}

/// When a process began, in ticks since the machine did: with its number, that tells it from all processes before it.
std::string start_time_of(int pid) {
    std::ifstream file{fmt::format("/proc/{}/stat", pid)};
    std::string line;
    std::getline(file, line);
    std::size_t at = line.rfind(") "); // the name before it may hold anything
    for (int field = 2; field < 22 && at != std::string::npos; ++field) at = line.find(' ', at + 1);
    return at == std::string::npos ? std::string{} : line.substr(at + 1, line.find(' ', at + 1) - at - 1);
}

/// Who made the socket that `variable` numbers.
std::optional<int> maker_of_socket(char const* variable) {
    auto const fd = number_in(variable);
    if (!fd) return std::nullopt;
    ucred who{};
    socklen_t length = sizeof who;
    if (getsockopt(*fd, SOL_SOCKET, SO_PEERCRED, &who, &length) != 0 || who.pid <= 0) return std::nullopt;
    return who.pid;
}

// "4(x2),3": four tasks on each of two machines, three on the next.
int slurm_tasks_here() {
    char const* const text = std::getenv("SLURM_TASKS_PER_NODE");
    if (text == nullptr || std::getenv("SLURM_STEP_ID") == nullptr) return 0;
    int machine = number_in("SLURM_NODEID").value_or(0);
    std::string_view left{std::getenv("SLURM_STEP_TASKS_PER_NODE") != nullptr ? std::getenv("SLURM_STEP_TASKS_PER_NODE") : text};
    while (!left.empty()) {
        auto const comma = left.find(',');
        auto const part = left.substr(0, comma);
        left = comma == std::string_view::npos ? std::string_view{} : left.substr(comma + 1);
        int many = 0;
        int machines = 1;
        auto const counted = std::from_chars(part.data(), part.data() + part.size(), many);
        if (counted.ec != std::errc{}) return 0;
        if (auto const times = part.find("(x"); times != std::string_view::npos)
            std::from_chars(part.data() + times + 2, part.data() + part.size(), machines);
        if (machine < machines) return many;
        machine -= machines;
    }
    return 0;
}

// Processes of different containers may see one network, and so one list of sockets, but not each other.
std::string container() {
    std::string all;
    for (char const* const kind : {"/proc/self/ns/pid", "/proc/self/ns/mnt", "/proc/self/ns/user"}) {
        struct stat status {};
        all += fmt::format("-{}", stat(kind, &status) == 0 ? status.st_ino : 0);
    }
    return all;
}

std::string by_process(std::string_view how, int pid) {
    return fmt::format("{}-{}-{}", how, pid, start_time_of(pid));
}

// A name of a socket has 107 characters at most; this is FNV-1a.
std::string hashed(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return fmt::format("{:016x}", hash);
}

} // namespace

job_key own_job_key() {
    job_key key;
    key.rank = first_number({"PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}, -1);
    key.on_machine = first_number({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}, slurm_tasks_here());
    key.launcher = getppid();
    if (auto const keeper = maker_of_socket(boot_fd_variable)) {
        key.launcher = *keeper;
        key.name = by_process("sode", *keeper);
        key.on_machine = 0;
    } else if (auto const proxy = maker_of_socket("PMI_FD")) {
        key.launcher = *proxy;
        key.name = by_process("pmi", *proxy);
    } else if (char const* const space = std::getenv("PMIX_NAMESPACE")) {
        // The number of an Open MPI job comes from a hash; its server's address is this machine's alone.
        key.name = fmt::format("pmix-{}", space);
        for (char const* const uri :
             {"PMIX_SERVER_URI41", "PMIX_SERVER_URI4", "PMIX_SERVER_URI3", "PMIX_SERVER_URI21", "PMIX_SERVER_URI2"})
            if (char const* const where = std::getenv(uri)) {
                key.name += fmt::format("-{}", where);
                break;
            }
    } else if (std::getenv("SLURM_JOB_ID") != nullptr && std::getenv("SLURM_STEP_ID") != nullptr) {
        key.name = fmt::format("slurm-{}-{}", std::getenv("SLURM_JOB_ID"), std::getenv("SLURM_STEP_ID"));
    } else {
        key.name = by_process("parent", getppid());
    }
    return key;
}

std::string socket_name_prefix() {
    return fmt::format("sode-tasks-1-{}-", geteuid());
}

std::string job_name(job_key const& key) {
    return socket_name_prefix() + hashed(key.name + container());
}

} // namespace sode::internal::tasks
