// SPDX-License-Identifier: Apache-2.0
#include "tasks/root/root_link.hpp"

#include "base/fd_message.hpp"
#include "base/limits.hpp"
#include "tasks/root/abstract_socket.hpp"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <sys/socket.h>
#include <vector>

namespace sode::internal::tasks {

namespace {

/// Connected to whoever listens at that name.
std::optional<unique_fd> connected(std::string const& name) {
    unique_fd socket{::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)};
    if (!socket) throw refused("a socket cannot be created", "socket", errno);
    auto const where = abstract_address(name);
    while (connect(socket.get(), where.get(), where.bytes) != 0) {
        if (errno == EINTR) continue;
        // EPROTOTYPE: somebody's socket of another kind.
        if (errno == ECONNREFUSED || errno == EAGAIN || errno == EPROTOTYPE) return std::nullopt;
        throw refused("the process that starts the tasks on this machine cannot be reached", "connect", errno);
    }
    return socket;
}

} // namespace

std::optional<root_link> root_link::to(std::string const& name) {
    auto socket = connected(name);
    if (!socket || peer_user(socket->get()) != geteuid()) return std::nullopt;
    return root_link{std::move(*socket)};
}

std::optional<uid_t> root_link::stranger_at(std::string const& name) {
    auto const socket = connected(name);
    if (!socket) return std::nullopt;
    auto const owner = peer_user(socket->get());
    return owner == geteuid() ? std::nullopt : std::optional{owner};
}

bool root_link::order(std::int32_t task, unique_fd const& request, std::span<int const> descriptors) {
    std::vector<int> all{request.get()};
    all.insert(all.end(), descriptors.begin(), descriptors.end());
    packet what{packet_kind::order, task, static_cast<std::int32_t>(all.size()), 0, {}};
    std::span<int const> left{all};
    while (!left.empty()) {
        auto const some = left.first(std::min(left.size(), max_packet_descriptors));
        if (send_packet(socket_.get(), what, some) != sent::yes) return false;
        left = left.subspan(some.size());
        what.kind = packet_kind::descriptors;
    }
    return true;
}

std::optional<packet> root_link::receive() {
    auto got = receive_packet(socket_.get());
    if (got.how != received::state::packet) return std::nullopt;
    return std::move(got.what);
}

} // namespace sode::internal::tasks
