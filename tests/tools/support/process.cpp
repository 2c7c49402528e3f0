// SPDX-License-Identifier: Apache-2.0
#include "support/process.hpp"

#include "base/clock.hpp"

#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>

namespace sode::internal::testing {

namespace {

constexpr char const* mark_variable = "LAUNCHER_TEST_MARK";

std::string contents(std::filesystem::path const& path) {
    std::ifstream file{path};
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

struct ends {
    unique_fd read;
    unique_fd write;
};

ends make_pipe() {
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
    return {unique_fd{fds[0]}, unique_fd{fds[1]}};
}

template <typename Condition> bool eventually(double seconds, Condition const& holds) {
    double const end = now_s() + seconds;
    while (!holds()) {
        if (now_s() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    return true;
}

} // namespace

process::process(std::vector<std::string> const& command, std::string const& input) : started_(now_s()) {
    static std::atomic<int> processes{0};
    mark_ = fmt::format("{}.{}", getpid(), processes++);
    ends in = make_pipe();
    ends out = make_pipe();
    ends err = make_pipe();
    if (write(in.write.get(), input.data(), input.size()) != static_cast<ssize_t>(input.size()))
        throw std::runtime_error("input is too long");
    pid_ = fork();
    if (pid_ == 0) {
        dup2(in.read.get(), 0);
        dup2(out.write.get(), 1);
        dup2(err.write.get(), 2);
        setenv(mark_variable, mark_.c_str(), 1);
        std::vector<char*> words;
        for (std::string const& word : command) words.push_back(const_cast<char*>(word.c_str()));
        words.push_back(nullptr);
        execvp(words[0], words.data());
        _exit(127);
    }
    out_ = std::move(out.read);
    err_ = std::move(err.read);
}

process::~process() {
    if (pid_ < 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

bool process::read_some(int milliseconds) {
    std::array<pollfd, 2> polls{pollfd{out_.get(), POLLIN, 0}, pollfd{err_.get(), POLLIN, 0}};
    poll(polls.data(), polls.size(), milliseconds);
    std::array<char, 65536> buffer;
    for (auto const& [p, fd, text] : {std::tuple{&polls[0], &out_, &result_.out}, std::tuple{&polls[1], &err_, &result_.err}}) {
        if (p->revents == 0) continue;
        ssize_t const got = read(p->fd, buffer.data(), buffer.size());
        if (got > 0)
            text->append(buffer.data(), static_cast<std::size_t>(got));
        else
            fd->reset();
    }
    return out_ || err_;
}

bool process::said(std::string const& text, int times) {
    double const end = now_s() + 60;
    while (count(result_.out, text) < times && now_s() < end)
        if (!read_some(100)) break;
    return count(result_.out, text) >= times;
}

result process::wait() {
    while (read_some(1000)) {
    }
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    result_.seconds = now_s() - started_;
    result_.by_signal = WIFSIGNALED(status);
    result_.status = result_.by_signal ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return result_;
}

std::vector<pid_t> process::family(std::string const& name) const {
    // Variables end with a zero; with one put before the first, each stands between two.
    std::string const wanted = fmt::format("{}{}={}{}", '\0', mark_variable, mark_, '\0');
    std::vector<pid_t> found;
    std::error_code ignored;
    for (auto const& entry : std::filesystem::directory_iterator{"/proc", ignored}) {
        std::string const number = entry.path().filename();
        pid_t pid = -1;
        auto const [end, failure] = std::from_chars(number.data(), number.data() + number.size(), pid);
        if (failure != std::errc{} || pid == pid_ || pid == getpid()) continue;
        if (contents(entry.path() / "environ").insert(0, 1, '\0').find(wanted) == std::string::npos) continue;
        if (name.empty() || contents(entry.path() / "comm") == name + "\n") found.push_back(pid);
    }
    return found;
}

bool process::family_reaches(std::string const& name, std::size_t members) const {
    return eventually(60, [&] { return family(name).size() >= members; });
}

bool process::family_gone(double seconds) const {
    return eventually(seconds, [&] { return family().empty(); });
}

std::vector<std::string> sode_command(std::vector<std::string> arguments) {
    char const* const space = std::getenv("TEST_SPACE");
    if (space != nullptr && !arguments.empty() && arguments.front() == "run")
        arguments.insert(arguments.begin() + 1, fmt::format("--space={}", space));
    arguments.insert(arguments.begin(), SODE_COMMAND);
    return arguments;
}

result sode(std::vector<std::string> arguments, std::string const& input) {
    return process{sode_command(std::move(arguments)), input}.wait();
}

std::vector<std::string> ranks(int ranks, std::vector<std::string> words) {
    std::vector<std::string> command = sode_command({"run", "-n", std::to_string(ranks)});
    auto word = words.begin();
    for (; word != words.end() && word->starts_with("--"); ++word) command.push_back(*word);
    command.emplace_back(RANK_PROGRAM);
    command.insert(command.end(), word, words.end());
    return command;
}

int count(std::string const& text, std::string const& part) {
    int n = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
    return n;
}

char state_of(pid_t pid) {
    std::string const line = contents(fmt::format("/proc/{}/stat", pid));
    auto const name_end = line.rfind(") ");
    return name_end == std::string::npos ? '?' : line[name_end + 2];
}

bool is_pending(pid_t pid, int signal) {
    std::string const text = contents(fmt::format("/proc/{}/status", pid));
    for (std::string const key : {"ShdPnd:\t", "SigPnd:\t"})
        if (auto const at = text.find(key); at != std::string::npos)
            if ((std::stoull(text.substr(at + key.size()), nullptr, 16) >> (signal - 1) & 1U) != 0) return true;
    return false;
}

} // namespace sode::internal::testing
