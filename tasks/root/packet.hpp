// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sode::internal::tasks {

/// What is said between the root of a machine's tasks and its clients (stubs, `sode run`, `sode gdb`), over a SOCK_SEQPACKET
/// socket. Numbers of tasks are the client's own.
enum class packet_kind : std::uint32_t {
    order = 1,   ///< start a task: `number` descriptors follow in all; the first is a memory file with a rank_request
    descriptors, ///< more of the descriptors of the last order
    signal,      ///< send signal `number` to the task and its process group; `count`: how many SIGCONT this client has sent so far
    list,        ///< which tasks are there?
    started,     ///< the task runs as process `number`
    failed,      ///< it could not be started: errno `number` (0: none says why), and why in words
    stopped,     ///< it has been stopped; `count`: how many of the client's SIGCONT had been delivered before
    ended,       ///< its wait status is `number`
    listed       ///< an answer to `list`, a line a task
};

struct packet {
    packet_kind kind{};
    std::int32_t task = 0;
    std::int32_t number = 0;
    std::int32_t count = 0;
    std::string text; ///< at most max_packet_text bytes are sent
};

inline constexpr std::size_t max_packet_text = 32768;
/// The kernel takes 253 descriptors a message (SCM_MAX_FD).
inline constexpr std::size_t max_packet_descriptors = 250;

enum class sent { yes, later, gone };

/// One packet. `later`: the socket does not block and is full; `gone`: nobody reads any more. Errors: environment.
[[nodiscard]] sent send_packet(int socket, packet const& what, std::span<int const> descriptors = {});

struct received {
    enum class state { packet, nothing, gone } how = state::nothing;
    packet what;
    std::vector<unique_fd> descriptors; ///< close-on-exec
};

enum class waiting { as_the_socket, no };

/// The next packet; `nothing`: it does not wait for one, and none is there. What is no packet of this version counts as `gone`.
[[nodiscard]] received receive_packet(int socket, waiting how = waiting::as_the_socket);

} // namespace sode::internal::tasks
