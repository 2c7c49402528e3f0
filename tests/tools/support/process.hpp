// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <string>
#include <sys/types.h>
#include <vector>

namespace sode::internal::testing {

/// How a process ended, and what it said.
struct result {
    int status = -1; ///< exit status; 128 + signal if it was killed
    bool by_signal = false;
    std::string out;
    std::string err;
    double seconds = 0;
};

/// A process with its input and output in our hands. All that descends from it carries a mark in its environment, by which it is
/// found.
class process {
public:
    /// `input` is all that it can read.
    explicit process(std::vector<std::string> const& command, std::string const& input = {});
    ~process(); ///< kills it
    process(process const&) = delete;
    process& operator=(process const&) = delete;

    [[nodiscard]] pid_t pid() const noexcept { return pid_; }
    /// Reads on until the output has `text` so many times. False: it ended, or a minute went by.
    bool said(std::string const& text, int times = 1);
    [[nodiscard]] result wait();

    /// The living processes (no zombies) that descend from it, itself excluded; `name` selects by command name if not empty.
    [[nodiscard]] std::vector<pid_t> family(std::string const& name = {}) const;
    /// Waits until there are so many of them; false after a minute.
    [[nodiscard]] bool family_reaches(std::string const& name, std::size_t members) const;
    /// Waits until the family is empty; false after `seconds`.
    [[nodiscard]] bool family_gone(double seconds) const;

private:
    bool read_some(int milliseconds);

    std::string mark_;
    pid_t pid_ = -1;
    unique_fd out_;
    unique_fd err_;
    result result_;
    double started_ = 0;
};

/// `sode` with these arguments; `run` starts ranks in TEST_SPACE, where that is set.
[[nodiscard]] std::vector<std::string> sode_command(std::vector<std::string> arguments);
/// Runs it to its end.
[[nodiscard]] result sode(std::vector<std::string> arguments, std::string const& input = {});
/// `sode run -n RANKS rank_program …`, with options of `run` before the program if the first words begin with "--".
[[nodiscard]] std::vector<std::string> ranks(int ranks, std::vector<std::string> words);

[[nodiscard]] int count(std::string const& text, std::string const& part);
/// The letter in /proc/<pid>/stat: R, S, T, Z; '?' if there is no such process.
[[nodiscard]] char state_of(pid_t pid);
/// Has the signal been sent to the process, and not yet been taken?
[[nodiscard]] bool is_pending(pid_t pid, int signal);

} // namespace sode::internal::testing
