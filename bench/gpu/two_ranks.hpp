// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/threads.hpp>

#include <atomic>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

namespace bench {

/// main() of a program that measures between two ranks, threads of this process. `measure(rt)` returns what a rank found. Of the
/// first rank that is printed, and written where --json and --html say: by print(), write_json() and add_html() for its type. It is
/// `right` if it was on both ranks. Returns 0, or 1 if it was not, or for an error.
template <class Measure> int two_ranks(int argc, char** argv, Measure const& measure) try {
    decltype(measure(std::declval<sode::runtime&>())) all;
    std::atomic<bool> right{true};
    std::string json, html;
    sode::run_threads(
        2,
        [&](sode::runtime& rt) {
            auto mine = measure(rt);
            if (!mine.right) right = false;
            if (rt.rank() != 0) return;
            all = std::move(mine);
            json = rt.arg("--json", "");
            html = rt.arg("--html", "");
        },
        argc, argv);
    all.right = right;
    print(all);
    if (!json.empty()) write_json(all, json);
    if (!html.empty()) add_html(all, html);
    return all.right ? 0 : 1;
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}

} // namespace bench
