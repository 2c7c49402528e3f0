// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <sode/bootstrap.hpp>

#include <chrono>
#include <string>
#include <string_view>

namespace sode::internal {

/// A place where one process waits for one file descriptor of another process of the same user: an abstract unix socket (no file to
/// be left behind) with an unguessable name. Whoever knows the name can knock, so both ends ask the kernel who the other is
/// (SO_PEERCRED), and a stranger's knock is ignored.
///
/// The receiver listens and the sender connects: sending to many never waits for any of them.
class fd_mailbox {
public:
    /// Errors: environment.
    fd_mailbox();

    /// To be told to the sender. `name_bytes` characters.
    [[nodiscard]] std::string const& name() const noexcept { return name_; }
    static constexpr std::size_t name_bytes = 37;

    /// Waits for what rank `from` of `boot` sends. Errors: peer, if that rank leaves instead; timeout.
    [[nodiscard]] unique_fd receive(bootstrap& boot, int from, std::chrono::milliseconds patience);

private:
    std::string name_;
    unique_fd socket_;
};

/// Puts `fd` into the mailbox of that name. Errors: environment, if there is none or if it belongs to another user; timeout.
void send_descriptor(int fd, std::string_view mailbox, std::chrono::milliseconds patience);

} // namespace sode::internal
