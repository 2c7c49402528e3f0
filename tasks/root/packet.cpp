// SPDX-License-Identifier: Apache-2.0
#include "tasks/root/packet.hpp"

#include "base/system_error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/uio.h>

namespace sode::internal::tasks {

namespace {

constexpr std::uint64_t protocol = 0x3174656b636150; // "Packet1"

struct head {
    std::uint64_t version = protocol;
    packet_kind kind{};
    std::int32_t task = 0;
    std::int32_t number = 0;
    std::int32_t count = 0;
};

struct alignas(cmsghdr) control_buffer {
    std::array<char, CMSG_SPACE(max_packet_descriptors * sizeof(int))> bytes{};
};

std::vector<unique_fd> descriptors_of(msghdr& message) {
    std::vector<unique_fd> owned;
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
        std::size_t const many = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        std::vector<int> numbers(many);
        std::memcpy(numbers.data(), CMSG_DATA(part), many * sizeof(int));
        for (int const fd : numbers) owned.emplace_back(fd);
    }
    return owned;
}

} // namespace

sent send_packet(int socket, packet const& what, std::span<int const> descriptors) {
    head start{protocol, what.kind, what.task, what.number, what.count};
    std::array<iovec, 2> parts{iovec{&start, sizeof start},
                               iovec{const_cast<char*>(what.text.data()), std::min(what.text.size(), max_packet_text)}};
    control_buffer control;
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    if (!descriptors.empty()) {
        message.msg_control = control.bytes.data();
        message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
        cmsghdr* const rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(descriptors.size_bytes());
        std::memcpy(CMSG_DATA(rights), descriptors.data(), descriptors.size_bytes());
    }
    while (sendmsg(socket, &message, MSG_NOSIGNAL) < 0) {
        if (errno == EINTR) continue;
        if (errno == EAGAIN) return sent::later;
        if (errno == EPIPE || errno == ECONNRESET || errno == ENOTCONN) return sent::gone;
        throw system_error("no message can be sent to the process that starts the tasks on this machine", "sendmsg",
                           "raise `ulimit -n`");
    }
    return sent::yes;
}

received receive_packet(int socket, waiting how) {
    head start;
    std::string text(max_packet_text, '\0');
    std::array<iovec, 2> parts{iovec{&start, sizeof start}, iovec{text.data(), text.size()}};
    control_buffer control;
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    message.msg_control = control.bytes.data();
    message.msg_controllen = control.bytes.size();
    ssize_t got = 0;
    do got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (how == waiting::no ? MSG_DONTWAIT : 0));
    while (got < 0 && errno == EINTR);
    received result;
    if (got < 0 && errno == EAGAIN) return result;
    result.how = received::state::gone;
    if (got <= 0) return result;
    result.descriptors = descriptors_of(message);
    // Descriptors that did not fit are lost where this process has too many open: better no task than one without its input.
    bool const whole = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0;
    if (static_cast<std::size_t>(got) < sizeof start || start.version != protocol || !whole) return result;
    text.resize(static_cast<std::size_t>(got) - sizeof start);
    result.how = received::state::packet;
    result.what = {start.kind, start.task, start.number, start.count, std::move(text)};
    return result;
}

} // namespace sode::internal::tasks
