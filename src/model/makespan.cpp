// SPDX-License-Identifier: Apache-2.0
#include "model/makespan.hpp"

#include "base/position.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace sode::internal {
namespace {

// Engines or links, each free again at some time.
class lanes {
public:
    explicit lanes(std::int64_t count) : free_(static_cast<std::size_t>(count)) {}
    // Takes the first that is free for `length`, at `from` or later; the time when it starts.
    double take(double from, double length) {
        auto const first = std::min_element(free_.begin(), free_.end());
        double const start = std::max(*first, from);
        *first = start + length;
        return start;
    }

private:
    std::vector<double> free_;
};

struct sent {
    int network = 0;
    expense cost{};
    double arrival = 0; // of the first byte
    double end = 0;
};

expense cost_of(network_edge const& e, network const& n) noexcept {
    if (!n.joins(e.source, e.target)) return {.latency = std::numeric_limits<double>::infinity()};
    return n.cost(e.bytes, e.rows, e.row_bytes);
}

// One exchange under one assignment.
class timetable {
public:
    timetable(std::span<network_edge const> edges, std::span<network const> networks, std::span<int const> assignment)
        : edges_(edges), networks_(networks), sent_(edges.size()) {
        int machines = 0;
        for (auto const& e : edges) machines = std::max({machines, e.source + 1, e.target + 1});
        core_.resize(pos(machines));
        outgoing_.resize(pos(machines));
        incoming_.resize(pos(machines));
        for (std::size_t i = 0; i < edges.size(); ++i) {
            sent_[i].network = assignment[pos(edges[i].face)];
            sent_[i].cost = cost_of(edges[i], networks[pos(sent_[i].network)]);
            outgoing_[pos(edges[i].source)].push_back(i);
            incoming_[pos(edges[i].target)].push_back(i);
        }
    }

    double run() {
        double last = 0;
        for (std::size_t machine = 0; machine < core_.size(); ++machine) last = std::max(last, send(machine));
        for (std::size_t machine = 0; machine < core_.size(); ++machine) last = std::max(last, receive(machine));
        return last * 1e-3;
    }

private:
    // The longest way first: of jobs on one machine that each still travel afterwards, that order ends first (Jackson's rule).
    double send(std::size_t machine) {
        auto& list = outgoing_[machine];
        std::vector<double> way(networks_.size());
        for (auto i : list) way[pos(sent_[i].network)] += sent_[i].cost.link;
        for (auto i : list) {
            auto const& s = sent_[i];
            way[pos(s.network)] = std::max(way[pos(s.network)], s.cost.latency + s.cost.link);
        }
        std::stable_sort(list.begin(), list.end(), [&](auto a, auto b) {
            auto const &x = sent_[a], &y = sent_[b];
            if (x.network == y.network) return edges_[a].face < edges_[b].face;
            return way[pos(x.network)] != way[pos(y.network)] ? way[pos(x.network)] > way[pos(y.network)] : x.network < y.network;
        });
        std::vector<lanes> engines;
        for (auto const& n : networks_) engines.emplace_back(n.serial ? 1 : n.links);
        double last = 0;
        for (auto i : list) {
            auto& s = sent_[i];
            core_[machine] += s.cost.source;
            double const start = engines[pos(s.network)].take(core_[machine], s.cost.link);
            s.arrival = start + s.cost.latency;
            last = std::max(last, start + s.cost.link);
        }
        return std::max(last, core_[machine]);
    }

    double receive(std::size_t machine) {
        auto& list = incoming_[machine];
        std::stable_sort(list.begin(), list.end(), [&](auto a, auto b) { return sent_[a].arrival < sent_[b].arrival; });
        std::vector<lanes> links;
        for (auto const& n : networks_) links.emplace_back(n.links);
        for (auto i : list) {
            auto& s = sent_[i];
            s.end = links[pos(s.network)].take(s.arrival, s.cost.link) + s.cost.link;
        }
        std::stable_sort(list.begin(), list.end(), [&](auto a, auto b) { return sent_[a].end < sent_[b].end; });
        double core = core_[machine];
        for (auto i : list) core = std::max(core, sent_[i].end) + sent_[i].cost.target;
        return core;
    }

    std::span<network_edge const> edges_;
    std::span<network const> networks_;
    std::vector<sent> sent_;
    std::vector<double> core_; // when each machine's core is free
    std::vector<std::vector<std::size_t>> outgoing_, incoming_;
};

} // namespace

double predict_message(network_edge const& e, network const& n) noexcept {
    return cost_of(e, n).total() * 1e-3;
}

double predict_makespan(std::span<network_edge const> edges, std::span<network const> networks, std::span<int const> assignment) {
    return timetable{edges, networks, assignment}.run();
}

} // namespace sode::internal
