// SPDX-License-Identifier: Apache-2.0
#include "space/liveness.hpp"

#include "base/unique_fd.hpp"
#include "space/rank_blocks.hpp"

#include <sode/error.hpp>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>

namespace sode::internal {
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
    process_identity mine;
    rank_blocks identities;
    std::mutex one_at_a_time;
    std::map<int, watched_process> watched; // only those that this rank can see for itself

    impl(bootstrap& b, space& memory, process_identity const& own)
        : boot(b), mine(own), identities(b, memory, sizeof own, [&](std::byte* block) { std::memcpy(block, &own, sizeof own); }) {}

    // Null: this rank cannot see that one.
    watched_process* watch(int rank) {
        if (rank == boot.rank() || boot.one_process()) return nullptr;
        if (auto const known = watched.find(rank); known != watched.end()) return &known->second;
        auto const* const told = identities.of(rank);
        if (!told) return nullptr;
        process_identity theirs;
        std::memcpy(&theirs, told, sizeof theirs);
        return theirs.numbering == mine.numbering ? &watched.try_emplace(rank, theirs).first->second : nullptr;
    }
};

liveness::liveness(bootstrap& boot, space& memory, process_identity const& mine)
    : impl_(std::make_unique<impl>(boot, memory, mine)) {}

liveness::~liveness() = default;

std::size_t liveness::watched() const noexcept {
    return impl_->watched.size();
}

std::optional<std::string> liveness::departed(int rank) noexcept {
    if (auto how = impl_->boot.departed(rank)) return how;
    std::scoped_lock const lock{impl_->one_at_a_time};
    try {
        if (auto* const process = impl_->watch(rank); process && process->gone()) return "its process has ended";
        // NOLINTNEXTLINE(bugprone-empty-catch): where its memory cannot be opened, nothing is known of it, as of ranks elsewhere
    } catch (error const&) {
    }
    return std::nullopt;
}

} // namespace sode::internal
