// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"
#include "launch/message_merger.hpp"

#include <deque>
#include <optional>
#include <poll.h>
#include <string>
#include <vector>

namespace sode::internal::tools {

/// Collects what ranks write, and writes it on: line by line, each with its rank before it (--prefix), or only the standard error,
/// as it comes but with equal messages of ranks merged. Never blocks: when the reader of our output is slow, the ranks' pipes fill
/// up, and they wait for it as they would without us.
class rank_output {
public:
    rank_output(bool prefix, int ranks);

    /// The end that `rank` writes to instead of `destination` (STDOUT_FILENO or STDERR_FILENO); none if it writes there itself.
    /// Where that is a terminal, so is the end. Errors: environment.
    [[nodiscard]] unique_fd end_for(int rank, int destination);

    /// Appends what is to be polled; serve() takes the same entries back.
    void watch(std::vector<pollfd>& polls);
    void serve(pollfd const* polls, std::int64_t now_ns);
    /// When serve() is to be called though nothing has happened; INT64_MAX: not.
    [[nodiscard]] std::int64_t due_ns() const;

    /// `rank` has ended: what it wrote is read now, and told at once if it was `killed`.
    void hear_last_of(int rank, bool killed, std::int64_t now_ns);
    /// A message of the launcher, behind what ranks have said.
    void announce(std::string_view message, std::int64_t now_ns);
    /// Nobody writes any more: nothing is held.
    void flush();

    /// Is there somebody who may write, or something to be written?
    [[nodiscard]] bool busy() const noexcept;
    [[nodiscard]] bool awaits_ranks() const noexcept;
    /// Why output was lost, other than that nobody reads it: an errno, 0: none was.
    [[nodiscard]] int lost() const noexcept { return lost_; }

private:
    struct sink {
        int fd = -1;
        std::size_t most_at_once = 0; ///< that write() takes without blocking once poll() has said yes
        std::string waiting;
        bool closed = false;
    };
    struct source {
        unique_fd fd;
        int rank = 0;
        std::string line; ///< what came after the last newline
        sink* to = nullptr;
    };

    void read(source& from, std::int64_t now_ns);
    void take_lines(source& from, std::string_view text);
    void pass_on(source& from, std::string_view line);
    void write(sink& to);

    sink out_;
    sink err_;
    bool one_sink_ = false; ///< both go to the same place, so one queue keeps lines whole
    std::optional<message_merger> merger_;
    std::deque<source> sources_;
    std::vector<source*> watched_sources_;
    std::vector<sink*> watched_sinks_;
    int lost_ = 0;
};

} // namespace sode::internal::tools
