// SPDX-License-Identifier: Apache-2.0
// -fsode-check: what references ask, and what ranks tell each other at the end of a loop.
#include "arrays.hpp"
#include "inquiry.hpp"
#include "process.hpp"
#include "watch.hpp"

#include <algorithm>
#include <memory>
#include <sode/checked.h>

namespace sode::xmp {
namespace {

bool on = false;
std::atomic<int> open{0}, expanding{0}; // loops that have begun; tasks with nocomm, too

// Written boxes from each rank: how many there are, and the first few; the others come in further rounds.
constexpr std::size_t in_round = 4;
struct record {
    std::int64_t key = 0;
    watch::box box;
};
struct report {
    std::int64_t count = 0;
    std::array<record, in_round> records{};
};

// One for each set of executing nodes, planned once.
struct meeting {
    report mine;
    std::vector<report> all;
    sode_collective* plan = nullptr;
};

std::map<sode_runtime*, std::unique_ptr<meeting>>& meetings() {
    static auto* const list = [] {
        process::here().before_end([] {
            for (auto& [job, m] : meetings()) sode_collective_destroy(m->plan);
            meetings().clear();
        });
        return new std::map<sode_runtime*, std::unique_ptr<meeting>>;
    }();
    return *list;
}

meeting& meeting_of(char const* at, sode_runtime* job) {
    auto& m = meetings()[job];
    if (m) return *m;
    m = std::make_unique<meeting>();
    m->all.resize(static_cast<std::size_t>(sode_size(job)));
    std::vector<sode_piece> pieces;
    for (auto& r : m->all) pieces.push_back({&r, sizeof r});
    check(at, sode_allgather_init(job, {&m->mine, sizeof m->mine}, pieces.data(), &m->plan), job);
    return *m;
}

// Every executing node learns what others have written in the loop that ends.
void tell(char const* at) {
    std::vector<record> mine;
    for (auto* const w : watch::all())
        if (record r{w->key(), {}}; w->take_written(r.box)) mine.push_back(r);
    auto* const job = process::here().job_of(at, process::here().executing());
    auto& m = meeting_of(at, job);
    std::size_t most = 1;
    for (std::size_t done = 0; done < most; done += in_round) {
        m.mine = {};
        m.mine.count = static_cast<std::int64_t>(mine.size());
        for (std::size_t k = 0; k < in_round && done + k < mine.size(); ++k) m.mine.records[k] = mine[done + k];
        check(at, sode_collective_start(m.plan), job);
        check(at, sode_collective_wait(m.plan), job);
        for (auto const& from : m.all) {
            most = std::max(most, static_cast<std::size_t>(from.count));
            for (std::size_t k = 0; k < in_round && done + k < static_cast<std::size_t>(from.count); ++k)
                for (auto* const w : watch::all())
                    if (w->key() == from.records[k].key) w->written(at, from.records[k].box);
        }
    }
    for (auto* const w : watch::all()) w->settle();
}

} // namespace

bool watching() {
    return on;
}

watch* watch_of(sode_xmp_array const& array) {
    return array.state ? array.state->watched.get() : nullptr;
}

void all_written(char const* at, void* descriptor) {
    auto const* const array = array_of(descriptor);
    if (array && array->state && array->state->watched) array->state->watched->replaced(at, "the call of a library function");
}

void alone(int change) {
    open += change;
}

} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void sode_xmp_check(void) {
    on = true;
}

void* sode_xmp_element(char const* at, sode_xmp_array const* array, int how, int64_t const* indices) {
    auto* const w = watch_of(*array);
    if (!w) fail(at, "an array without memory is used", "call xmp_malloc() first");
    return w->element(at, how, indices, expanding > 0);
}

int64_t sode_xmp_row(char const* at, sode_xmp_array const* array, int dim, int64_t index) {
    if (auto const* const w = watch_of(*array)) w->row(at, static_cast<std::size_t>(dim), index);
    return index;
}

void sode_xmp_check_begin(int expands) {
    ++open;
    expanding += expands;
}

void sode_xmp_check_end(char const* at, int expands) {
    expanding -= expands;
    if (--open == 0) tell(at);
}

} // extern "C"
