// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/job_control.hpp"
#include "base/unique_fd.hpp"
#include "launch/launch.hpp"
#include "launch/placement.hpp"
#include "launch/rank_output.hpp"
#include "launch/rank_process.hpp"
#include "launch/task_ranks.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace sode::internal::tools {

/// The parent of the ranks: starts them, tells everybody how each ended, and sees to it that all end. See launch().
class keeper {
public:
    /// `front_lives` can be read (end of file) when the front has died; `input` is what rank 0 reads, if not the standard input.
    /// The watched signals must be blocked.
    keeper(launch_options const& options, placement where, job_control& control, job_place const& job,
           inherited_state const& inherited, unique_fd front_lives, unique_fd input);

    /// The exit status of the job, once all its processes have ended. Errors: environment, if ranks cannot be started (those that
    /// were are killed).
    [[nodiscard]] int run();

private:
    // What happens to the ranks that are left, in this order.
    enum class stage { running, grace, terminating, killing };

    struct started_rank {
        bool runs = false;
        pid_t pid = 0; ///< of a process; tasks are known to their root
    };

    void start_all();
    void start(int rank, unique_fd const& report, unique_fd const& nothing);
    /// None is started, and that is all there is to the job.
    void refuse(int why);
    /// 0, or the errno of a rank that could not be executed.
    [[nodiscard]] static int first_failure(unique_fd const& report);
    void keep();
    void on_signals();
    void escalate(int signal);
    void reap();
    void hear_of_tasks();
    void on_exit(int rank, bool by_signal, int number, bool dumped);
    void on_time();
    void enter(stage next);
    void signal_all(int signal);
    [[nodiscard]] int milliseconds_to_act() const;
    void finish_output();
    /// Tells the user, behind what ranks have said.
    void say(std::string_view problem, std::string_view why = {}, std::string_view suggestion = {});

    launch_options const& options_;
    placement where_;
    job_control& control_;
    job_place job_;
    inherited_state const& inherited_;
    unique_fd front_lives_;
    unique_fd input_;
    unique_fd signals_;
    std::optional<rank_output> output_; ///< unless a rank alone writes where we would
    std::optional<task_ranks> tasks_;   ///< if ranks are tasks

    std::vector<started_rank> ranks_;
    std::set<int> asked_; ///< signals that have been passed on
    int alive_ = 0;
    int status_ = 0;
    stage stage_ = stage::running;
    std::int64_t act_at_ns_ = INT64_MAX; ///< when the next stage begins
};

} // namespace sode::internal::tools
