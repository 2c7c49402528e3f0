// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"
#include "tasks/root/packet.hpp"
#include "tasks/root/task_starter.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace sode::internal::tasks {

/// The root of a machine's tasks: the parent of all of them, in whose address space they live. It starts what clients order, passes
/// signals on, and tells each client how its tasks end. A client that dies takes its tasks with it.
///
/// It ends with its last task, but waits for ranks that the launcher has announced and that have not come yet.
class root {
public:
    /// `listener`: where clients come to; `first`: one that is there already. Either may be empty. All signals must be blocked.
    /// Errors: environment.
    root(task_starter& starter, unique_fd listener, unique_fd first);

    void run();

private:
    struct order {
        packet head;
        std::vector<unique_fd> descriptors;
    };
    struct client {
        unique_fd socket;
        std::vector<order> unfinished; ///< at most one: descriptors of it are still to come
        std::deque<packet> unsent;
    };
    struct task {
        int client = -1; ///< its descriptor; -1: gone
        std::int32_t number = 0;
        std::int32_t continues = 0; ///< SIGCONT that its client sent
        int rank = -1;
        std::string path;
        running_task running;
    };

    void watch(int fd, std::uint32_t events);
    void add_client(unique_fd socket);
    void accept_clients();
    void serve(int fd, std::uint32_t events);
    void on_packet(client& from, received& got);
    void start(client& from, order&& what);
    void pass_signal(client const& from, packet const& what);
    void list(client& to);
    void drop(int fd);
    void say(int client_fd, packet what);
    void flush(client& to);
    void reap();
    void tell_of_stops();
    void on_end(pid_t pid, int status);
    void look_for_end();
    [[nodiscard]] bool more_will_come() const;

    task_starter& starter_;
    bool keeper_; ///< there is one client whose tasks these are; others only look
    unique_fd listener_;
    unique_fd signals_;
    unique_fd events_;
    unique_fd launcher_; ///< a pidfd, once a request has named it
    std::map<int, client> clients_;
    std::map<pid_t, task> tasks_;
    int seen_ = 0;     ///< tasks that have been ordered
    int expected_ = 0; ///< on this machine; 0: nobody says
    std::int64_t leave_at_ns_ = INT64_MAX;
};

} // namespace sode::internal::tasks
