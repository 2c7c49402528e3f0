// SPDX-License-Identifier: Apache-2.0
#include "datatypes/workbench.hpp"
#include "datatypes/apps/application.hpp"
#include "datatypes/limit.hpp"
#include "datatypes/transpose.hpp"
#include "support/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>

namespace sode::internal::bench {
namespace {

std::unique_ptr<communication> prepare(std::shared_ptr<pattern const> const& p, std::string const& method, pair_world const& w) {
    if (method == "datatypes") return by_datatypes(p, w);
    if (method == "packing") return by_packing(p, w);
    if (method == "bytes") return by_bytes(p, w);
    if (is_limit(method)) return limit_of({{touched_lines(p->sent()), touched_lines(p->received())}, {}, true}, method, w);
    throw std::invalid_argument{"no method \"" + method + "\" (there are datatypes, packing, bytes)"};
}

std::unique_ptr<communication> prepare(int matrix, std::string const& method, pair_world const& w) {
    if (method == "datatypes") return transpose_by_datatypes(matrix, w);
    if (method == "packing") return transpose_by_packing(matrix, w);
    if (is_limit(method)) {
        auto const lines = touched_lines(transposed_block(matrix, w.mpi.size()));
        return limit_of({{lines, lines}, {lines, lines}, false}, method, w);
    }
    throw std::invalid_argument{"no method \"" + method + "\" of a transposition (there are datatypes, packing)"};
}

std::unique_ptr<communication> prepare(application_case const& a, std::string const& name, mpi_world const& world) {
    for (auto const m : a.methods)
        if (name == to_string(m)) return a.make(m, world);
    throw std::invalid_argument{"no method \"" + name + "\" of " + a.name};
}

/// Runs of an application in a block, after one that warms up: they take milliseconds to seconds.
constexpr int application_runs = 3;
constexpr double long_run_us = 300'000; ///< one such run is a block

} // namespace

std::vector<std::string> workbench::case_names() const {
    std::vector<std::string> names;
    for (auto const& p : patterns_) names.push_back(p.name);
    for (auto const& [name, matrix] : transpose_sizes) names.emplace_back(name);
    for (auto const& a : all_applications()) names.push_back(a.name);
    return names;
}

workbench::workbench(mpi_world const& world)
    : world_(world), lines_(world.communicator(), world.rank() == 0 ? control::bytes(world.size()) : 0),
      shared_(lines_.of(0), world.rank(), world.size(), std::thread::hardware_concurrency() < static_cast<unsigned>(world.size())),
      race_(shared_, rate_, false) {}

std::vector<std::string> workbench::methods_of(std::string const& name) {
    for (auto const& a : all_applications())
        if (a.name == name) {
            std::vector<std::string> names;
            for (auto const m : a.methods) names.emplace_back(to_string(m));
            return names;
        }
    std::vector<std::string> methods{"datatypes", "packing"};
    if (!name.starts_with("fft2d")) methods.emplace_back("bytes");
    for (auto& limit : limit_names()) methods.push_back(std::move(limit));
    return methods;
}

std::int64_t workbench::set_up(std::string const& name, send_data data, std::vector<std::string> const& methods) {
    clear();
    wrong_before_ = race_.wrong();
    wrong_here_ = 0;
    pair_world const w{world_, data};
    for (auto const& [known, matrix] : transpose_sizes)
        if (known == name) {
            for (auto const& m : methods) methods_[m].subject = prepare(matrix, m, w);
            return std::int64_t{16} * matrix * (matrix / world_.size());
        }
    for (auto const& a : all_applications())
        if (a.name == name) {
            for (auto const& m : methods) methods_[m].subject = prepare(a, m, world_);
            return a.bytes;
        }
    for (auto const& known : patterns_)
        if (known.name == name) {
            std::shared_ptr<pattern const> const p = known.make();
            for (auto const& m : methods) methods_[m].subject = prepare(p, m, w);
            return total_bytes(p->sent());
        }
    throw std::invalid_argument{"no case \"" + name + "\""};
}

workbench::prepared& workbench::find(std::string const& name) {
    auto const found = methods_.find(name);
    if (found == methods_.end()) throw std::invalid_argument{"method \"" + name + "\" is not set up"};
    return found->second;
}

long workbench::verify() {
    long bad = 0;
    for (auto& [name, m] : methods_) {
        bad += race_.verify(*m.subject, dynamic_cast<application*>(m.subject.get()) != nullptr ? 1 : 3);
        bad += std::lround(shared_.sum(static_cast<double>(m.subject->spilled())));
    }
    return bad;
}

block_time workbench::block(std::string const& name) {
    auto& m = find(name);
    if (auto* const app = dynamic_cast<application*>(m.subject.get())) return runs(*app);
    share_ = 1;
    if (m.rounds == 0) m.rounds = race_.block_rounds(*m.subject);
    auto t = race_.block(*m.subject, m.rounds);
    int const repeats = m.subject->repeats();
    t.median_us /= repeats;
    t.tenth_us /= repeats;
    t.ninetieth_us /= repeats;
    t.round_us /= repeats;
    return t;
}

block_time workbench::runs(application& app) {
    double const before = probe();
    std::vector<double> times;
    double us = 0;
    for (int r = 0; r <= application_runs && (r < 2 || us < long_run_us); ++r) {
        app.rewrite(++round_, true);
        if (r == 1) static_cast<void>(app.communication_share()); // the first one warms up
        shared_.barrier();
        std::uint64_t const begin = ticks();
        app.exchange();
        us = shared_.maximum(rate_.us(begin, ticks()));
        wrong_here_ += std::lround(shared_.sum(static_cast<double>(app.mismatches(round_))));
        if (r > 0) times.push_back(us);
    }
    share_ = shared_.sum(app.communication_share()) / shared_.ranks();
    double const after = probe();
    return {before > 0 ? classify(before, after) : regime::unprobed,
            before,
            median(times),
            quantile(times, 0.1),
            quantile(times, 0.9),
            static_cast<int>(times.size()),
            median(times)};
}

double workbench::probe() {
    return shared_.yields() || shared_.ranks() != 2 ? 0 : shared_.round_trip_ns(rate_);
}

block_time workbench::first_uses(std::string const& name) {
    auto& subject = *find(name).subject;
    if (dynamic_cast<application*>(&subject) != nullptr) throw std::invalid_argument{"an application has no first use"};
    double const before = probe();
    subject.rewrite(++round_, false);
    subject.poison();
    subject.renew();
    shared_.barrier();
    std::uint64_t const begin = ticks();
    subject.commit();
    subject.exchange();
    subject.exchange();
    double const us = shared_.maximum(rate_.us(begin, ticks()));
    double const after = probe();
    wrong_here_ += std::lround(shared_.sum(static_cast<double>(subject.mismatches(round_))));
    return {before > 0 ? classify(before, after) : regime::unprobed, before, us, us, us, 1, us};
}

} // namespace sode::internal::bench
