// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include "coarrays.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <sode/directives.h>
#include <string_view>
#include <utility>

namespace sode::xmp {

process& process::here() {
    static auto* const one = new process; // outlives what other destructors do
    return *one;
}

void process::unit(void (*const* parts)(void)) {
    units_.push_back(parts);
    if (world_) begin(); // a library that was loaded later
}

void process::begin() {
    if (!world_) {
        sode_runtime* job = nullptr;
        int const code = local_view_ ? sode_init_windows(0, nullptr, &job) : sode_init(0, nullptr, &job);
        check("", code, job);
        if (serial_ && sode_size(job) > 1)
            fail("", "the program was started on " + std::to_string(sode_size(job)) + " nodes, but was compiled with --serial",
                 "start one process of the program, or compile the program without --serial");
        world_ = std::make_unique<sode_xmp_set>();
        world_->ranks.resize(static_cast<std::size_t>(sode_size(job)));
        std::iota(world_->ranks.begin(), world_->ranks.end(), 0);
        world_->mine = sode_rank(job);
        world_->job = job;
        if (local_view_) begin_meetings();
        std::atexit([] { here().finish(); });
    }
    while (made_ < units_.size())
        for (auto const* part = units_[made_++]; *part; ++part) (*part)();
    map_coarrays();
}

void process::finish() {
    if (std::exchange(over_, true)) return;
    if (meetings()) (void)sode_window_barrier(meetings()->window); // others may still reach what goes now
    // What is called may add others.
    for (std::size_t k = 0; k < last_acts_.size(); ++k) last_acts_[k](); // NOLINT(modernize-loop-convert)
    for (auto& [ranks, set] : sets_)
        if (set->job) sode_finalize(std::exchange(set->job, nullptr));
    sode_finalize(std::exchange(world_->job, nullptr));
}

sode_xmp_set& process::set_of(std::vector<int> ranks) {
    if (ranks == world_->ranks) return *world_;
    auto& found = sets_[ranks];
    if (!found) {
        found = std::make_unique<sode_xmp_set>();
        for (std::size_t i = 0; i < ranks.size(); ++i)
            if (ranks[i] == world_->mine) found->mine = static_cast<int>(i);
        found->ranks = std::move(ranks);
    }
    return *found;
}

sode_runtime* process::job_of(char const* at, sode_xmp_set& set) {
    if (!set.job) check(at, sode_part(world_->job, static_cast<int>(set.ranks.size()), set.ranks.data(), &set.job), set.job);
    return set.job;
}

bool in_task(std::vector<int> const& ranks) {
    if (process::here().all_in_task()) return true;
    auto const& task = process::here().of_task().ranks;
    return std::ranges::all_of(ranks, [&](int rank) { return std::ranges::find(task, rank) != task.end(); });
}

namespace {

std::string_view called; // with the place of the call, of a library function

// "xmp_malloc()", and where it was called if that is known.
char const* place_of(char const* at) {
    return called.ends_with(at) && *at ? called.data() : at;
}

} // namespace

void fail(char const* where, std::string const& problem, std::string const& suggestion) {
    auto const* const at = place_of(where);
    std::fprintf(stderr, "%s%ssode: error: %s\n  %s\n", at, *at ? ": " : "", problem.c_str(), suggestion.c_str());
    std::_Exit(1); // not exit(): it would wait for the other ranks
}

void check(char const* where, int code, sode_runtime const* job) {
    if (code == SODE_OK) return;
    auto const* const at = place_of(where);
    std::fprintf(stderr, "%s%s%s\n", at, *at ? ": " : "", sode_error_text(job));
    std::_Exit(1);
}

} // namespace sode::xmp

extern "C" {

void sode_xmp_at(char const* call) {
    sode::xmp::called = call;
}

void sode_xmp_unit(void (*const* parts)(void)) {
    sode::xmp::process::here().unit(parts);
}

void sode_xmp_serial(void) {
    sode::xmp::process::here().make_serial();
}

void sode_xmp_images(void) {
    sode::xmp::process::here().expect_images();
}

void sode_xmp_local_view(void) {
    sode::xmp::process::here().make_local_view();
}

void sode_xmp_begin(void) {
    sode::xmp::process::here().begin();
}

} // extern "C"
