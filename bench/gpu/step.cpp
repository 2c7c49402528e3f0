// SPDX-License-Identifier: Apache-2.0
// What bench/gpu/run needs of a machine that has a shell and nothing else: a clock, a program that is ended when its time is over,
// and one page of all results. No device is used.
//
//     gmpi_step begin FOLDER
//         forgets earlier steps, and prints the seconds of the clock
//     gmpi_step cores
//         how many there are for this process
//     gmpi_step run FOLDER NAME SECONDS END -- PROGRAM ARGUMENT...
//         runs the program for SECONDS at most, and not behind END (of the clock)
//     gmpi_step page FOLDER DEVICE
//         writes FOLDER/gmpi.html and FOLDER/run.json, of what there is so far
//
// `run` prints what the program prints, keeps it in FOLDER/NAME.log, and notes in FOLDER/steps.tsv how it ended. The program is a
// group of processes, which ends as a whole. Status: that of the program, 124 if its time was over, 75 if there was none left.
#include "page.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <exception>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int cut_off = 124, no_time_left = 75;

long now() {
    return std::time(nullptr);
}

double seconds_since(std::chrono::steady_clock::time_point began) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

volatile std::sig_atomic_t interrupted = 0;

/// A program, its output, and its end.
class child {
public:
    explicit child(char** command) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error{"there is no pipe"};
        pid_ = fork();
        if (pid_ < 0) throw std::runtime_error{"no process can be started"};
        if (pid_ == 0) {
            setpgid(0, 0);
            dup2(ends[1], STDOUT_FILENO);
            dup2(ends[1], STDERR_FILENO);
            execv(command[0], command);
            std::perror(command[0]);
            _exit(127);
        }
        setpgid(pid_, pid_);
        close(ends[1]);
        output_ = ends[0];
    }
    ~child() {
        kill(-pid_, SIGKILL); // what it has left behind
        close(output_);
    }
    child(child const&) = delete;
    child& operator=(child const&) = delete;

    /// Copies what it prints, for a tenth of a second at most. \return false if there will be no more
    bool copy_output(std::FILE* to) const {
        pollfd one{output_, POLLIN, 0};
        if (poll(&one, 1, 100) <= 0) return true;
        char some[4096];
        auto const n = read(output_, some, sizeof some);
        if (n <= 0) return n < 0 && errno == EINTR;
        for (auto* const file : {stdout, to}) {
            std::fwrite(some, 1, static_cast<std::size_t>(n), file);
            std::fflush(file);
        }
        return true;
    }
    /// \return true if it has ended; then `status` is its own
    bool has_ended() {
        int how = 0;
        if (waitpid(pid_, &how, WNOHANG) == 0) return false;
        status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
        return true;
    }
    void signal_all(int what) const { kill(-pid_, what); }

    int status = 0;

private:
    pid_t pid_ = 0;
    int output_ = -1;
};

std::string how_it_ended(int status, double limit) {
    constexpr int signals = 128;
    if (status == 0) return "ok";
    if (status == cut_off) return fmt::format("cut off after {:.0f} s", limit);
    if (status == no_time_left) return "left out: no time was left";
    return status > signals ? fmt::format("ended by signal {}", status - signals) : fmt::format("failed with status {}", status);
}

void note(std::string const& folder, std::string const& name, int status, double took, double limit) {
    std::ofstream{folder + "/steps.tsv", std::ios::app} << name << '\t' << how_it_ended(status, limit) << '\t'
                                                        << fmt::format("{:.1f}", took) << '\n';
}

int run(std::string const& folder, std::string const& name, long seconds, long end, char** command) {
    auto const limit = static_cast<double>(std::min(seconds, end - now()));
    if (limit < 1) {
        std::printf("%s: left out, as no time is left\n", name.c_str());
        note(folder, name, no_time_left, 0, 0);
        return no_time_left;
    }
    for (char const* const result : {".json", ".part.html"})
        std::remove(fmt::format("{}/{}{}", folder, name, result).c_str()); // of an earlier run
    for (int const s : {SIGINT, SIGTERM, SIGHUP}) std::signal(s, [](int) { interrupted = 1; });
    auto* const log = std::fopen((folder + "/" + name + ".log").c_str(), "w");
    if (!log) throw std::runtime_error{"results cannot be written to " + folder};
    auto const began = std::chrono::steady_clock::now();
    constexpr double grace = 3; // between the request to end, and the end
    int status = 0;
    {
        child program{command};
        bool more = true, asked = false, over = false;
        while (!over) {
            over = program.has_ended();
            if (over) break;
            if (more)
                more = program.copy_output(log);
            else
                usleep(10000);
            if (!asked && (interrupted != 0 || seconds_since(began) > limit)) {
                asked = true;
                program.signal_all(SIGTERM);
            }
            if (asked && (interrupted != 0 || seconds_since(began) > limit + grace)) program.signal_all(SIGKILL);
            if (asked && seconds_since(began) > limit + 3 * grace) break; // the driver does not let go of it
        }
        program.signal_all(SIGKILL);
        auto const rest = std::chrono::steady_clock::now();
        while (more && seconds_since(rest) < 1) more = program.copy_output(log);
        status = asked ? cut_off : program.status;
    }
    std::fclose(log);
    if (status == cut_off) std::printf("%s: cut off after %.0f s\n", name.c_str(), limit);
    note(folder, name, status, seconds_since(began), limit);
    return interrupted != 0 ? 130 : status;
}

struct step_taken {
    std::string name, how, seconds;
};

std::vector<step_taken> steps_in(std::string const& folder) {
    std::vector<step_taken> all;
    std::ifstream in{folder + "/steps.tsv"};
    for (step_taken s; std::getline(in, s.name, '\t') && std::getline(in, s.how, '\t') && std::getline(in, s.seconds);)
        all.push_back(s);
    return all;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (char const c : text) out += c == '<' ? std::string{"&lt;"} : c == '&' ? std::string{"&amp;"} : std::string{c};
    return out;
}

/// The sections of a page behind its head; and its rows of goals.
std::string sections_of(std::string const& file, std::string& goals) {
    std::string all;
    std::ifstream in{file};
    bool within = false;
    for (std::string line; std::getline(in, line);) {
        within = within || line.starts_with("<h2>");
        if (line.starts_with("<tr class=goal>")) goals += line + '\n';
        if (within) all += line + '\n';
    }
    return all;
}

std::string last_lines_of(std::string const& file) {
    constexpr std::size_t most = 20;
    std::deque<std::string> last;
    std::ifstream in{file};
    for (std::string line; std::getline(in, line);) {
        last.push_back(line);
        if (last.size() > most) last.pop_front();
    }
    std::string all;
    for (auto const& line : last) all += escaped(line) + '\n';
    return all;
}

void write_page(std::string const& folder, std::string const& device) {
    auto const steps = steps_in(folder);
    std::string goals, sections, logs;
    auto json = bench::open_results(folder + "/run.json");
    json << fmt::format(R"({{"device": "{}", "steps": [)", device);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        auto const& s = steps[i];
        json << fmt::format("{}\n  {{\"name\": \"{}\", \"ended\": \"{}\", \"seconds\": {}}}", i == 0 ? "" : ",", s.name, s.how,
                            s.seconds);
        auto const section = sections_of(folder + "/" + s.name + ".part.html", goals);
        sections += section;
        if (s.how != "ok" || section.empty())
            logs += "<h3>" + s.name + "</h3>\n<pre>" + last_lines_of(folder + "/" + s.name + ".log") + "</pre>\n";
    }
    json << "\n ]}\n";
    auto page = bench::open_results(folder + "/gmpi.html");
    bench::begin_page(page, "Communication from inside kernels", device);
    page << "<table><tr><th>goal<th>found<th>wanted<th></tr>\n"
         << goals << "</table>\n<table><tr><th>program<th>how it ended<th>seconds</tr>\n";
    for (auto const& s : steps) page << "<tr><td>" << s.name << "<td>" << s.how << "<td>" << s.seconds << "</tr>\n";
    page << "</table>\n" << sections << logs;
}

} // namespace

int main(int argc, char** argv) try {
    std::vector<std::string> const words(argv + 1, argv + argc);
    auto const is = [&](char const* what, std::size_t least) { return words.size() >= least && words[0] == what; };
    if (is("begin", 2)) {
        std::remove((words[1] + "/steps.tsv").c_str());
        std::printf("%ld\n", now());
        return 0;
    }
    if (is("cores", 1)) {
        cpu_set_t set;
        std::printf("%d\n", sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1);
        return 0;
    }
    if (is("run", 7)) return run(words[1], words[2], std::atol(words[3].c_str()), std::atol(words[4].c_str()), argv + 7);
    if (is("page", 3)) {
        write_page(words[1], words[2]);
        return 0;
    }
    std::fputs("usage: gmpi_step begin FOLDER | cores | run FOLDER NAME SECONDS END -- PROGRAM... | page FOLDER DEVICE\n", stderr);
    return 2;
} catch (std::exception const& e) {
    std::fprintf(stderr, "gmpi_step: %s\n", e.what());
    return 1;
}
