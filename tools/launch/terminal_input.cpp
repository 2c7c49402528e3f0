// SPDX-License-Identifier: Apache-2.0
#include "launch/terminal_input.hpp"

#include "base/system_error.hpp"

#include <array>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <unistd.h>

namespace sode::internal::tools {

terminal_input::terminal_input() {
    if (isatty(STDIN_FILENO) == 0) return;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw system_error("a pipe cannot be created", "pipe2", "raise `ulimit -n`");
    reading_ = unique_fd{ends[0]};
    writing_ = unique_fd{ends[1]};
}

// Who reads from the terminal in the background is stopped, or takes what was typed for the shell.
bool terminal_input::in_foreground() noexcept {
    return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

int terminal_input::patience() const noexcept {
    return writing_ && !in_foreground() ? 500 : -1;
}

void terminal_input::watch(std::vector<pollfd>& polls) const {
    if (!writing_) return;
    if (!waiting_.empty())
        polls.push_back({writing_.get(), POLLOUT, 0});
    else if (in_foreground())
        polls.push_back({STDIN_FILENO, POLLIN, 0});
    else
        polls.push_back({writing_.get(), 0, 0}); // only to learn that rank 0 has gone
}

void terminal_input::serve(pollfd const* polls) {
    if (!writing_ || polls->revents == 0) return;
    if (polls->fd != STDIN_FILENO) {
        ssize_t const put = polls->events == 0 ? -1 : write(writing_.get(), waiting_.data(), waiting_.size());
        if (put < 0 && errno != EINTR)
            writing_.reset();
        else if (put > 0)
            waiting_.erase(0, static_cast<std::size_t>(put));
        return;
    }
    std::array<char, PIPE_BUF> buffer;
    ssize_t const got = in_foreground() ? read(STDIN_FILENO, buffer.data(), buffer.size()) : 0;
    if (got > 0)
        waiting_.assign(buffer.data(), static_cast<std::size_t>(got));
    else if (in_foreground() && (got == 0 || errno != EINTR))
        writing_.reset(); // the end of the input
}

} // namespace sode::internal::tools
