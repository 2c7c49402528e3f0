// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "extents.hpp"
#include "plan_collective.hpp"
#include "plan_steps.hpp"
#include "plan_tiles.hpp"

#include "base/config.hpp"
#include "evaluation/topology.hpp"
#include "model/block_faces.hpp"
#include "model/profile_file.hpp"

#include <sode/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

namespace sode::internal::tools {
namespace {

struct plan_options {
    std::string profile;
    std::string size;
    std::string machines;
    std::int64_t element = 8;
    std::int64_t halo = 1;
    bool periodic = false;
    step_options steps;
    tile_options tiles;
};

block_grid grid_of(plan_options const& o) {
    block_grid g{.extents = numbers<std::int64_t>("--size", o.size),
                 .blocks = numbers<int>("--machines", o.machines),
                 .width = o.halo,
                 .element_bytes = o.element,
                 .periodic = o.periodic};
    if (g.extents.size() != g.blocks.size())
        throw error{error_kind::usage,
                    fmt::format("the array has {} dimensions, but --machines has {}", g.extents.size(), g.blocks.size()),
                    "each dimension of the array needs a number of machines", "write 1 for dimensions that are not distributed"};
    double machines = 1, elements = 1;
    for (std::size_t d = 0; d < g.blocks.size(); ++d) {
        machines *= g.blocks[d];
        elements *= static_cast<double>(g.extents[d]);
        auto const least = g.block(static_cast<int>(d), g.blocks[d] - 1);
        if (g.blocks[d] > 1 && least < g.width)
            throw error{
                error_kind::usage, fmt::format("a halo of {} is wider than a block of {} in dimension {}", g.width, least, d),
                fmt::format("{} elements over {} machines: one neighbour does not have the whole halo", g.extents[d], g.blocks[d]),
                "use fewer machines in that dimension"};
    }
    constexpr double most_machines = 1e6, most_bytes = 9e18;
    if (machines > most_machines)
        throw error{error_kind::usage, "the cluster is too large", "a plan has at most a million machines", "lower --machines"};
    if (elements * static_cast<double>(g.element_bytes) * static_cast<double>(g.width) > most_bytes)
        throw error{error_kind::usage, "the array is too large",
                    "the size of the array in bytes, multiplied by the width of the halo, must be at most 9e18",
                    "lower --size or --halo"};
    return g;
}

std::string in_words(std::vector<int> const& assignment, std::vector<std::string> const& faces, std::vector<network> const& list) {
    if (std::all_of(assignment.begin(), assignment.end(), [&](int n) { return n == assignment.front(); }))
        return fmt::format("{} alone", list[static_cast<std::size_t>(assignment.front())].name);
    std::vector<std::string> parts;
    for (std::size_t n = 0; n < list.size(); ++n) {
        std::vector<std::string> mine;
        for (std::size_t f = 0; f < faces.size(); ++f)
            if (assignment[f] == static_cast<int>(n)) mine.push_back(faces[f]);
        if (!mine.empty()) parts.push_back(fmt::format("{} by {}", fmt::join(mine, " "), list[n].name));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

// The largest edge of each face.
std::vector<network_edge> largest(std::vector<network_edge> const& edges, std::size_t faces) {
    std::vector<network_edge> list(faces);
    for (auto const& e : edges)
        if (auto& l = list[static_cast<std::size_t>(e.face)]; e.bytes > l.bytes) l = e;
    return list;
}

void print_faces(std::vector<network_edge> const& edges, std::vector<std::string> const& names, std::vector<network> const& list,
                 network_choice const& chosen, profile const& costs) {
    std::size_t width = 10;
    for (auto const& n : list) width = std::max(width, n.name.size());
    fmt::print("  face  {:<13}  {:>20}  {:<{}}", "pattern", "rows x bytes", "chosen", width);
    for (auto const& n : list) fmt::print("  {:>{}}", n.name, width);
    fmt::print("\n");
    auto const largest_of = largest(edges, names.size());
    for (std::size_t f = 0; f < names.size(); ++f) {
        auto const& e = largest_of[f];
        if (e.bytes == 0) continue;
        edge_features const shape{.bytes = e.bytes, .rows = e.rows, .row_bytes = e.row_bytes};
        fmt::print("  {:<4}  {:<13}  {:>20}  {:<{}}", names[f], to_string(pattern_of(shape, costs)),
                   fmt::format("{} x {} B", e.rows, e.row_bytes), list[static_cast<std::size_t>(chosen.assignment[f])].name, width);
        for (auto const& n : list) fmt::print("  {:>{}}", fmt::format("{:.1f} us", predict_message(e, n)), width);
        fmt::print("\n");
    }
}

void print_alternatives(std::vector<network_edge> const& edges, std::vector<std::string> const& names,
                        std::vector<network> const& list, network_choice const& chosen) {
    auto const line = [&](std::vector<int> const& assignment, double us, std::string_view remark) {
        fmt::print("  {:>10.1f} us  {}{}\n", us, in_words(assignment, names, list), remark);
    };
    fmt::print("\nexchange\n");
    line(chosen.assignment, chosen.expected_us, "  (chosen)");
    if (!chosen.runner_up.empty()) line(chosen.runner_up, chosen.runner_up_us, "  (runner-up)");
    for (int n = 0; n < static_cast<int>(list.size()); ++n) {
        std::vector<int> const alone(chosen.assignment.size(), n);
        if (alone != chosen.assignment && alone != chosen.runner_up) line(alone, predict_makespan(edges, list, alone), "");
    }
}

int print_plan(plan_options const& o) {
    if (!o.steps.program.empty()) check(o.steps);
    if (o.tiles.most > 0) check(o.tiles, o.steps.point);
    if (o.steps.point != 0 && o.steps.program.empty() && o.tiles.most == 0)
        throw error{error_kind::usage, "--point has no effect alone", "an exchange computes no points",
                    "add --steps himeno, --steps laplace or --tiles 16"};
    auto const g = grid_of(o);
    auto const costs = profile_of_option(o.profile);
    auto const list = networks_of(costs);
    auto const edges = edges_of(g);
    auto const names = face_names(g);

    std::vector<std::int64_t> block;
    for (int d = 0; d < g.dims(); ++d) block.push_back(g.block(d, 0));
    fmt::print("machine \"{}\"{}\n", costs.name,
               costs.networks.empty() ? ": it lists no networks, so its `network` is the only one" : "");
    fmt::print("{} elements of {} B on {} machines: blocks of {}, a halo of {}\n\n", fmt::join(g.extents, " x "), g.element_bytes,
               fmt::join(g.blocks, " x "), fmt::join(block, " x "), g.width);
    if (edges.empty()) {
        fmt::print("nothing travels between machines\n");
        return 0;
    }
    auto const chosen = choose_networks(edges, list);
    print_faces(edges, names, list, chosen, costs);
    print_alternatives(edges, names, list, chosen);
    if (!o.steps.program.empty()) print_steps(o.steps, g, costs, list, chosen);
    if (o.tiles.most > 0) print_tiles(o.tiles, o.steps.point, g, list);
    return 0;
}

} // namespace

command add_plan(CLI::App& app) {
    CLI::App* const plan =
        app.add_subcommand("plan", "Predict a halo exchange between machines, with the best network for each face; or, with "
                                   "--collective, a collective");
    auto const options = std::make_shared<plan_options>();
    auto const collective = std::make_shared<collective_options>();
    plan->add_option("--size", options->size,
                     "Elements of the array in each dimension: 128x128x256. The last dimension is contiguous");
    plan->add_option("--machines,--nodes", options->machines, "Machines in each dimension: 2x4x1")->required();
    plan->add_option("--element", options->element, "Size of an element in bytes")
        ->capture_default_str()
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 20));
    plan->add_option("--halo", options->halo, "Width of the halo, in layers")
        ->capture_default_str()
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 20));
    plan->add_flag("--periodic", options->periodic, "The last machine of a dimension is a neighbour of the first");
    plan->add_option(
        "--profile", options->profile,
        "Constants of the machine: a file, or \"default\" for the built-in constants. Default: the profile that jobs use");
    auto* const steps =
        plan->add_option("--steps", options->steps.program, "Also predict whole time steps of a program: himeno or laplace");
    plan->add_option("--point", options->steps.point, "Time that one machine needs to compute one point in a step, in nanoseconds");
    auto* const tiles = plan->add_option("--tiles", options->tiles.most,
                                         "Predict time tiles: a march with 1, 2, 4, … time steps per exchange, up to this number")
                            ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 10));
    plan->add_option("--cached-point", options->tiles.cached,
                     "Like --point, but if the array fits into the cache (default: the value of --point)")
        ->needs(tiles)
        ->check(CLI::PositiveNumber);
    plan->add_flag("--no-barrier", options->steps.no_barrier, "Omit the barrier after the exchange of each step")->needs(steps);
    auto* const kind = plan->add_option(
        "--collective", collective->collective,
        "Predict this collective by every suitable algorithm: barrier, broadcast, reduce, allreduce, reduce_scatter, scan, "
        "exscan, allgather or alltoall");
    std::vector<CLI::Option*> const of_collectives{
        plan->add_option("--network", collective->network, "Network between the machines: " + names_of_topologies())
            ->capture_default_str(),
        plan->add_option("--bytes", collective->bytes,
                         "Bytes of each rank: a number such as 8 or 64K, a list 1K,64K, or a range 1K..256M of powers of two")
            ->capture_default_str(),
        plan->add_option("--engine", collective->engines,
                         "Engine that runs the collective: inline, thread, triggered, or a list of engines")
            ->capture_default_str(),
        plan->add_option("--ranks", collective->ranks, "Ranks on each machine")->capture_default_str()->check(CLI::Range(1, 1024)),
        plan->add_option("--cores", collective->cores,
                         "Cores of each machine. If a machine has more ranks than cores, its ranks take turns on the cores. "
                         "Default: a core for each rank")
            ->check(CLI::Range(1, 1024)),
        plan->add_option(
            "--algorithm", collective->algorithm,
            "Predict only this algorithm. ring:4: with 4 leaders on each machine. bruck:4:2: with radix 4 and 2 leaders"),
        plan->add_option("--hop", collective->hop, "Latency of a link, in nanoseconds")
            ->capture_default_str()
            ->check(CLI::NonNegativeNumber),
        plan->add_option("--timeline", collective->timeline,
                         "Write a timeline of the fastest algorithm to FILE, for Perfetto or chrome://tracing")
            ->type_name("FILE"),
        plan->add_option("--json", collective->json, "Write all rows to FILE")->type_name("FILE"),
        plan->add_option("--dump", collective->dump,
                         "Only print the plans of all ranks, as text, json, dot or goal (for LogGOPSim)"),
        plan->add_option("--carrier", collective->carrier, "The network in the profile that connects all machines")
            ->type_name("NAME"),
        plan->add_option("--inner", collective->inner,
                         "The network in the profile that connects the machines of a sub-cluster, and its topology: tca=torus:2x8")
            ->type_name("NAME=KIND:EXTENTS"),
        plan->add_option("--inner-hop", collective->inner_hop, "Latency of a link inside sub-clusters, in nanoseconds")
            ->capture_default_str()
            ->check(CLI::NonNegativeNumber)};
    for (auto* const o : of_collectives) o->needs(kind);
    plan->footer(
        "A face is named by its dimension and side. The times of a face are for a single message, without other messages.\n"
        "docs/profile.md describes the networks in a profile. docs/collectives.md describes predictions of collectives.");
    return [options, collective](std::vector<std::string> const& rest) {
        if (!rest.empty()) throw error{error_kind::usage, "`sode plan` does not start a program", "", "remove the `--`"};
        if (!collective->collective.empty()) {
            collective->machines = options->machines;
            collective->profile = options->profile;
            return print_collective(*collective);
        }
        if (options->size.empty())
            throw error{error_kind::usage, "--size is missing",
                        "--size gives the extents of the array; only --collective works without --size",
                        "write --size 128x128x256, or --collective allreduce"};
        return print_plan(*options);
    };
}

} // namespace sode::internal::tools
