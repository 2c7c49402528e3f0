// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "page.hpp"

#include <sode/error.hpp>
#include <sode/threads.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <utility>

namespace bench {

/// Where a program writes its results: --json FILE, --html FILE.
struct result_files {
    std::string json, html;

    result_files() = default;
    explicit result_files(sode::runtime& rt) : json(rt.arg("--json", "")), html(rt.arg("--html", "")) {}

    /// By write_json() and write_html() for the type of the results; and goals_of() if there is one.
    template <class Results> void write(Results& all) const {
        if constexpr (requires { goals_of(all); }) all.goals = goals_of(all);
        if (!json.empty()) write_json(all, json);
        if (!html.empty()) write_html(all, html);
    }
    /// The same at the end, and prints all. Returns 0, or 1 if it was not right.
    template <class Results> int report(Results& all) const {
        all.complete = true;
        write(all);
        print(all);
        print_goals(all);
        return all.right ? 0 : 1;
    }
};

/// Writes what a rank has found so far, if it is the first one: a program that is ended leaves that.
template <class Results> using keep_results = std::function<void(Results const&)>;

/// main() of a program that measures between two ranks: threads of this process, or with --processes those that a launcher has
/// started. `measure(rt, keep)` returns what a rank found. That of the first rank is reported; it is `right` if it was on both
/// ranks. Returns what report() does, or 1 for an error.
template <class Results, class Measure> int two_ranks(int argc, char** argv, Measure const& measure) try {
    Results all;
    std::atomic<bool> right{true};
    result_files files;
    auto const one = [&](sode::runtime& rt) {
        result_files const mine{rt};
        Results found = measure(rt, keep_results<Results>{[&](Results so_far) {
                                    if (rt.rank() == 0) mine.write(so_far);
                                }});
        if (!found.right) right = false;
        if (rt.rank() != 0) return;
        all = std::move(found);
        files = mine;
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
    return files.report(all);
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}

} // namespace bench
