// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal {

/// The environment variables that Sode reads: all of them, here and nowhere else. docs/environment.md is made of the same table.
struct setting {
    std::string_view name;    ///< "SODE_TIMEOUT"
    std::string_view value;   ///< what it takes: "SECONDS"
    std::string_view meaning; ///< one sentence
};
[[nodiscard]] std::vector<setting> const& settings();

/// What to check beyond the default, from SODE_CHECK=plan,collective,halo (comma separated, or `all`).
struct check_levels {
    bool plan = false;
    bool collective = false;
    bool halo = false;
};

/// The environment, read once per runtime. Errors: usage, for a value that cannot be understood, or for an unknown SODE_* variable
/// (a spelling mistake must not be ignored; the message suggests the nearest name).
struct config {
    check_levels check;
    std::string channel;              ///< SODE_CHANNEL: force every edge; a name that nobody has looked at yet
    std::string profile;              ///< SODE_PROFILE: file with measured constants; "default": those that are built in
    std::string trace;                ///< SODE_TRACE: file for what happened when
    std::size_t trace_events = 65536; ///< SODE_TRACE_EVENTS: that a rank keeps
    double timeout_s = 0;             ///< SODE_TIMEOUT
    double warn_s = 30;               ///< SODE_WARN
    int spins = -1;                   ///< SODE_SPIN: polls before yielding; -1 = decide by ranks and cores
    int tiles = 0;                    ///< SODE_TILES: steps of a march that are taken at a time; 0: as it is found by trying
    int threads = 1;                  ///< SODE_THREADS: that run the loops of a rank, its own included
    std::string engine;               ///< SODE_ENGINE: inline, thread, triggered or auto; empty: inline
    int interfaces = 1;               ///< SODE_ENGINE=triggered:COUNT
    std::string engine_cores;         ///< SODE_ENGINE_CORES: processors for engines with threads; empty: where the rank may run
    bool progress_thread = true;      ///< SODE_PROGRESS=thread: one serves the windows of other machines; calls: the rank itself
    bool windows = false;             ///< no variable: the program has said that it will have windows
    std::string device;               ///< SODE_DEVICE: none, emulated[:COUNT], cuda[:NUMBER]; empty: the machine's, if it has one
    std::size_t device_bytes = 0;     ///< SODE_DEVICE_MEMORY: of an emulated device; 0: as much as there is
    std::string mpi;                  ///< SODE_MPI: openmpi, mpich or none; empty: find out
    std::string plugins;              ///< SODE_PLUGINS: the folder of libsode-channel-*.so
    int machine_size = 0;             ///< SODE_MACHINE_SIZE: ranks that pretend to be a machine; 0: all of a machine
    std::vector<int> torus;           ///< SODE_TORUS: extents of the torus that machines form; empty: nobody has said
    int subcluster = 0;               ///< SODE_SUBCLUSTER: machines of a sub-cluster; 0: there are none
    std::string space;                ///< SODE_SPACE: segment or tasks; empty: the best
    std::string mpi_path;             ///< SODE_MPI_PATH: how messages of MPI go: plain, direct, both, push, staged; empty: decide
    std::string mpi_collectives;      ///< SODE_MPI_COLLECTIVES: which go by plans: on, off; empty or learn: where it is faster
    std::string choice;               ///< SODE_CHOICE: model, learn or fixed; empty: learn
    std::string choice_file;          ///< what follows it: what was learnt before
    double choice_margin = 0;         ///< SODE_CHOICE_MARGIN: ways up to so many times the best one's time are tried; 0: find out
    std::size_t mpi_eager_bytes = 0;  ///< SODE_MPI_EAGER: up to here messages of MPI are left alone; 0: find out
    bool mpi_report = false;          ///< SODE_MPI_REPORT
    std::size_t segment_bytes = 0;    ///< SODE_SEGMENT_SIZE: most memory a rank may have in the segment; 0 = all of the machine

    /// Variables that were set but not obeyed, because they name files and this program has rights that its caller need not have
    /// (set-user-id, set-group-id, file capabilities).
    std::vector<std::string> disregarded;

    [[nodiscard]] static config from_environment();
};

} // namespace sode::internal
