// SPDX-License-Identifier: Apache-2.0
#include "tasks/root/abstract_socket.hpp"

#include "base/limits.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace sode::internal::tasks {

abstract_name abstract_address(std::string const& name) {
    abstract_name result;
    if (name.size() + 1 > sizeof result.address.sun_path)
        throw error{error_kind::internal, "a socket's name is too long", name, "report this defect of Sode"};
    result.address.sun_family = AF_UNIX;
    std::memcpy(result.address.sun_path + 1, name.data(), name.size()); // the first character is the zero that says: no file
    result.bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    return result;
}

std::optional<unique_fd> listen_at(std::string const& name) {
    unique_fd socket{::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
    if (!socket) throw refused("a socket cannot be created", "socket", errno);
    auto const where = abstract_address(name);
    if (bind(socket.get(), where.get(), where.bytes) != 0) {
        if (errno == EADDRINUSE) return std::nullopt;
        throw refused("the process that starts the tasks on this machine cannot bind its socket", "bind", errno);
    }
    if (listen(socket.get(), SOMAXCONN) != 0)
        throw refused("the process that starts the tasks on this machine cannot listen on its socket", "listen", errno);
    return socket;
}

std::string name_of(unique_fd const& listener) {
    abstract_name own;
    own.bytes = sizeof own.address;
    constexpr socklen_t before_the_name = offsetof(sockaddr_un, sun_path) + 1;
    if (getsockname(listener.get(), reinterpret_cast<sockaddr*>(&own.address), &own.bytes) != 0 || own.bytes <= before_the_name)
        return {};
    return {own.address.sun_path + 1, own.bytes - before_the_name};
}

} // namespace sode::internal::tasks
