// SPDX-License-Identifier: Apache-2.0
#include "tasks/node/root_link.hpp"

#include "base/fd_message.hpp"
#include "base/system_error.hpp"
#include "tasks/node/node_socket.hpp"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <sys/socket.h>
#include <vector>

namespace sode::tasks {

std::optional<root_link> root_link::to(std::string const& name) {
    unique_fd socket{::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)};
    if (!socket) throw system_error("no socket can be made", "socket", "look at `ulimit -n`");
    auto const where = abstract_address(name);
    while (connect(socket.get(), where.get(), where.bytes) != 0) {
        if (errno == EINTR) continue;
        if (errno == ECONNREFUSED || errno == EAGAIN) return std::nullopt;
        throw system_error("the root of the tasks cannot be reached", "connect", "");
    }
    if (uid_t const owner = peer_user(socket.get()); owner != geteuid())
        throw error{error_kind::environment, "this node's tasks have another root than yours",
                    fmt::format("user {} has taken the socket @{}", owner, name),
                    "tell that user, or use another network namespace"};
    return root_link{std::move(socket)};
}

bool root_link::order(std::int32_t task, rank_request const& request, std::span<int const> descriptors) {
    unique_fd const file = write_request(request);
    std::vector<int> all{file.get()};
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

} // namespace sode::tasks
