// SPDX-License-Identifier: Apache-2.0
#include "space/liveness.hpp"

#include "base/unique_fd.hpp"
#include "space/process_identity.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

namespace sode {
namespace {

unique_fd open_process(std::int64_t pid) noexcept {
    return unique_fd{static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0U))};
}

/// Another process of this machine. Watched from the first question on: most ranks are never asked about.
class watched_process {
public:
    explicit watched_process(process_identity who) noexcept : who_(who) {}

    [[nodiscard]] bool gone() noexcept {
        if (!gone_ && !handle_) watch();
        if (!gone_) gone_ = handle_ ? has_ended() : look_up(who_) == process_state::gone;
        return gone_;
    }

private:
    /// Leaves no handle where there is none to be had (no pidfd_open here, no descriptor left): then /proc has the word.
    void watch() noexcept {
        handle_ = open_process(who_.pid);
        // Looked up only now that the handle holds the number: before, another process could take it in between.
        gone_ = handle_ ? look_up(who_) == process_state::gone : errno == ESRCH;
    }
    [[nodiscard]] bool has_ended() const noexcept {
        pollfd waiting{handle_.get(), POLLIN, 0};
        return ::poll(&waiting, 1, 0) > 0;
    }

    process_identity who_;
    unique_fd handle_;
    bool gone_ = false;
};

} // namespace

struct liveness::impl {
    bootstrap& boot;
    std::vector<std::optional<watched_process>> processes; ///< by rank; only those that this rank can see for itself
};

liveness::liveness(bootstrap& boot) : impl_(std::make_unique<impl>(impl{boot, {}})) {
    auto const ranks = static_cast<std::size_t>(boot.size());
    auto const own = static_cast<std::size_t>(boot.rank());
    impl_->processes.resize(ranks);
    if (boot.one_process()) return;

    auto const machines = boot.machines();
    auto const mine = process_identity::mine();
    std::vector<process_identity> all(ranks);
    boot.allgather(&mine, sizeof mine, all.data());
    for (std::size_t rank = 0; rank < ranks; ++rank)
        if (rank != own && machines[rank] == machines[own] && all[rank].numbering == mine.numbering)
            impl_->processes[rank].emplace(all[rank]);
}

liveness::~liveness() = default;

std::optional<std::string> liveness::departed(int rank) noexcept {
    if (auto how = impl_->boot.departed(rank)) return how;
    auto& process = impl_->processes[static_cast<std::size_t>(rank)];
    if (process && process->gone()) return "its process has ended";
    return std::nullopt;
}

} // namespace sode
