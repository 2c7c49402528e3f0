// SPDX-License-Identifier: Apache-2.0
#include "space/fd_mailbox.hpp"

#include "base/fd_message.hpp"
#include "base/random_digits.hpp"
#include "base/system_error.hpp"

#include <fmt/format.h>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <thread>

namespace sode::internal {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::string_view problem = "shared memory cannot be passed between the ranks of this machine";
constexpr int most_waiting = 16;

struct address {
    sockaddr_un socket{};
    socklen_t length = 0;

    explicit address(std::string_view name) noexcept {
        socket.sun_family = AF_UNIX;
        auto const characters = std::min(name.size(), sizeof socket.sun_path - 1);
        std::memcpy(socket.sun_path + 1, name.data(), characters); // behind a zero: abstract, not in any file system
        length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + characters);
    }
    [[nodiscard]] sockaddr const* get() const noexcept { return reinterpret_cast<sockaddr const*>(&socket); }
};

bool same_user(int socket) {
    return peer_user(socket) == ::geteuid();
}

unique_fd local_socket(int flags) {
    unique_fd made{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0)};
    if (!made) throw system_error(problem, "socket", "raise `ulimit -n`, and allow unix sockets in this sandbox");
    return made;
}

/// True once `fd` can be read, false after `patience`.
bool readable(int fd, milliseconds patience) noexcept {
    pollfd waiting{fd, POLLIN, 0};
    return ::poll(&waiting, 1, static_cast<int>(patience.count())) > 0;
}

} // namespace

fd_mailbox::fd_mailbox() : name_("sode-" + random_digits(16)), socket_(local_socket(SOCK_NONBLOCK)) {
    address const own{name_};
    if (::bind(socket_.get(), own.get(), own.length) != 0 || ::listen(socket_.get(), most_waiting) != 0)
        throw system_error(problem, "bind", "allow unix sockets in this sandbox");
}

unique_fd fd_mailbox::receive(bootstrap& boot, int from, milliseconds patience) {
    constexpr milliseconds between_looks{20};
    auto const deadline = clock::now() + patience;
    while (clock::now() < deadline) {
        if (readable(socket_.get(), between_looks)) {
            unique_fd const connection{::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC)};
            if (!connection && (errno == EMFILE || errno == ENFILE)) throw system_error(problem, "accept", "raise `ulimit -n`");
            if (!connection || !same_user(connection.get())) continue;
            // The sender writes before it does anything else, so an empty connection is not from it.
            if (!readable(connection.get(), std::min(patience, milliseconds{1000}))) continue;
            char content = 0;
            if (auto fd = receive_with_fd(connection.get(), &content, sizeof content)) return fd;
        } else if (auto const how = boot.departed(from)) {
            throw error{error_kind::peer, problem,
                        fmt::format("rank {} terminated before it had sent the file descriptor: {}", from, *how),
                        "look at the messages of that rank"};
        }
    }
    throw error{error_kind::timeout, problem,
                fmt::format("rank {} has not sent the file descriptor in {} ms", from, patience.count()),
                "check whether that rank hangs"};
}

void send_descriptor(int fd, std::string_view mailbox, milliseconds patience) {
    auto const deadline = clock::now() + patience;
    auto const connection = local_socket(SOCK_NONBLOCK);
    address const peer{mailbox};
    while (::connect(connection.get(), peer.get(), peer.length) != 0) {
        // EAGAIN: so many are waiting to be let in that this one has to come again.
        if (errno != EAGAIN && errno != EINTR) throw system_error(problem, "connect", "check whether a rank has died");
        if (clock::now() > deadline)
            throw error{error_kind::timeout, problem, "another rank does not read its messages", "check whether that rank hangs"};
        std::this_thread::sleep_for(milliseconds{1});
    }
    if (!same_user(connection.get()))
        throw error{error_kind::environment, problem, "a peer's mailbox belongs to another user",
                    "run all ranks of a job as one user"};

    char const content = 'f';
    send_with_fd(connection.get(), &content, sizeof content, fd);
}

} // namespace sode::internal
