// SPDX-License-Identifier: Apache-2.0
#include "launch/prefixed_output.hpp"

#include "base/system_error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

namespace sode::tools {

namespace {

constexpr std::size_t read_bytes = 65536;
constexpr std::size_t most_waiting = 256 * 1024; // then ranks have to wait
constexpr std::size_t longest_line = 1 << 20;    // a longer one is broken, so that a rank cannot fill our memory

// poll() promises room for PIPE_BUF bytes in a pipe; files never block.
std::size_t bytes_without_blocking(int fd) {
    struct stat status {};
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? read_bytes : PIPE_BUF;
}

bool same_file(int a, int b) {
    struct stat sa {};
    struct stat sb {};
    return fstat(a, &sa) == 0 && fstat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

} // namespace

prefixed_output::prefixed_output() : one_sink_(same_file(STDOUT_FILENO, STDERR_FILENO)) {
    out_.fd = STDOUT_FILENO;
    out_.most_at_once = bytes_without_blocking(STDOUT_FILENO);
    err_.fd = STDERR_FILENO;
    err_.most_at_once = bytes_without_blocking(STDERR_FILENO);
}

unique_fd prefixed_output::pipe_for(int rank, int destination) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw system_error("no more pipes can be made", "pipe2", "use fewer ranks or no --prefix, or look at `ulimit -n`");
    sources_.push_back(
        {unique_fd{ends[0]}, fmt::format("[{}] ", rank), {}, destination == STDOUT_FILENO || one_sink_ ? &out_ : &err_});
    return unique_fd{ends[1]};
}

void prefixed_output::watch(std::vector<pollfd>& polls) {
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

void prefixed_output::serve(pollfd const* polls) {
    for (source* const s : watched_sources_)
        if ((polls++)->revents != 0) read(*s);
    for (sink* const s : watched_sinks_)
        if ((polls++)->revents != 0) write(*s);
}

void prefixed_output::read(source& from) {
    std::array<char, read_bytes> buffer;
    ssize_t const got = ::read(from.fd.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) return;
    if (got <= 0 || from.to->closed) {
        if (!from.line.empty()) pass_on(from, {});
        from.fd.reset(); // where nobody reads our output, the rank's next write fails as it would without us
        return;
    }
    std::string_view text{buffer.data(), static_cast<std::size_t>(got)};
    for (auto newline = text.find('\n'); newline != std::string_view::npos; newline = text.find('\n')) {
        pass_on(from, text.substr(0, newline));
        text.remove_prefix(newline + 1);
    }
    from.line += text;
    if (from.line.size() > longest_line) pass_on(from, {});
}

void prefixed_output::pass_on(source& from, std::string_view line) {
    from.to->waiting.append(from.prefix).append(from.line).append(line).push_back('\n');
    from.line.clear();
}

void prefixed_output::write(sink& to) {
    ssize_t const put = ::write(to.fd, to.waiting.data(), std::min(to.waiting.size(), to.most_at_once));
    if (put >= 0) {
        to.waiting.erase(0, static_cast<std::size_t>(put));
    } else if (errno != EINTR && errno != EAGAIN) {
        to.closed = true;
        to.waiting.clear();
    }
}

bool prefixed_output::busy() const noexcept {
    return !out_.waiting.empty() || !err_.waiting.empty() ||
           std::any_of(sources_.begin(), sources_.end(), [](source const& s) { return bool{s.fd}; });
}

} // namespace sode::tools
