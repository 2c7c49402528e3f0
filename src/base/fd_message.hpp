// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <cstddef>
#include <sys/types.h>

namespace sode::internal {

/// Sends `bytes` bytes and a descriptor over a unix socket, as one message. Errors: environment.
void send_with_fd(int socket, void const* data, std::size_t bytes, int fd);

/// Receives such a message without waiting for it; the descriptor comes close-on-exec. An empty result: there is no message, or not
/// one of exactly `bytes` bytes with a descriptor.
[[nodiscard]] unique_fd receive_with_fd(int socket, void* data, std::size_t bytes);

/// Who holds (or, of a socketpair, made) the other end. Errors: environment, if `socket` is no unix socket.
[[nodiscard]] uid_t peer_user(int socket);

} // namespace sode::internal
