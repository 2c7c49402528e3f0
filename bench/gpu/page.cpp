// SPDX-License-Identifier: Apache-2.0
#include "page.hpp"

#include "support/machine.hpp"

#include <sode/error.hpp>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace bench {
namespace {

std::string today() {
    return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
}

std::string wanted(goal const& g) {
    return fmt::format("{} {}", g.must == goal::kind::at_most ? "at most" : "at least", rounded(g.limit));
}

std::string verdict(goal const& g, result_facts const& facts) {
    if (facts.device.starts_with("emulated")) return "no GPU";
    return g.reached() ? "reached" : "missed";
}

} // namespace

std::ofstream open_results(std::string const& file) {
    std::ofstream out{file, std::ios::trunc};
    if (!out)
        throw sode::error{sode::error_kind::environment, "the results cannot be written", file + ": " + std::strerror(errno),
                          "name a folder that you may write to"};
    return out;
}

std::ofstream begin_json(std::string const& file, result_facts const& facts) {
    auto out = open_results(file);
    out << fmt::format(R"({{"device": "{}", "processor": "{}", "date": "{}", "checked": {}, "complete": {}, "goals": [)",
                       facts.device, sode::internal::bench::processor(), today(), facts.right, facts.complete);
    for (std::size_t i = 0; i < facts.goals.size(); ++i) {
        auto const& g = facts.goals[i];
        out << fmt::format(R"({}{{"what": "{}", "found": {}, "{}": {}, "reached": {}}})", i == 0 ? "" : ", ", g.what, g.found,
                           g.must == goal::kind::at_most ? "at_most" : "at_least", g.limit, g.reached());
    }
    out << "]";
    return out;
}

void begin_page(std::ostream& page, std::string const& title, std::string const& device) {
    page << "<!doctype html><html lang=en><meta charset=utf-8><title>" << title
         << "</title>\n<style>body{font:16px sans-serif;margin:2em}td,th{padding:.2em 1em;text-align:right}</style>\n<h1>" << title
         << "</h1>\n<p>" << device << "; " << sode::internal::bench::processor() << "; " << today() << ".</p>\n";
    if (device.starts_with("emulated"))
        page << "<p><b>The device is emulated: threads of the processor play it. The times say nothing about a GPU.</b></p>\n";
}

std::ofstream begin_section(std::string const& file, std::string const& title, result_facts const& facts) {
    auto out = open_results(file);
    begin_page(out, "Communication from inside kernels", facts.device);
    out << "<h2>" << title << "</h2>\n";
    if (!facts.right) out << "<p><b>Some data are NOT RIGHT.</b></p>\n";
    if (!facts.complete) out << "<p><b>The program has not ended: this is what there was so far.</b></p>\n";
    if (facts.goals.empty()) return out;
    out << "<table><tr><th>goal<th>found<th>wanted<th></tr>\n";
    for (auto const& g : facts.goals)
        out << "<tr class=goal><td>" << g.what << "<td>" << rounded(g.found) << "<td>" << wanted(g) << "<td>" << verdict(g, facts)
            << "</tr>\n";
    out << "</table>\n";
    return out;
}

void print_goals(result_facts const& facts) {
    for (auto const& g : facts.goals)
        std::printf("goal: %s: %s, wanted %s: %s\n", g.what.c_str(), rounded(g.found).c_str(), wanted(g).c_str(),
                    verdict(g, facts).c_str());
}

std::string rounded(double value) {
    if (value == 0 || !std::isfinite(value)) return fmt::format("{}", value);
    auto const digits = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
    return fmt::format("{:.{}f}", value, digits < 3 ? 3 - digits : 0);
}

} // namespace bench
