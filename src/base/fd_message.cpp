// SPDX-License-Identifier: Apache-2.0
#include "base/fd_message.hpp"

#include "base/system_error.hpp"

#include <cstring>
#include <sys/socket.h>

namespace sode::internal {

namespace {

struct alignas(cmsghdr) control_buffer {
    char bytes[CMSG_SPACE(sizeof(int))] = {};
};

} // namespace

void send_with_fd(int socket, void const* data, std::size_t bytes, int fd) {
    iovec part{const_cast<void*>(data), bytes};
    control_buffer control;
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(head), &fd, sizeof fd);
    if (sendmsg(socket, &message, MSG_NOSIGNAL) < 0)
        throw system_error("a file descriptor cannot be sent to another process", "sendmsg", "raise `ulimit -n`");
}

unique_fd receive_with_fd(int socket, void* data, std::size_t bytes) {
    iovec part{data, bytes};
    control_buffer control;
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    ssize_t const received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    cmsghdr const* const head = received < 0 ? nullptr : CMSG_FIRSTHDR(&message);
    if (head == nullptr || head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS ||
        head->cmsg_len != CMSG_LEN(sizeof(int)))
        return {};
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(head), sizeof fd);
    unique_fd owned{fd};
    return static_cast<std::size_t>(received) == bytes && (message.msg_flags & MSG_TRUNC) == 0 ? std::move(owned) : unique_fd{};
}

uid_t peer_user(int socket) {
    ucred who{};
    socklen_t length = sizeof who;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &length) != 0)
        throw system_error("the user of a peer process is unknown", "SO_PEERCRED", "allow getsockopt(SO_PEERCRED) in this sandbox");
    return who.uid;
}

} // namespace sode::internal
