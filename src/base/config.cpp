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
    throw error{error_kind::usage, fmt::format("{}={} cannot be understood", what.name, value), why,
                fmt::format("set it to {}, or unset it", what.value)};
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
           near.empty() ? fmt::format("\"{}\" is none of {}", value, fmt::join(names, ", "))
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
        reject(what, value, fmt::format("it is no number from 1 to {}", most));
}

double seconds(setting const& what, std::string_view value) {
    double s = 0;
    if (!parse(value, s) || !std::isfinite(s) || s < 0) reject(what, value, "it is no number of seconds");
    return s;
}

void set_timeout(config& c, setting const& what, std::string_view value) {
    c.timeout_s = seconds(what, value);
}
void set_warn(config& c, setting const& what, std::string_view value) {
    c.warn_s = seconds(what, value);
}

void set_spin(config& c, setting const& what, std::string_view value) {
    if (!parse(value, c.spins) || c.spins < 0) reject(what, value, "it is no number of polls");
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
    if (!parse(digits, count) || count == 0) reject(what, value, "it is no number of bytes");
    if (count > (SIZE_MAX >> shift)) reject(what, value, "no address has that many bits");
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
        reject(what, value, "it is no number from 1 on");
}
void set_mpi_eager(config& c, setting const& what, std::string_view value) {
    c.mpi_eager_bytes = byte_count(what, value);
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
void set_engine(config& c, setting const& what, std::string_view value) {
    auto const colon = value.find(':');
    one_of(what, value.substr(0, colon), {"inline", "thread", "triggered", "auto"});
    c.engine = value.substr(0, colon);
    c.interfaces = 1;
    if (colon == std::string_view::npos) return;
    constexpr int most = 16;
    if (c.engine != "triggered" || !parse(value.substr(colon + 1), c.interfaces) || c.interfaces < 1 || c.interfaces > most)
        reject(what, value, fmt::format("only triggered has interfaces, 1 to {}", most));
}
void set_engine_cores(config& c, setting const& what, std::string_view value) {
    try {
        static_cast<void>(processor_set::parse(value));
    } catch (error const&) {
        reject(what, value, "it is no list of processors");
    }
    c.engine_cores = value;
}

void set_mpi(config& c, setting const& what, std::string_view value) {
    one_of(what, value, {"openmpi", "mpich", "none"});
    c.mpi = value;
}
void set_plugins(config& c, setting const&, std::string_view value) {
    c.plugins = value;
}
void set_machine_size(config& c, setting const& what, std::string_view value) {
    if (!parse(value, c.machine_size) || c.machine_size < 1) reject(what, value, "it is no number of ranks");
}

void set_torus(config& c, setting const& what, std::string_view value) {
    c.torus.clear();
    for (bool more = true; more;) {
        auto const end = value.find('x');
        int extent = 0;
        if (!parse(value.substr(0, end), extent) || extent < 1) reject(what, value, "it is no list of extents, such as 4x3x3");
        c.torus.push_back(extent);
        more = end != std::string_view::npos;
        if (more) value.remove_prefix(end + 1);
    }
}

void set_subcluster(config& c, setting const& what, std::string_view value) {
    if (!parse(value, c.subcluster) || c.subcluster < 1) reject(what, value, "it is no number of machines");
}

struct entry {
    setting what;
    void (*set)(config&, setting const&, std::string_view value);
    bool names_a_file = false;   ///< or code: not to be obeyed where who sets it is not who may do what the program may
    std::string_view old_name{}; ///< still obeyed
};

constexpr std::array entries{
    entry{{"SODE_CHECK", "plan,collective,halo or all",
           "Checks that cost time: verify every plan, find ranks that communicate in different orders, refuse to read what is "
           "stale or never filled."},
          set_check},
    entry{
        {"SODE_CHANNEL", "CHANNEL", "Sends every edge of every plan that way, whatever the model says: one of the channels below."},
        set_channel},
    entry{{"SODE_PROFILE", "FILE or default",
           "Takes the machine's measured constants from FILE, or the built-in ones; unset: from the file that `sode tune` wrote, "
           "if it did."},
          set_profile,
          true},
    entry{{"SODE_TRACE", "FILE", "Writes what every rank did when to FILE, for Perfetto or chrome://tracing, when the job ends."},
          set_trace,
          true},
    entry{{"SODE_TRACE_EVENTS", "COUNT", "The last COUNT events of each rank are kept for the trace; the default is 65536."},
          set_trace_events},
    entry{{"SODE_TIMEOUT", "SECONDS", "A wait this long is an error; 0, the default: never."}, set_timeout},
    entry{{"SODE_WARN", "SECONDS", "A wait this long is told once on stderr; the default is 30, 0: never."}, set_warn},
    entry{{"SODE_SPIN", "COUNT",
           "Polls before a waiting rank yields its core; the default is 2000, or 0 where ranks outnumber cores."},
          set_spin},
    entry{{"SODE_THREADS", "COUNT",
           "Threads of each rank that share its loops, its own one included; the default is 1. `sode run --threads` sets it."},
          set_threads},
    entry{
        {"SODE_ENGINE", "inline, thread, triggered, triggered:COUNT or auto",
         "Who runs what was planned: the rank itself, between its own work; a thread beside it; or so many network interfaces made "
         "of threads, 1 if none are named, whose queues arrivals drive. A processor should be free for each thread. auto: a "
         "thread, or interfaces where each rank has two processors or more for them, for what moves so much that a hand-over "
         "costs little, if SODE_ENGINE_CORES names processors that no rank runs on. The default is inline."},
        set_engine},
    entry{{"SODE_ENGINE_CORES", "LIST such as 4-7,12",
           "Processors for the threads of SODE_ENGINE, one for each thread of each rank of a machine in turn; unset: wherever the "
           "rank may run."},
          set_engine_cores},
    entry{{"SODE_MPI", "openmpi, mpich or none",
           "Which MPI started the program, where its launcher leaves that open; none: run as one rank."},
          set_mpi},
    entry{{"SODE_PLUGINS", "DIRECTORY", "Where libsode-channel-openmpi.so and -mpich.so are; the default is beside libsode."},
          set_plugins,
          true},
    entry{{"SODE_MACHINE_SIZE", "RANKS",
           "Lets every so many ranks of a machine pretend to be a machine of their own; needs MPI. Its old name, SODE_NODE_SIZE, "
           "still "
           "works."},
          set_machine_size,
          false,
          "SODE_NODE_SIZE"},
    entry{{"SODE_TORUS", "EXTENTS",
           "The torus that the machines of the job form, numbered as their first ranks are, the last dimension fastest: 4x3x3. It "
           "says which machines are neighbours to the collectives that know; where it is of another number of machines, it is "
           "not looked at."},
          set_torus},
    entry{{"SODE_SUBCLUSTER", "MACHINES",
           "So many machines that follow each other form a sub-cluster with a network of its own, better than that between all: "
           "algorithm tiered sends one message to each of these."},
          set_subcluster},
    entry{{"SODE_SPACE", "segment or tasks",
           "Where arrays live: in shared memory also where ranks are tasks of one address space, or in that space and nowhere "
           "else; unset: the best there is."},
          set_space},
    entry{{"SODE_MPI_PATH", "plain, direct, both, push or staged",
           "How the MPI layer moves the messages of a program that it may move, whatever the model says; plain: it leaves all to "
           "MPI."},
          set_mpi_path},
    entry{
        {"SODE_MPI_COLLECTIVES", "learn, on or off",
         "Whether collectives of MPI that are called again and again run as plans of Sode under the MPI layer: where a trial finds "
         "that faster (the default), wherever they can, or never."},
        set_mpi_collectives},
    entry{{"SODE_CHOICE", "model, learn, learn:FILE or fixed:FILE",
           "Whether the MPI layer goes by what the model expects, or by what messages and collectives take as well, which is the "
           "default; learn:FILE begins with what earlier runs learnt of messages, and keeps it; fixed:FILE tries nothing. "
           "SODE_MPI_PATH and SODE_MPI_COLLECTIVES are obeyed before it."},
          set_choice},
    entry{
        {"SODE_CHOICE_MARGIN", "NUMBER, from 1 on",
         "In the first exchanges of a halo, edges try their second best way, too, if it is expected to take up to so many times as "
         "long as the best; the default is 1.25 where sode tune measured this machine, and 8 elsewhere; 1, or SODE_CHOICE=model: "
         "nothing is tried."},
        set_choice_margin},
    entry{{"SODE_MPI_EAGER", "BYTES, or a number and K, M, G or T",
           "Messages up to this length the MPI layer leaves to MPI; the default is 4K for derived datatypes, and for others what "
           "that "
           "MPI sends without a receiver, found by trying."},
          set_mpi_eager},
    entry{{"SODE_MPI_REPORT", "1 or 0", "1: at the end, the MPI layer tells what messages there were, and how they went."},
          set_mpi_report},
    entry{{"SODE_SEGMENT_SIZE", "BYTES, or a number and K, M, G or T",
           "The most shared memory that a rank may have; the default is the machine's memory."},
          set_segment},
};

// How `sode run` hands a rank its place in the job. Not for users, so not in the table.
constexpr std::string_view boot_prefix = "SODE_BOOT_";

[[noreturn]] void unknown(std::string_view name) {
    std::vector<std::string_view> names;
    for (entry const& e : entries) names.push_back(e.what.name);
    std::string const near = nearest(name, names);
    throw error{error_kind::usage, fmt::format("unknown environment variable {}", name), "Sode ignores no SODE_* variable silently",
                near.empty() ? fmt::format("unset it; there are {}", fmt::join(names, ", "))
                             : fmt::format("did you mean {}?", near)};
}

// Which one counts must not depend on the order in which the environment happens to be.
void refuse_both(std::string_view name, std::string_view old_name) {
    char const* const value = std::getenv(std::string{name}.c_str());
    if (value != nullptr && *value != '\0')
        throw error{error_kind::usage, fmt::format("{} and {} are both set", name, old_name), "they are one setting",
                    fmt::format("unset {}, the old name", old_name)};
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
