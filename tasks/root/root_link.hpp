// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"
#include "tasks/root/packet.hpp"

#include <optional>
#include <span>
#include <string>
#include <sys/types.h>

namespace sode::internal::tasks {

/// A client's end of the connection to the root.
class root_link {
public:
    root_link() = default;
    explicit root_link(unique_fd socket) : socket_(std::move(socket)) {}

    /// Connects to the root of that name; empty if there is none, or if it is a stranger's. Errors: environment.
    [[nodiscard]] static std::optional<root_link> to(std::string const& name);
    /// The user who listens at that name, if that is another one.
    [[nodiscard]] static std::optional<uid_t> stranger_at(std::string const& name);

    /// Orders a task. `request` is what write_request() made; `descriptors` will have the numbers that it says, in that order.
    /// False: the root is gone. Errors: environment.
    [[nodiscard]] bool order(std::int32_t task, unique_fd const& request, std::span<int const> descriptors);
    bool send(packet const& what) { return send_packet(socket_.get(), what) == sent::yes; }
    /// Waits for the next packet; empty once the root is gone.
    [[nodiscard]] std::optional<packet> receive();

    [[nodiscard]] int fd() const noexcept { return socket_.get(); }

private:
    unique_fd socket_;
};

} // namespace sode::internal::tasks
