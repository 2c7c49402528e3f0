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

/// main() of a program that measures between two ranks: threads of this process, or with --processes those that a launcher has
/// started. `measure(rt)` returns what a rank found. Of the
/// first rank that is printed, and written where --json and --html say: by print(), write_json() and add_html() for its type. It is
/// `right` if it was on both ranks. Returns 0, or 1 if it was not, or for an error.
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
    print(all);
    if (!json.empty()) write_json(all, json);
    if (!html.empty()) add_html(all, html);
    return all.right ? 0 : 1;
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}

} // namespace bench
