// SPDX-License-Identifier: Apache-2.0
// The ranks of the launcher's tests: `rank_program WHAT [ARGUMENT...]`.
#include "base/bootstraps.hpp"
#include "base/clock.hpp"
#include "base/processors.hpp"
#include "base/warn.hpp"

#include <sode/error.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using arguments = std::vector<std::string>;

int number(arguments const& a, std::size_t i) {
    return std::stoi(a.at(i));
}

// One write a line: ranks share the output.
void tell(std::string const& text) {
    std::string const line = text + "\n";
    static_cast<void>(!write(STDOUT_FILENO, line.data(), line.size()));
}

// Who am I, who are the others, and what is left of how I was told.
int identity(sode::bootstrap& boot, arguments const&) {
    int const mine = boot.rank() * 10;
    std::vector<int> all(static_cast<std::size_t>(boot.size()));
    boot.allgather(&mine, sizeof mine, all.data());
    for (int r = 0; r < boot.size(); ++r)
        if (all[static_cast<std::size_t>(r)] != r * 10) return 1;
    auto const fds = std::distance(std::filesystem::directory_iterator{"/proc/self/fd"}, {});
    tell(fmt::format("{} of {} by {} fds {} boot_fd {} cores {}", boot.rank(), boot.size(), boot.name(), fds,
                     std::getenv("SODE_BOOT_FD") != nullptr, sode::internal::processor_set::of_this_thread().to_string()));
    return 0;
}

// barriers N: how long N of them take is nobody's business here.
int barriers(sode::bootstrap& boot, arguments const& a) {
    for (int i = 0; i < number(a, 0); ++i) boot.barrier();
    return 0;
}

// Rank R exits with S without a word; the others wait for it.
int exits(sode::bootstrap& boot, arguments const& a) {
    if (boot.rank() == number(a, 0)) return number(a, 1);
    boot.barrier();
    return 0;
}

// Rank R dies by signal S; the others wait for it.
int dies(sode::bootstrap& boot, arguments const& a) {
    if (boot.rank() == number(a, 0)) raise(number(a, 1));
    boot.barrier();
    return 0;
}

// Rank R exits with S; the others do not notice, and tell of signals instead of obeying.
int stubborn(sode::bootstrap& boot, arguments const& a) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    boot.barrier();
    if (boot.rank() == number(a, 0)) return number(a, 1);
    while (true) {
        int signal = 0;
        sigwait(&all, &signal);
        tell(fmt::format("rank {} got {}", boot.rank(), signal));
    }
}

// Tells of every signal; SIGQUIT ends it with status 0.
int signals(sode::bootstrap& boot, arguments const&) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
    boot.barrier();
    tell("ready");
    while (true) {
        int signal = 0;
        sigwait(&all, &signal);
        tell(fmt::format("rank {} got {}", boot.rank(), signal));
        if (signal == SIGQUIT) return 0;
    }
}

// L lines of a pattern, in pieces that do not end with lines.
int lines(sode::bootstrap& boot, arguments const& a) {
    std::string text;
    for (int i = 0; i < number(a, 0); ++i)
        text += fmt::format("line {} {}\n", i, std::string(static_cast<std::size_t>(i % 200), 'x'));
    for (std::size_t at = 0, piece = 1; at < text.size(); at += piece, piece = piece % 997 + 13)
        static_cast<void>(!write(boot.rank() % 2 == 0 ? 1 : 2, text.data() + at, std::min(piece, text.size() - at)));
    return 0;
}

// Says what comes in.
int echo(sode::bootstrap& boot, arguments const&) {
    boot.barrier();
    tell(fmt::format("rank {} listens", boot.rank()));
    for (std::string line; std::getline(std::cin, line);) tell(fmt::format("rank {} read {}", boot.rank(), line));
    tell(fmt::format("rank {} end of input", boot.rank()));
    boot.barrier();
    return 0;
}

// All meet the same error, rank R another one; by the way W: return, throw (nobody catches it), or kill (rank R kills itself).
int complains(sode::bootstrap& boot, arguments const& a) {
    boot.barrier();
    bool const other = boot.rank() == number(a, 0);
    sode::error const e{sode::error_kind::usage, other ? "another problem" : "a problem", "a reason", "a suggestion"};
    sode::internal::tell_uncaught();
    if (a.at(1) == "throw") std::thread{[&] { throw e; }}.join();
    std::string const text = std::string{e.what()} + "\n";
    static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
    if (other && a.at(1) == "kill") raise(SIGKILL);
    return 3;
}

// Where this rank's memory is.
int address(sode::bootstrap&, arguments const&) {
    int here = 0;
    tell(fmt::format("{}", fmt::ptr(&here)));
    return 0;
}

// Exchanges until somebody dies.
int busy(sode::bootstrap& boot, arguments const&) {
    tell(fmt::format("rank {} is {}", boot.rank(), getpid()));
    while (true) boot.barrier();
}

} // namespace

int main(int argc, char** argv) {
    std::map<std::string, std::function<int(sode::bootstrap&, arguments const&)>> const acts{
        {"identity", identity},   {"barriers", barriers}, {"exits", exits}, {"dies", dies},
        {"stubborn", stubborn},   {"signals", signals},   {"lines", lines}, {"echo", echo},
        {"complains", complains}, {"address", address},   {"busy", busy}};
    arguments const words(argv + 1, argv + argc);
    try {
        auto const boot = sode::internal::make_bootstrap();
        return acts.at(words.at(0))(*boot, {words.begin() + 1, words.end()});
    } catch (sode::error const& e) {
        std::string const line = fmt::format("{:.6f} {}\n", sode::internal::now_s(), e.what());
        static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
        return 70 + static_cast<int>(e.kind());
    }
}
