// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/error.hpp>
#include <sode/threads.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

namespace bench {

/// Prints what was found, and writes it to the files that are named: by print(), write_json() and add_html() for its type. Returns
/// 0, or 1 if it was not right.
template <class Results> int report(Results const& all, std::string const& json, std::string const& html) {
    print(all);
    if (!json.empty()) write_json(all, json);
    if (!html.empty()) add_html(all, html);
    return all.right ? 0 : 1;
}

/// main() of a program that measures between two ranks: threads of this process, or with --processes those that a launcher has
/// started. `measure(rt)` returns what a rank found. That of the first rank is reported, where --json and --html say; it is `right`
/// if it was on both ranks. Returns what report() does, or 1 for an error.
template <class Measure> int two_ranks(int argc, char** argv, Measure const& measure) try {
    decltype(measure(std::declval<sode::runtime&>())) all;
    std::atomic<bool> right{true};
    std::string json, html;
    auto const one = [&](sode::runtime& rt) {
        auto mine = measure(rt);
        if (!mine.right) right = false;
        if (rt.rank() != 0) return;
        all = std::move(mine);
        json = rt.arg("--json", "");
        html = rt.arg("--html", "");
    };
    if (std::any_of(argv, argv + argc, [](char const* word) { return std::strcmp(word, "--processes") == 0; })) {
        sode::runtime rt{argc, argv};
        if (rt.size() != 2)
            throw sode::error{sode::error_kind::usage, "this program measures between two ranks",
                              "there are " + std::to_string(rt.size()), "start it by sode run -n 2, or leave out --processes"};
        one(rt);
        if (rt.rank() != 0) return right ? 0 : 1;
    } else {
        sode::run_threads(2, one, argc, argv);
    }
    all.right = right;
    return report(all, json, html);
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}

} // namespace bench
