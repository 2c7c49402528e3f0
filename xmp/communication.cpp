// SPDX-License-Identifier: Apache-2.0
// `barrier`, `reduction`, `bcast`.
#include "asynchronous.hpp"
#include "process.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <memory>

namespace sode::xmp {
namespace {

// The nodes that do something together; null: the executing ones.
sode_xmp_set& together(char const* at, sode_xmp_set* set, char const* what) {
    if (!set) return process::here().executing();
    if (set->mine >= 0 && !in_task(set->ranks))
        fail(at, std::string{what} + " names nodes that do not execute the directive (a task has only some of the nodes)",
             "name nodes of the task, or omit 'on'");
    return *set;
}

template <class T> void fill(void* values, size_t count, T value) {
    std::fill_n(static_cast<T*>(values), count, value);
}

// What changes nothing when it is combined. For all other operations a value that occurs several times counts once anyway.
void make_neutral(sode_op op, void* values, size_t count, sode_type type) {
    auto const bytes = static_cast<std::size_t>(type >> 8);
    if (op == SODE_SUM || op == SODE_BXOR) std::memset(values, 0, count * bytes);
    if (op != SODE_PRODUCT) return;
    switch (type) {
    case SODE_FLOAT: return fill(values, count, 1.0F);
    case SODE_DOUBLE: return fill(values, count, 1.0);
    case SODE_LONG_DOUBLE: return fill(values, count, 1.0L);
    case SODE_FLOAT_COMPLEX: return fill(values, count, std::complex<float>{1});
    case SODE_DOUBLE_COMPLEX: return fill(values, count, std::complex<double>{1});
    default: break;
    }
    std::memset(values, 0, count * bytes);
    for (size_t k = 0; k < count; ++k) static_cast<char*>(values)[k * bytes] = 1; // integers, the lowest byte first
}

// A collective that was begun, and what it reads.
struct running {
    sode_collective* plan = nullptr;
    sode_runtime* job;
    std::vector<char> input;

    explicit running(sode_runtime* of) : job(of) {}
    running(running const&) = delete;
    running& operator=(running const&) = delete;
    ~running() { sode_collective_destroy(plan); }
};

void begin(char const* at, std::shared_ptr<running> const& r, int number) {
    check(at, sode_collective_start(r->plan), r->job);
    keep({.number = number,
          .owner = nullptr,
          .over =
              [r](char const* where) {
                  int over = 0;
                  check(where, sode_collective_test(r->plan, &over), r->job);
                  return over != 0;
              },
          .finish = [r](char const* where) { check(where, sode_collective_wait(r->plan), r->job); }});
}

// The number among `among` of the one node that `from` is; null: the first.
int root_of(char const* at, sode_xmp_set const& among, sode_xmp_set const* from) {
    if (!from) return 0;
    if (from->ranks.size() != 1)
        fail(at, "bcast has " + std::to_string(from->ranks.size()) + " source nodes (a bcast has one source)", "name one node");
    auto const found = std::ranges::find(among.ranks, from->ranks.front());
    if (found == among.ranks.end())
        fail(at, "the source of bcast is a node that does not execute the bcast",
             "name an executing node, or add the node to `on`");
    return static_cast<int>(found - among.ranks.begin());
}

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void sode_xmp_barrier(char const* at, sode_xmp_set* set) {
    auto& among = together(at, set, "a barrier");
    if (among.mine < 0) return;
    auto const& here = process::here().executing(); // in an iteration, the node itself
    if (&among != &here && here.ranks.size() == 1 && among.ranks.size() > 1)
        fail(at, "a barrier names nodes that do not execute the barrier (one node executes each iteration of the loop)",
             "omit 'on', or write the barrier outside of the loop");
    auto* const job = process::here().job_of(at, among);
    check(at, sode_barrier(job), job);
}

void sode_xmp_reduce_begin(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type) {
    auto const& among = together(at, set, "a reduction");
    if (among.mine > 0) make_neutral(op, values, count, type); // the first one's value counts
}

void sode_xmp_reduce(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type) {
    auto& among = together(at, set, "a reduction");
    if (among.mine < 0) return;
    auto* const job = process::here().job_of(at, among);
    check(at, sode_allreduce(job, values, count, type, op), job);
}

void sode_xmp_reduce_located(char const* at, sode_xmp_set* set, sode_op op, void* value, sode_type type, int last, int count,
                             sode_piece const* where) {
    auto& among = together(at, set, "a reduction");
    if (among.mine < 0) return;
    auto* const job = process::here().job_of(at, among);
    auto const bytes = static_cast<std::size_t>(type >> 8);
    std::vector<char> mine(static_cast<char*>(value), static_cast<char*>(value) + bytes);
    check(at, sode_allreduce(job, value, 1, type, op), job);
    bool const has = std::memcmp(mine.data(), value, bytes) == 0;
    int64_t root = has ? among.mine : last ? -1 : INT64_MAX;
    check(at, sode_allreduce(job, &root, 1, SODE_INT64, last ? SODE_MAX : SODE_MIN), job);
    if (root < 0 || root == INT64_MAX) return; // a value that is not equal to itself
    for (int k = 0; k < count; ++k) check(at, sode_broadcast(job, where[k].memory, where[k].bytes, static_cast<int>(root)), job);
}

void sode_xmp_reduce_async(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type, int number) {
    auto& among = together(at, set, "a reduction");
    if (among.mine < 0) return;
    auto const r = std::make_shared<running>(process::here().job_of(at, among));
    auto const* const first = static_cast<char const*>(values);
    r->input.assign(first, first + count * (type >> 8));
    check(at, sode_allreduce_init(r->job, r->input.data(), values, count, type, op, &r->plan), r->job);
    begin(at, r, number);
}

void sode_xmp_bcast(char const* at, sode_xmp_set* set, sode_xmp_set* from, void* data, size_t bytes) {
    auto& among = together(at, set, "a bcast");
    if (among.mine < 0) return;
    int const root = root_of(at, among, from);
    auto* const job = process::here().job_of(at, among);
    check(at, sode_broadcast(job, data, bytes, root), job);
}

void sode_xmp_bcast_async(char const* at, sode_xmp_set* set, sode_xmp_set* from, void* data, size_t bytes, int number) {
    auto& among = together(at, set, "a bcast");
    if (among.mine < 0) return;
    int const root = root_of(at, among, from);
    auto const r = std::make_shared<running>(process::here().job_of(at, among));
    check(at, sode_broadcast_init(r->job, data, bytes, root, &r->plan), r->job);
    begin(at, r, number);
}

} // extern "C"
