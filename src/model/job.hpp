// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/config.hpp"
#include "base/worker_pool.hpp"
#include "cost/profile.hpp"
#include "device/accelerator.hpp"
#include "engine/context.hpp"
#include "engine/engine.hpp"
#include "model/probe.hpp"
#include "model/tracing.hpp"
#include "space/wait_table.hpp"

#include <exception>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sode::internal {
class reductions;
class way;

/// How a rank accesses memory of other machines, and lets them access its own: what the floors above make of it (window/).
class remote_access {
public:
    virtual ~remote_access() = default;
    /// A barrier in which it goes on answering. Collective. Errors: peer, timeout.
    virtual void meet() = 0;
    /// Before the job ends. Collective, unless an exception passes: then `orderly` is false, and nobody is waited for.
    virtual void end(bool orderly) noexcept = 0;
};
} // namespace sode::internal

namespace sode::detail {
using namespace internal;

class watch_list;

/// As the headers know it.
class worker_threads : public worker_pool {
public:
    using worker_pool::worker_pool;
};

/// What one rank shares among its objects: how it reaches the others, its memory, how it waits, what it knows of the machine.
struct job : std::enable_shared_from_this<job> {
    job(std::unique_ptr<bootstrap> b, config s);
    /// Collective among `members`, ranks of `of`, of which this is one: they are a job of their own, which knows what `of` knows,
    /// and numbers them in this order. Errors: usage, if they make no part; those of part_bootstrap.
    job(job& of, std::vector<int> const& members);
    ~job();
    job(job const&) = delete;
    job& operator=(job const&) = delete;

    config settings;
    std::shared_ptr<job> whole; ///< of which this is a part; null: it is none
    job_part part;              ///< if so
    std::unique_ptr<bootstrap> boot;
    wait_policy waiting;
    int ranks_on_machine = 1;
    int usable_cores = 1;
    machine_map machines; ///< of each rank
    std::unique_ptr<space> memory;
    quarantine freed;
    std::shared_ptr<liveness> alive;   ///< ranks as the whole job calls them
    std::shared_ptr<wait_table> waits; ///< the same
    std::unique_ptr<team> ranks;
    profile costs;                           ///< equal on all ranks
    std::string profile_file;                ///< where they are from; empty: built in
    distance_table distances;                ///< of this machine; equal on all its ranks
    std::shared_ptr<tracing> trace;          ///< null: not wanted
    std::shared_ptr<worker_threads> workers; ///< SODE_THREADS; null: loops run in the rank's own thread
    std::shared_ptr<engine_kind> helper;     ///< SODE_ENGINE=thread or triggered, or auto where processors are spare
    way const* forced = nullptr;             ///< SODE_CHANNEL; null: the model chooses
    std::int64_t worth_engines = 0;          ///< as in context; SODE_ENGINE=auto
    engine_kind const* engines = nullptr;    ///< who runs plans; null: the caller, in its own time
    std::shared_ptr<watch_list> watches;
    std::vector<std::string> arguments;
    int unwinding = 0; ///< exceptions in flight when the job was made
    unsigned stagger = 0;
    unsigned unnamed = 0;                  ///< arrays without a name so far
    std::shared_ptr<reductions> reduced;   ///< plans of reduce() and broadcast(), made when first called for; null: none yet
    std::shared_ptr<remote_access> remote; ///< null: there are no windows between machines
    std::vector<std::pair<std::weak_ptr<void const>, std::string>> arrays;

    [[nodiscard]] context surroundings() {
        auto* const has = whole ? whole->device_.get() : device_.get();
        return {*ranks,
                *memory,
                freed,
                *alive,
                waiting,
                trace ? &trace->log() : nullptr,
                waits.get(),
                &ended,
                engines,
                worth_engines,
                has ? &has->memory() : nullptr,
                has};
    }
    /// The device of this rank, which is opened when it is first asked for. Errors: environment, if it has none.
    [[nodiscard]] accelerator& need_device();
    /// Leaves the job, collectively: what the user's runtime does when it is destroyed. Objects that live longer keep the memory.
    void end();
    /// The same of a part, by one of its ranks alone, once all of them have come to its end, which they have told each other by
    /// other means.
    void end_as_all_have() noexcept;
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

    /// Some ranks of this job, as a job of their own: see the constructor.
    [[nodiscard]] std::shared_ptr<job> make_part(std::vector<int> const& members);
    /// The part that these ranks are, made when first asked for: for what is planned by them alone, without a word of the user's.
    /// Collective among them then.
    [[nodiscard]] job& part_of(std::vector<int> const& members);
    /// Memory for the collectives of such a part, whose first member this rank is; and when they are over.
    [[nodiscard]] std::byte* take_board(std::vector<int> const& members);
    void give_board(std::vector<int> const& members, std::byte* place) { boards_.emplace(members, place); }

    /// Measures again how far apart the cores are. Collective, some milliseconds.
    void probe();

private:
    std::unique_ptr<accelerator> device_; // of the whole; null: nobody has asked for one
    [[nodiscard]] job_part number_part(std::vector<int> members);
    void end_whole() noexcept;
    void end_part() noexcept;
    void leave_part() noexcept; // all have come to its end
    void end_parts() noexcept;  // all there are of this one
    [[nodiscard]] std::shared_ptr<engine_kind> make_helper(int threads, bool interfaces) const;

    std::vector<std::weak_ptr<job>> parts_;                       // those that users hold
    std::map<std::vector<int>, std::shared_ptr<job>> kept_parts_; // those of part_of()
    std::map<std::vector<int>, std::uint64_t> parts_made_;        // by members: parts of equal ones are told apart
    std::multimap<std::vector<int>, std::byte*> boards_;          // that nobody uses
};

} // namespace sode::detail
