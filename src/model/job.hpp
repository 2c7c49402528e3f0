// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/config.hpp"
#include "base/worker_pool.hpp"
#include "cost/profile.hpp"
#include "engine/context.hpp"
#include "engine/thread_engines.hpp"
#include "model/probe.hpp"
#include "model/tracing.hpp"
#include "space/wait_table.hpp"

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sode {
class reductions;
class way;
} // namespace sode

namespace sode::detail {

class watch_list;

/// As the headers know it.
class worker_threads : public worker_pool {
public:
    using worker_pool::worker_pool;
};

/// What one rank shares among its objects: how it reaches the others, its memory, how it waits, what it knows of the machine.
struct job : std::enable_shared_from_this<job> {
    job(std::unique_ptr<bootstrap> b, config s);
    ~job();
    job(job const&) = delete;
    job& operator=(job const&) = delete;

    config settings;
    std::unique_ptr<bootstrap> boot;
    wait_policy waiting;
    int ranks_on_machine = 1;
    int usable_cores = 1;
    std::unique_ptr<space> memory;
    quarantine freed;
    liveness alive;
    std::unique_ptr<wait_table> waits;
    std::unique_ptr<team> ranks;
    profile costs;                           ///< equal on all ranks
    std::string profile_file;                ///< where they are from; empty: built in
    distance_table distances;                ///< of this machine; equal on all its ranks
    std::unique_ptr<tracing> trace;          ///< null: not wanted
    std::unique_ptr<worker_threads> workers; ///< SODE_THREADS; null: loops run in the rank's own thread
    std::unique_ptr<thread_engines> helper;  ///< SODE_ENGINE=thread
    way const* forced = nullptr;             ///< SODE_CHANNEL; null: the model chooses
    engine_kind const* engines = nullptr;    ///< who runs plans; null: the caller, in its own time
    std::shared_ptr<watch_list> watches;
    std::vector<std::string> arguments;
    int unwinding = 0; ///< exceptions in flight when the job was made
    unsigned stagger = 0;
    unsigned unnamed = 0;                ///< arrays without a name so far
    std::shared_ptr<reductions> reduced; ///< plans of reduce() and broadcast(), made when first called for; null: none yet
    std::vector<std::pair<std::weak_ptr<void const>, std::string>> arrays;

    [[nodiscard]] context surroundings() {
        return {*ranks, *memory, freed, alive, waiting, trace ? &trace->log() : nullptr, waits.get(), &ended, engines};
    }
    /// Leaves the job, collectively: what the user's runtime does when it is destroyed. Objects that live longer keep the memory.
    void end();
    bool ended = false;
    /// True while an exception passes that has been thrown since the job was made.
    [[nodiscard]] bool unwinds() const noexcept { return std::uncaught_exceptions() > unwinding; }
    /// Errors: usage, if the runtime is gone, of which `what` would need the job.
    void require_running(std::string_view what) const {
        if (ended) [[unlikely]]
            refuse_ended(what);
    }
    /// For a word to the user about arrays that live too long.
    void remember(std::weak_ptr<void const> array, std::string name);

    /// Measures again how far apart the cores are. Collective, some milliseconds.
    void probe();

private:
    [[nodiscard]] std::optional<processor_set> place_of_helper() const;
};

} // namespace sode::detail
