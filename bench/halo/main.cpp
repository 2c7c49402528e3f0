// SPDX-License-Identifier: Apache-2.0
// Halo exchanges side by side: ours and hand-written MPI in all its styles, in one process, by turns. Built once for every MPI.
#include "halo/limits.hpp"
#include "halo/ours.hpp"
#include "halo/rivals/rival.hpp"
#include "support/report.hpp"

#include <sode/mpi.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <optional>
#include <thread>

namespace {

using namespace sode::internal::bench;

struct options {
    std::vector<std::string> cases{"3d64_x", "3d64_y", "3d64_z"};
    std::vector<std::string> styles;
    int turns = 8;
    bool check = false;
    bool everything = false;
    bool limits = false;
    std::string setup = "default";
    std::string name = "halo";
    std::string json;
};

/// Collective. The styles asked for, or all.
std::vector<style> selected(std::vector<std::string> const& names) {
    auto all = all_styles();
    if (names.empty()) return all;
    std::vector<style> result;
    for (auto const& name : names) {
        auto const found = std::find_if(all.begin(), all.end(), [&](style const& s) { return s.name == name; });
        if (found == all.end()) throw std::invalid_argument{"no style \"" + name + "\""};
        result.push_back(*found);
    }
    return result;
}

class bench_halo {
public:
    bench_halo(mpi_world const& world, options const& o)
        : world_(world), options_(o), lines_(world.communicator(), world.rank() == 0 ? control::bytes(world.size()) : 0),
          shared_(lines_.of(0), world.rank(), world.size(),
                  std::thread::hardware_concurrency() < static_cast<unsigned>(world.size())),
          race_(shared_, rate_, o.everything) {}

    /// The mismatches of all cases.
    long run() {
        report result{options_.name, mpi_world::library(), options_.setup, world_.size(), {}, {}};
        if (!options_.check) result.distances = core_distances(shared_, rate_);
        long bad = 0;
        for (auto const& name : options_.cases) {
            auto const c = halo_case::parse(name, world_.size());
            bad += measure(c, result);
        }
        if (world_.rank() == 0 && !options_.check) {
            fmt::print("{}", result.table());
            if (!options_.json.empty()) std::ofstream{options_.json} << result.json() << '\n';
        }
        return bad;
    }

private:
    long measure(halo_case const& c, report& result) {
        rank_block const b{c, world_.rank()};
        auto const [ours, arrays] = our_exchanges(runtime_, b);
        rival_world const common{world_, b};
        std::vector<std::unique_ptr<subject>> rivals;
        for (auto const& s : selected(options_.styles)) rivals.push_back(s.prepare(common));
        std::vector<subject*> others;
        for (auto const& s : rivals) others.push_back(s.get());
        std::optional<halo_limits> limits;
        if (options_.limits) limits.emplace(world_, b, *arrays);
        if (limits)
            for (auto const& s : limits->subjects()) {
                others.push_back(s.get());
                auto& names = result.limits;
                if (std::find(names.begin(), names.end(), s->name()) == names.end()) names.push_back(s->name());
            }

        long bad = 0;
        for (auto const& s : ours) bad += verify(c, *s);
        for (auto* const s : others) bad += verify(c, *s);
        if (options_.check || bad != 0) return bad;
        race_turns(c, ours, others, result);
        bad = race_.wrong();
        if (bad != 0 && world_.rank() == 0) fmt::print("{:<18} timed exchanges delivered {} wrong elements\n", c.name, bad);
        return bad;
    }

    long verify(halo_case const& c, subject& s) {
        long const wrong = race_.verify(s);
        if (world_.rank() == 0 && (options_.check || wrong != 0))
            fmt::print("{:<18} {:<20} {}\n", c.name, s.name(), wrong == 0 ? "ok" : fmt::format("{} elements are wrong", wrong));
        return wrong;
    }

    void race_turns(halo_case const& c, std::vector<std::unique_ptr<subject>> const& ours, std::vector<subject*> const& others,
                    report& result) {
        auto& measured = result.cases.emplace_back(measured_case{c.name, {}, sizes(c)});
        std::vector<int> our_rounds, other_rounds;
        for (auto const& s : ours) our_rounds.push_back(race_.block_rounds(*s));
        for (auto* const s : others) other_rounds.push_back(race_.block_rounds(*s));
        int turn = 0;
        for (int t = 0; t < options_.turns; ++t)
            for (std::size_t r = 0; r < others.size(); ++r, ++turn) {
                for (std::size_t o = 0; o < ours.size(); ++o)
                    measured.samples.push_back({turn, ours[o]->name(), race_.block(*ours[o], our_rounds[o])});
                measured.samples.push_back({turn, others[r]->name(), race_.block(*others[r], other_rounds[r])});
            }
        result.ours.clear();
        for (auto const& s : ours) result.ours.push_back(s->name());
    }

    mpi_world const& world_;
    options const& options_;
    shared_window lines_;
    control shared_;
    tick_rate rate_;
    race race_;
    sode::runtime runtime_{std::make_unique<sode::mpi_bootstrap>(world_.communicator())};
};

} // namespace

int main(int argc, char** argv) {
    mpi_world const world{argc, argv};
    options o;
    CLI::App app{"Halo exchanges: ours and hand-written MPI, side by side"};
    app.add_option("--cases", o.cases, "3d64_x, 3d64_h3_y, 3d64_f8_z_per, 2d1024_z, 3d16_422, ...")
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--styles", o.styles, "The rivals' styles (default: all)")->delimiter(',');
    app.add_option("--turns", o.turns, "Blocks of each rival")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_flag("--check", o.check, "Compare every method's results and stop");
    app.add_flag("--rewrite-all", o.everything, "Rewrite the interior before each exchange, not the boundary layers only");
    app.add_flag("--limits", o.limits, "Bare loops over the same rows as well: what no exchange can beat");
    app.add_option("--name", o.name, "What the results are of, where one campaign runs this program in several ways")
        ->capture_default_str();
    app.add_option("--setup", o.setup, "A label for the results");
    app.add_option("--json", o.json, "Write every sample to this file");
    CLI11_PARSE(app, argc, argv);
    try {
        return bench_halo{world, o}.run() == 0 ? 0 : 1;
    } catch (std::exception const& e) {
        fmt::print(stderr, "bench_halo, rank {}: {}\n", world.rank(), e.what());
        std::fflush(nullptr);
        MPI_Abort(world.communicator(), 2);
    }
    return 2;
}
