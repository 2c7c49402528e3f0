// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/config.hpp"

#include <sode/bootstrap.hpp>

#include <functional>
#include <memory>
#include <string>

namespace sode::internal {

/// A job whose ranks are threads of this process: for sanitizers, several ranks on one GPU, and teaching.
class thread_team {
public:
    explicit thread_team(int ranks, config const& settings = {});

    /// The bootstrap of one rank. Each is taken once; it may outlive the team.
    [[nodiscard]] std::unique_ptr<bootstrap> join(int rank);

    /// Rank `rank` takes part no more, and `how` says why: those who wait for it get error{peer}. Call it once a rank.
    void leave(int rank, std::string how) noexcept;

private:
    struct shared;
    std::shared_ptr<shared> shared_;
};

/// Runs `body` on `ranks` threads, each with its own bootstrap, and waits for all. A body that returns or throws has left the job.
/// If bodies threw, throws again the first exception that was thrown (the others are mostly its consequences).
void run_as_threads(int ranks, std::function<void(std::unique_ptr<bootstrap>)> const& body, config const& settings = {});

} // namespace sode::internal
