// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <pty.h>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace sode::internal::testing {
namespace {

std::vector<char*> pointers(std::vector<std::string> const& words) {
    std::vector<char*> list;
    for (auto const& w : words) list.push_back(const_cast<char*>(w.c_str()));
    list.push_back(nullptr);
    return list;
}

std::vector<std::string> with_env(std::vector<std::string> words) {
    words.insert(words.begin(), "env");
    return words;
}

int status_of(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

outcome run(std::vector<std::string> const& words) {
    scratch const files;
    auto const out = files / "out", err = files / "err";
    auto const command = with_env(words);
    pid_t const child = fork();
    if (child == 0) {
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
        dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
        dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
        execvp("env", pointers(command).data());
        _exit(127);
    }
    outcome o;
    o.status = status_of(child);
    o.out = contents(out);
    o.err = contents(err);
    return o;
}

outcome run_on_terminal(std::vector<std::string> const& words) {
    auto const command = with_env(words);
    int terminal = -1;
    pid_t const child = forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
        execvp("env", pointers(command).data());
        _exit(127);
    }
    outcome o;
    std::array<char, 4096> part{};
    // A terminal whose last user has gone gives an error, not an end.
    for (ssize_t n = 0; (n = read(terminal, part.data(), part.size())) > 0;) o.out.append(part.data(), static_cast<std::size_t>(n));
    o.status = status_of(child);
    close(terminal);
    return o;
}

std::vector<std::string> on_ranks(int ranks, std::vector<std::string> words) {
    words.insert(words.begin(), {SODE_COMMAND, "run", "-n", std::to_string(ranks), "--timeout", "60", "--"});
    return words;
}

std::string line_of(std::string const& text, std::string const& label) {
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(label + " ")) return line.substr(label.size() + 1);
    throw std::runtime_error("no line begins with \"" + label + "\" in:\n" + text);
}

std::string contents(std::filesystem::path const& file) {
    std::ifstream in{file, std::ios::binary};
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

scratch::scratch() {
    auto name = (std::filesystem::temp_directory_path() / "sode-example-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = name;
}

scratch::~scratch() {
    std::filesystem::remove_all(path_);
}

} // namespace sode::internal::testing
