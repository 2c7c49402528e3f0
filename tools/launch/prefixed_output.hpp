// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <deque>
#include <poll.h>
#include <string>
#include <vector>

namespace sode::tools {

/// Collects what ranks write, and writes it on line by line, each with its rank before it. Never blocks: when the reader of our
/// output is slow, the ranks' pipes fill up, and they wait for it as they would without us.
class prefixed_output {
public:
    prefixed_output();

    /// The end that `rank` writes to instead of `destination` (STDOUT_FILENO or STDERR_FILENO). Errors: environment.
    [[nodiscard]] unique_fd pipe_for(int rank, int destination);

    /// Appends what is to be polled; serve() takes the same entries back.
    void watch(std::vector<pollfd>& polls);
    void serve(pollfd const* polls);

    /// Is there somebody who may write, or something to be written?
    [[nodiscard]] bool busy() const noexcept;

private:
    struct sink {
        int fd = -1;
        std::size_t most_at_once = 0; ///< that write() takes without blocking once poll() has said yes
        std::string waiting;
        bool closed = false;
    };
    struct source {
        unique_fd fd;
        std::string prefix;
        std::string line; ///< what came after the last newline
        sink* to = nullptr;
    };

    void read(source& from);
    static void pass_on(source& from, std::string_view line);
    static void write(sink& to);

    sink out_;
    sink err_;
    bool one_sink_ = false; ///< both go to the same place, so one queue keeps lines whole
    std::deque<source> sources_;
    std::vector<source*> watched_sources_;
    std::vector<sink*> watched_sinks_;
};

} // namespace sode::tools
