// SPDX-License-Identifier: Apache-2.0
#include "launch/rank_output.hpp"

#include "base/system_error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace sode::internal::tools {

namespace {

constexpr std::size_t read_bytes = 65536;
constexpr std::size_t most_waiting = 256 * 1024; // then ranks have to wait
constexpr std::size_t longest_line = 1 << 20;    // a longer one is broken, so that a rank cannot fill our memory

// poll() promises room for PIPE_BUF bytes in a pipe; files never block.
std::size_t bytes_without_blocking(int fd) {
    struct stat status {};
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? read_bytes : PIPE_BUF;
}

// A terminal for what a rank writes, of the size of ours; nothing is done to what passes through it.
std::pair<unique_fd, unique_fd> terminal_like(int ours) {
    unique_fd master{posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)};
    std::array<char, 64> name{};
    if (!master || grantpt(master.get()) != 0 || unlockpt(master.get()) != 0 ||
        ptsname_r(master.get(), name.data(), name.size()) != 0)
        return {};
    unique_fd slave{open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC)};
    termios how{};
    if (!slave || tcgetattr(slave.get(), &how) != 0) return {};
    cfmakeraw(&how);
    tcsetattr(slave.get(), TCSANOW, &how);
    winsize size{};
    if (ioctl(ours, TIOCGWINSZ, &size) == 0) ioctl(slave.get(), TIOCSWINSZ, &size);
    return {std::move(master), std::move(slave)};
}

bool same_file(int a, int b) {
    struct stat sa {};
    struct stat sb {};
    return fstat(a, &sa) == 0 && fstat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

} // namespace

rank_output::rank_output(bool prefix, int ranks) : one_sink_(same_file(STDOUT_FILENO, STDERR_FILENO)) {
    out_.fd = STDOUT_FILENO;
    out_.most_at_once = bytes_without_blocking(STDOUT_FILENO);
    err_.fd = STDERR_FILENO;
    err_.most_at_once = bytes_without_blocking(STDERR_FILENO);
    if (!prefix) merger_.emplace(ranks);
}

unique_fd rank_output::end_for(int rank, int destination) {
    if (merger_ && destination == STDOUT_FILENO) return {};
    unique_fd ours;
    unique_fd theirs;
    if (merger_ && isatty(destination) == 1) {
        std::tie(ours, theirs) = terminal_like(destination);
        if (!ours) {
            merger_->close(rank, 0); // there are no more terminals: it writes to ours
            return {};
        }
    } else {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            throw system_error("a pipe for the output of a rank cannot be created", "pipe2",
                               "use fewer ranks, or raise `ulimit -n`");
        ours = unique_fd{ends[0]};
        theirs = unique_fd{ends[1]};
    }
    fcntl(ours.get(), F_SETFL, fcntl(ours.get(), F_GETFL) | O_NONBLOCK);
    bool const to_out = !merger_ && (destination == STDOUT_FILENO || one_sink_);
    sources_.push_back({std::move(ours), rank, {}, to_out ? &out_ : &err_});
    return theirs;
}

void rank_output::watch(std::vector<pollfd>& polls) {
    watched_sources_.clear();
    watched_sinks_.clear();
    for (source& s : sources_) {
        if (!s.fd || s.to->waiting.size() >= most_waiting) continue;
        watched_sources_.push_back(&s);
        polls.push_back({s.fd.get(), POLLIN, 0});
    }
    for (sink* const s : {&out_, &err_}) {
        if (s->waiting.empty()) continue;
        watched_sinks_.push_back(s);
        polls.push_back({s->fd, POLLOUT, 0});
    }
}

void rank_output::serve(pollfd const* polls, std::int64_t now_ns) {
    for (source* const s : watched_sources_)
        if ((polls++)->revents != 0) read(*s, now_ns);
    for (sink* const s : watched_sinks_)
        if ((polls++)->revents != 0) write(*s);
    watched_sources_.clear();
    watched_sinks_.clear();
    if (merger_) err_.waiting += merger_->take(now_ns);
}

std::int64_t rank_output::due_ns() const {
    return merger_ ? merger_->due_ns() : INT64_MAX;
}

void rank_output::read(source& from, std::int64_t now_ns) {
    if (!from.fd) return; // it was heard to its end meanwhile
    std::array<char, read_bytes> buffer;
    ssize_t const got = ::read(from.fd.get(), buffer.data(), buffer.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0 || from.to->closed) { // a terminal ends with EIO
        if (merger_)
            merger_->close(from.rank, now_ns);
        else if (!from.line.empty())
            pass_on(from, {});
        from.fd.reset(); // where nobody reads our output, the rank's next write fails as it would without us
        return;
    }
    std::string_view const text{buffer.data(), static_cast<std::size_t>(got)};
    if (merger_)
        merger_->add(from.rank, text, now_ns);
    else
        take_lines(from, text);
}

void rank_output::take_lines(source& from, std::string_view text) {
    for (auto newline = text.find('\n'); newline != std::string_view::npos; newline = text.find('\n')) {
        pass_on(from, text.substr(0, newline));
        text.remove_prefix(newline + 1);
    }
    from.line += text;
    if (from.line.size() > longest_line) pass_on(from, {});
}

void rank_output::pass_on(source& from, std::string_view line) {
    from.to->waiting.append(fmt::format("[{}] ", from.rank)).append(from.line).append(line).push_back('\n');
    from.line.clear();
}

void rank_output::hear_last_of(int rank, bool killed, std::int64_t now_ns) {
    for (source& s : sources_) {
        pollfd p{s.fd.get(), POLLIN, 0};
        while (s.rank == rank && s.fd && s.to->waiting.size() < most_waiting && poll(&p, 1, 0) > 0) read(s, now_ns);
    }
    if (merger_ && killed) merger_->hurry(rank);
}

void rank_output::announce(std::string_view message, std::int64_t now_ns) {
    if (merger_)
        merger_->announce(message, now_ns);
    else
        err_.waiting.append(message).push_back('\n');
}

void rank_output::flush() {
    if (!merger_) return;
    merger_->flush();
    err_.waiting += merger_->take(INT64_MAX);
}

void rank_output::write(sink& to) {
    ssize_t const put = ::write(to.fd, to.waiting.data(), std::min(to.waiting.size(), to.most_at_once));
    if (put >= 0) {
        to.waiting.erase(0, static_cast<std::size_t>(put));
    } else if (errno != EINTR && errno != EAGAIN) {
        if (errno != EPIPE) lost_ = errno; // who has stopped reading does not miss it
        to.closed = true;
        to.waiting.clear();
    }
}

bool rank_output::busy() const noexcept {
    return !out_.waiting.empty() || !err_.waiting.empty() || due_ns() != INT64_MAX || awaits_ranks();
}

bool rank_output::awaits_ranks() const noexcept {
    return std::any_of(sources_.begin(), sources_.end(), [](source const& s) { return bool{s.fd}; });
}

} // namespace sode::internal::tools
