// SPDX-License-Identifier: Apache-2.0
#include "support/report.hpp"
#include "support/machine.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>

namespace sode::internal::bench {
namespace {

std::vector<std::string> methods(measured_case const& c) {
    std::vector<std::string> names;
    for (auto const& s : c.samples)
        if (std::find(names.begin(), names.end(), s.name) == names.end()) names.push_back(s.name);
    return names;
}

std::vector<double> times(measured_case const& c, std::string const& name, regime where) {
    std::vector<double> result;
    for (auto const& s : c.samples)
        if (s.name == name && s.time.where == where) result.push_back(s.time.median_us);
    return result;
}

} // namespace

std::vector<core_distance> core_distances(control& shared, tick_rate const& rate) {
    std::vector<core_distance> all;
    if (shared.yields()) return all;
    for (int a = 0; a < shared.ranks(); ++a)
        for (int b = a + 1; b < shared.ranks(); ++b) all.push_back({a, b, shared.round_trip_ns(rate, a, b)});
    return all;
}

std::vector<double> paired_ratios(measured_case const& c, std::string const& ours, std::string const& rival, regime where) {
    std::map<int, double> mine, theirs;
    for (auto const& s : c.samples) {
        if (s.time.where != where) continue;
        if (s.name == ours) mine[s.turn] = s.time.median_us;
        if (s.name == rival) theirs[s.turn] = s.time.median_us;
    }
    std::vector<double> ratios;
    for (auto const& [turn, time] : theirs)
        if (auto const m = mine.find(turn); m != mine.end() && m->second > 0) ratios.push_back(time / m->second);
    return ratios;
}

std::string report::json() const {
    nlohmann::json all{{"program", program}, {"library", library}, {"setup", setup},
                       {"ranks", ranks},     {"ours", ours},       {"limits", limits}};
    auto& machine = all["machine"] = nlohmann::json::object();
    for (auto const& [key, value] : machine_facts()) machine[key] = value;
    auto& far_apart = all["distances"] = nlohmann::json::array();
    for (auto const& d : distances) far_apart.push_back({{"a", d.a}, {"b", d.b}, {"round_trip_ns", d.round_trip_ns}});
    auto& list = all["cases"] = nlohmann::json::array();
    for (auto const& c : cases) {
        auto samples = nlohmann::json::array();
        for (auto const& s : c.samples) {
            auto& told = samples.emplace_back(nlohmann::json{{"turn", s.turn},
                                                             {"name", s.name},
                                                             {"regime", to_string(s.time.where)},
                                                             {"round_trip_ns", s.time.round_trip_ns},
                                                             {"median_us", s.time.median_us},
                                                             {"tenth_us", s.time.tenth_us},
                                                             {"ninetieth_us", s.time.ninetieth_us},
                                                             {"rounds", s.time.rounds}});
            for (auto const& [key, value] : s.parts) told[key] = value;
        }
        auto& entry = list.emplace_back(nlohmann::json{{"case", c.name}, {"samples", std::move(samples)}});
        for (auto const& [key, value] : c.sizes) entry["sizes"][key] = value;
    }
    return all.dump();
}

std::string report::table() const {
    std::string text = fmt::format("{}{}{}, set-up {}, {} ranks on {}; microseconds, medians of blocks\n", program,
                                   library.empty() ? "" : " by ", library, setup, ranks, processor());
    auto out = std::back_inserter(text);
    fmt::format_to(out, "{:<18} {:<20} {:<9} {:>6} {:>10} {:>10}  {}\n", "case", "method", "regime", "blocks", "median", "10 %",
                   "this / ours [95 %] pairs");
    for (auto const& c : cases)
        for (auto const& name : methods(c))
            for (auto where : {regime::near, regime::far, regime::unprobed}) {
                auto const t = times(c, name, where);
                if (t.empty()) continue;
                fmt::format_to(out, "{:<18} {:<20} {:<9} {:>6} {:>10.4g} {:>10.4g}", c.name, name, to_string(where), t.size(),
                               median(t), quantile(t, 0.1));
                if (std::find(ours.begin(), ours.end(), name) == ours.end())
                    for (auto const& mine : ours) {
                        auto const ratios = paired_ratios(c, mine, name, where);
                        if (ratios.empty()) continue;
                        auto const [low, high] = median_interval(ratios);
                        fmt::format_to(out, "  {} {:.2f} [{:.2f}, {:.2f}] {}", mine, median(ratios), low, high, ratios.size());
                    }
                text += '\n';
            }
    return text;
}

} // namespace sode::internal::bench
