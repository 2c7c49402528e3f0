// SPDX-License-Identifier: Apache-2.0
#include "launch/orphans.hpp"

#include "base/system_error.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace sode::internal::tools {

namespace {

// "pid (name) state parent …"; the name may hold anything, also ") ".
pid_t parent_of(std::filesystem::path const& process) {
    std::ifstream file{process / "stat"};
    std::string line;
    std::getline(file, line);
    auto const name_end = line.rfind(") ");
    if (name_end == std::string::npos || name_end + 4 > line.size()) return -1;
    pid_t parent = -1;
    std::from_chars(line.data() + name_end + 4, line.data() + line.size(), parent);
    return parent;
}

// Not /proc/self/task/…/children: kernels may be built without it.
std::vector<pid_t> children() {
    std::vector<pid_t> found;
    std::error_code ignored; // processes come and go while we look
    for (auto const& entry : std::filesystem::directory_iterator{"/proc", ignored}) {
        std::string const name = entry.path().filename();
        pid_t pid = -1;
        auto const [end, failure] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (failure == std::errc{} && end == name.data() + name.size() && parent_of(entry.path()) == getpid()) found.push_back(pid);
    }
    return found;
}

} // namespace

void adopt_orphans() {
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        throw system_error("the job's processes cannot be kept together", "PR_SET_CHILD_SUBREAPER", "");
}

void end_all_children() {
    while (true) {
        pid_t const ended = waitpid(-1, nullptr, WNOHANG);
        if (ended > 0) continue;
        if (ended < 0 && errno != EINTR) return; // no children
        auto const left = children();
        if (left.empty()) return; // /proc is not there to look: what is left cannot be found
        for (pid_t const child : left) kill(child, SIGKILL);
        waitpid(-1, nullptr, 0);
    }
}

} // namespace sode::internal::tools
