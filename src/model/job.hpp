// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/config.hpp"
#include "engine/context.hpp"
#include "model/probe.hpp"
#include "model/profile.hpp"
#include "model/tracing.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sode::detail {

class watch_list;

/// What one rank shares among its objects: how it reaches the others, its memory, how it waits, what it knows of the machine.
struct job {
    job(std::unique_ptr<bootstrap> b, config settings);
    ~job();
    job(job const&) = delete;
    job& operator=(job const&) = delete;

    config settings;
    std::unique_ptr<bootstrap> boot;
    wait_policy waiting;
    int ranks_on_node = 1;
    int usable_cores = 1;
    int nodes = 1;
    std::unique_ptr<space> memory;
    quarantine freed;
    liveness alive;
    profile costs;                  ///< equal on all ranks
    std::string profile_file;       ///< where they are from; empty: built in
    distance_table distances;       ///< equal on all ranks
    std::unique_ptr<tracing> trace; ///< null: not wanted
    std::shared_ptr<watch_list> watches;
    std::vector<std::string> arguments;
    int unwinding = 0; ///< exceptions in flight when the job was made
    unsigned stagger = 0;
    unsigned unnamed = 0; ///< arrays without a name so far
    /// Plans that collective calls make at first use and keep; keyed by what the plan depends on.
    std::map<std::string, std::shared_ptr<void>> kept;

    [[nodiscard]] context surroundings() { return {*boot, *memory, freed, alive, waiting, trace ? &trace->log() : nullptr}; }
    /// Measures again how far apart the cores are. Collective, some milliseconds.
    void probe();
};

} // namespace sode::detail
