// SPDX-License-Identifier: Apache-2.0
#include "base/config.hpp"

#include "base/nearest.hpp"
#include "base/processors.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace sode::internal {

namespace {

[[noreturn]] void reject(setting const& what, std::string_view value, std::string_view why) {
    throw error{error_kind::usage, fmt::format("{}={} is invalid", what.name, value), why,
                fmt::format("set {} to {}, or unset this variable", what.name, what.value)};
}

template <typename Number> bool parse(std::string_view text, Number& number) {
    auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc{} && end == text.data() + text.size();
}

std::vector<std::string_view> split(std::string_view list) {
    std::vector<std::string_view> items;
    while (true) {
        auto const comma = list.find(',');
        items.push_back(list.substr(0, comma));
        if (comma == std::string_view::npos) return items;
        list.remove_prefix(comma + 1);
    }
}

void one_of(setting const& what, std::string_view value, std::vector<std::string_view> const& names) {
    if (std::find(names.begin(), names.end(), value) != names.end()) return;
    std::string const near = nearest(value, names);
    reject(what, value,
           near.empty() ? fmt::format("\"{}\" is not one of {}", value, fmt::join(names, ", "))
                        : fmt::format("there is no \"{}\"; did you mean \"{}\"?", value, near));
}

void set_check(config& c, setting const& what, std::string_view value) {
    for (std::string_view const level : split(value)) {
        one_of(what, level, {"plan", "collective", "halo", "all"});
        bool const all = level == "all";
        c.check.plan |= all || level == "plan";
        c.check.collective |= all || level == "collective";
        c.check.halo |= all || level == "halo";
    }
}

void set_channel(config& c, setting const&, std::string_view value) {
    c.channel = value;
}

void set_profile(config& c, setting const&, std::string_view value) {
    c.profile = value;
}

void set_trace(config& c, setting const&, std::string_view value) {
    c.trace = value;
}

void set_trace_events(config& c, setting const& what, std::string_view value) {
    constexpr std::size_t most = std::size_t{1} << 28;
    if (!parse(value, c.trace_events) || c.trace_events == 0 || c.trace_events > most)
        reject(what, value, fmt::format("the value is not a number from 1 to {}", most));
}

double seconds(setting const& what, std::string_view value) {
    double s = 0;
    if (!parse(value, s) || !std::isfinite(s) || s < 0) reject(what, value, "the value is not a number of seconds");
    return s;
}

void set_timeout(config& c, setting const& what, std::string_view value) {
    c.timeout_s = seconds(what, value);
}
void set_warn(config& c, setting const& what, std::string_view value) {
    c.warn_s = seconds(what, value);
}

void set_spin(config& c, setting const& what, std::string_view value) {
    if (!parse(value, c.spins) || c.spins < 0) reject(what, value, "the value is not a number of polls");
}

/// "64K" and the like.
std::size_t byte_count(setting const& what, std::string_view value) {
    std::string_view digits = value;
    unsigned shift = 0;
    if (!digits.empty()) {
        auto const unit = std::string_view{"KMGT"}.find(digits.back());
        if (unit != std::string_view::npos) {
            shift = 10 * (static_cast<unsigned>(unit) + 1);
            digits.remove_suffix(1);
        }
    }
    std::size_t count = 0;
    if (!parse(digits, count) || count == 0) reject(what, value, "the value is not a number of bytes");
    if (count > (SIZE_MAX >> shift)) reject(what, value, "the number is too large for an address");
    return count << shift;
}

void set_segment(config& c, setting const& what, std::string_view value) {
    c.segment_bytes = byte_count(what, value);
}

void set_mpi_path(config& c, setting const& what, std::string_view value) {
    one_of(what, value, {"plain", "direct", "both", "push", "staged"});
    c.mpi_path = value;
}
void set_mpi_collectives(config& c, setting const& what, std::string_view value) {
    one_of(what, value, {"learn", "on", "off"});
    c.mpi_collectives = value;
}
void set_choice(config& c, setting const& what, std::string_view value) {
    auto const colon = value.find(':');
    auto const kind = value.substr(0, colon);
    bool const names_file = colon != std::string_view::npos;
    // What has no file may have none, and what needs one must name it.
    if (kind == "fixed" || (names_file && kind == "learn")) {
        if (!names_file || colon + 1 == value.size()) reject(what, value, "no file is named");
        c.choice_file = value.substr(colon + 1);
    } else {
        one_of(what, value, {"model", "learn", "learn:FILE", "fixed:FILE"});
        c.choice_file.clear();
    }
    c.choice = kind;
}
void set_choice_margin(config& c, setting const& what, std::string_view value) {
    if (!parse(value, c.choice_margin) || !std::isfinite(c.choice_margin) || c.choice_margin < 1)
        reject(what, value, "the value is not a number of 1 or more");
}
void set_mpi_eager(config& c, setting const& what, std::string_view value) {
    c.mpi_eager_bytes = byte_count(what, value);
}
// libsode-xmp looks at it itself.
void set_explain(config&, setting const& what, std::string_view value) {
    if (value != "0" && value != "1") reject(what, value, "the value is neither 0 nor 1");
}

void set_mpi_report(config& c, setting const& what, std::string_view value) {
    one_of(what, value, {"0", "1"});
    c.mpi_report = value == "1";
}

void set_space(config& c, setting const& what, std::string_view value) {
    one_of(what, value, {"segment", "tasks"});
    c.space = value;
}

void set_threads(config& c, setting const& what, std::string_view value) {
    constexpr int most = 256;
    if (!parse(value, c.threads) || c.threads < 1 || c.threads > most)
        reject(what, value, fmt::format("a rank has 1 to {} threads", most));
}
void set_tiles(config& c, setting const& what, std::string_view value) {
    if (!parse(value, c.tiles) || c.tiles < 1) reject(what, value, "the value is not a number of steps");
}
void set_engine(config& c, setting const& what, std::string_view value) {
    auto const colon = value.find(':');
    one_of(what, value.substr(0, colon), {"inline", "thread", "triggered", "auto"});
    c.engine = value.substr(0, colon);
    c.interfaces = 1;
    if (colon == std::string_view::npos) return;
    constexpr int most = 16;
    if (c.engine != "triggered" || !parse(value.substr(colon + 1), c.interfaces) || c.interfaces < 1 || c.interfaces > most)
        reject(what, value, fmt::format("only triggered takes a number of interfaces, 1 to {}", most));
}
void set_engine_cores(config& c, setting const& what, std::string_view value) {
    try {
        static_cast<void>(processor_set::parse(value));
    } catch (error const&) {
        reject(what, value, "the value is not a list of processors");
    }
    c.engine_cores = value;
}

void set_device(config& c, setting const& what, std::string_view value) {
    auto const comma = value.find(',');
    auto const device = value.substr(0, comma);
    auto const colon = device.find(':');
    auto const kind = device.substr(0, colon);
    one_of(what, kind, {"none", "emulated", "cuda"});
    c.device = value;
    for (auto rest = comma == std::string_view::npos ? std::string_view{} : value.substr(comma); !rest.empty();) {
        auto const word = rest.substr(1, rest.find(',', 1) - 1);
        bool const known =
            word == "private" || word == "graphs" || word == "no-graphs" || (word == "sockets" && kind == "emulated");
        if (kind == "none" || !known)
            reject(what, value,
                   "the word after a comma is private, graphs, no-graphs or, for emulated devices, sockets; \"none\" has no comma");
        rest.remove_prefix(1 + word.size());
    }
    if (colon == std::string_view::npos) return;
    constexpr int most = 64;
    int number = 0;
    if (kind == "none" || !parse(device.substr(colon + 1), number) || number < (kind == "emulated" ? 1 : 0) || number > most)
        reject(what, value, fmt::format("emulated takes a count of 1 to {}, and cuda takes a number from 0 on", most));
}
void set_device_memory(config& c, setting const& what, std::string_view value) {
    c.device_bytes = byte_count(what, value);
}

void set_progress(config& c, setting const& what, std::string_view value) {
    one_of(what, value, {"thread", "calls"});
    c.progress_thread = value == "thread";
}

void set_mpi(config& c, setting const& what, std::string_view value) {
    one_of(what, value, {"openmpi", "mpich", "none"});
    c.mpi = value;
}
void set_plugins(config& c, setting const&, std::string_view value) {
    c.plugins = value;
}
void set_machine_size(config& c, setting const& what, std::string_view value) {
    if (!parse(value, c.machine_size) || c.machine_size < 1) reject(what, value, "the value is not a number of ranks");
}

void set_torus(config& c, setting const& what, std::string_view value) {
    c.torus.clear();
    for (bool more = true; more;) {
        auto const end = value.find('x');
        int extent = 0;
        if (!parse(value.substr(0, end), extent) || extent < 1)
            reject(what, value, "the value is not a list of extents, such as 4x3x3");
        c.torus.push_back(extent);
        more = end != std::string_view::npos;
        if (more) value.remove_prefix(end + 1);
    }
}

void set_subcluster(config& c, setting const& what, std::string_view value) {
    if (!parse(value, c.subcluster) || c.subcluster < 1) reject(what, value, "the value is not a number of machines");
}

struct entry {
    setting what;
    void (*set)(config&, setting const&, std::string_view value);
    bool names_a_file = false;   ///< or code: not to be obeyed where who sets it is not who may do what the program may
    std::string_view old_name{}; ///< still obeyed
};

constexpr std::array entries{
    entry{{"SODE_CHECK", "plan,collective,halo or all",
           "Turns on checks that cost time. plan: proves every plan before it runs. collective: finds ranks that "
           "communicate in different orders. halo: finds reads of halo elements that are stale or were never filled. all: "
           "all three checks."},
          set_check},
    entry{{"SODE_CHANNEL", "CHANNEL",
           "Forces this channel for every edge of every plan. If unset: the cost model chooses. See the list of channels "
           "below."},
          set_channel},
    entry{{"SODE_EXPLAIN", "1 or 0",
           "1: in a program compiled by sode cc, rank 0 prints a report when a halo is planned: the shape of the nodes, and "
           "for each face the channel and the reason."},
          set_explain},
    entry{{"SODE_PROFILE", "FILE or default",
           "FILE: uses the machine's measured constants in FILE. default: uses the built-in constants. If unset: the "
           "constants that `sode tune` has written, else the built-in constants."},
          set_profile,
          true},
    entry{{"SODE_TRACE", "FILE", "Writes a timeline of all ranks to FILE when the job ends, for Perfetto or chrome://tracing."},
          set_trace,
          true},
    entry{{"SODE_TRACE_EVENTS", "COUNT", "Each rank keeps its last COUNT events for the trace. The default is 65536."},
          set_trace_events},
    entry{
        {"SODE_TIMEOUT", "SECONDS", "If a rank waits longer than this time, the rank reports an error. 0, the default: no limit."},
        set_timeout},
    entry{{"SODE_WARN", "SECONDS",
           "If a rank waits longer than this time, the rank prints one warning. The default is 30. 0: never."},
          set_warn},
    entry{{"SODE_SPIN", "COUNT",
           "How often a waiting rank polls before the rank yields its core. The default is 2000, or 0 if there are more ranks than "
           "cores."},
          set_spin},
    entry{{"SODE_THREADS", "COUNT",
           "The number of threads that share the loops of a rank, including the main thread of the rank. The default is 1. "
           "`sode run --threads` sets this variable."},
          set_threads},
    entry{{"SODE_TILES", "STEPS",
           "The number of time steps per exchange in `reflection::march`, if the halos of the arrays are wide enough. If unset: "
           "the fastest number, found by trial."},
          set_tiles},
    entry{{"SODE_ENGINE", "inline, thread, triggered, triggered:COUNT or auto",
           "The engine that runs planned communication. inline, the default: the rank itself, in calls to Sode. thread: an "
           "additional thread for each rank. triggered: threads that act as COUNT network interfaces (default 1). auto: "
           "thread or triggered for plans that move many bytes, if SODE_ENGINE_CORES names processors without ranks; else "
           "inline. Each additional thread needs its own processor."},
          set_engine},
    entry{{"SODE_ENGINE_CORES", "LIST such as 4-7,12",
           "The processors for the threads of SODE_ENGINE. The ranks on a machine get these processors in turn. If unset: "
           "any processor that the rank may use."},
          set_engine_cores},
    entry{{"SODE_PROGRESS", "thread or calls",
           "Selects how a rank serves accesses from other machines to its windows and coarrays. thread, the default: an additional "
           "thread serves these accesses at any time. calls: the rank serves accesses only in calls to windows and coarrays."},
          set_progress},
    entry{{"SODE_DEVICE",
           "none, emulated, emulated:COUNT, cuda or cuda:NUMBER; then perhaps ,private or ,graphs or ,no-graphs or ,sockets",
           "The device of a rank, for arrays of sode::device, for streams, and for kernels that communicate. cuda: the "
           "ranks get the GPUs of the machine in turn. cuda:NUMBER: all ranks use this GPU. emulated: COUNT emulated "
           "devices (default 1), made of threads, for machines without a GPU. none: no device. If unset: cuda; without a "
           "GPU, kernels that communicate run on threads. private: processes do not open each other's device memory (CUDA "
           "IPC). graphs, no-graphs: consecutive copies always, or never, run as one CUDA graph. Without graphs or no-graphs, the "
           "cost model decides. sockets: each emulated device pretends to be at a different socket."},
          set_device},
    entry{{"SODE_DEVICE_MEMORY", "BYTES, or a number and K, M, G or T",
           "The memory of an emulated device for each of its ranks. The default is the value of SODE_SEGMENT_SIZE."},
          set_device_memory},
    entry{{"SODE_MPI", "openmpi, mpich or none",
           "The MPI that started the program, if Sode cannot detect it. none: run as one rank."},
          set_mpi},
    entry{
        {"SODE_PLUGINS", "DIRECTORY",
         "The folder of libsode-channel-openmpi.so and libsode-channel-mpich.so. The default is the folder sode next to libsode."},
        set_plugins,
        true},
    entry{{"SODE_MACHINE_SIZE", "RANKS",
           "Treats each group of RANKS ranks on a machine as a separate machine. Needs MPI. The old name SODE_NODE_SIZE "
           "still works."},
          set_machine_size,
          false,
          "SODE_NODE_SIZE"},
    entry{{"SODE_TORUS", "EXTENTS",
           "The extents of the torus that the machines of the job form, for example 4x3x3. The machines are numbered in the "
           "order of their first ranks; the last dimension varies fastest. Some collectives use the torus to find "
           "neighbours. The variable is ignored if the product of the extents is not the number of machines."},
          set_torus},
    entry{{"SODE_SUBCLUSTER", "MACHINES",
           "Each MACHINES consecutive machines form a sub-cluster, which has its own, faster network. The algorithm tiered "
           "sends one message to each sub-cluster."},
          set_subcluster},
    entry{{"SODE_SPACE", "segment or tasks",
           "The memory of arrays. segment: shared memory, even if ranks are tasks. tasks: the common address space of "
           "tasks; an error if ranks are not tasks. If unset: the fastest memory that works."},
          set_space},
    entry{{"SODE_MPI_PATH", "plain, direct, both, push or staged",
           "Forces the path by which the MPI layer moves messages. plain: the layer passes all messages on to MPI."},
          set_mpi_path},
    entry{{"SODE_MPI_COLLECTIVES", "learn, on or off",
           "Selects which repeated collectives the MPI layer runs as plans. learn, the default: collectives for which a trial "
           "finds plans faster. on: all collectives for which plans are possible. off: none."},
          set_mpi_collectives},
    entry{{"SODE_CHOICE", "model, learn, learn:FILE or fixed:FILE",
           "Selects how the MPI layer chooses paths. learn, the default: by the cost model and by measured times. model: by "
           "the cost model alone. learn:FILE: as learn, and stores measured times of messages in FILE for later runs. "
           "fixed:FILE: by the times in FILE, without trials. SODE_MPI_PATH and SODE_MPI_COLLECTIVES have priority."},
          set_choice},
    entry{{"SODE_CHOICE_MARGIN", "NUMBER, from 1 on",
           "In its first exchanges, a halo also tries the second and the third choice of an edge. A halo tries a choice only if "
           "the expected time is at most NUMBER times that of the first choice. The default is 1.25 if `sode tune` has measured "
           "this machine, else 8. 1, or SODE_CHOICE=model: no trials."},
          set_choice_margin},
    entry{{"SODE_MPI_EAGER", "BYTES, or a number and K, M, G or T",
           "The MPI layer leaves messages up to this length to MPI. The default is 4K for derived datatypes, and the MPI library's "
           "eager limit for contiguous messages."},
          set_mpi_eager},
    entry{{"SODE_MPI_REPORT", "1 or 0", "1: at the end of the job, the MPI layer prints a table of messages and their paths."},
          set_mpi_report},
    entry{{"SODE_SEGMENT_SIZE", "BYTES, or a number and K, M, G or T",
           "The largest amount of shared memory that a rank may use. The default is the memory of the machine."},
          set_segment},
};

// How `sode run` hands a rank its place in the job. Not for users, so not in the table.
constexpr std::string_view boot_prefix = "SODE_BOOT_";

[[noreturn]] void unknown(std::string_view name) {
    std::vector<std::string_view> names;
    for (entry const& e : entries) names.push_back(e.what.name);
    std::string const near = nearest(name, names);
    throw error{error_kind::usage, fmt::format("unknown environment variable {}", name),
                "Sode reports every unknown variable whose name begins with SODE_",
                near.empty() ? fmt::format("unset this variable; the known variables are {}", fmt::join(names, ", "))
                             : fmt::format("did you mean {}?", near)};
}

// Which one counts must not depend on the order in which the environment happens to be.
void refuse_both(std::string_view name, std::string_view old_name) {
    char const* const value = std::getenv(std::string{name}.c_str());
    if (value != nullptr && *value != '\0')
        throw error{error_kind::usage, fmt::format("{} and {} are both set", name, old_name),
                    "both variables are names of the same setting", fmt::format("unset {}, the old name", old_name)};
}

} // namespace

std::vector<setting> const& settings() {
    static std::vector<setting> const all = [] {
        std::vector<setting> table;
        for (entry const& e : entries) table.push_back(e.what);
        return table;
    }();
    return all;
}

config config::from_environment() {
    config c;
    for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
        std::string_view const text{*variable};
        if (!text.starts_with("SODE_") || text.starts_with(boot_prefix)) continue;
        auto const equals = text.find('=');
        std::string_view const name = text.substr(0, equals);
        std::string_view const value = equals == std::string_view::npos ? std::string_view{} : text.substr(equals + 1);
        auto const e = std::find_if(entries.begin(), entries.end(),
                                    [&](entry const& known) { return known.what.name == name || known.old_name == name; });
        if (e == entries.end()) unknown(name);
        if (value.empty()) continue;
        if (name == e->old_name) refuse_both(e->what.name, name);
        if (e->names_a_file && ::secure_getenv(std::string{name}.c_str()) == nullptr)
            c.disregarded.emplace_back(name);
        else
            e->set(c, {name, e->what.value, e->what.meaning}, value);
    }
    return c;
}

} // namespace sode::internal
