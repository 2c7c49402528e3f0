// SPDX-License-Identifier: Apache-2.0
// `barrier`, `reduction`, `bcast`, `gmove`.
#include "arrays.hpp"
#include "process.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <memory>

namespace sode::xmp {
namespace {

sode_xmp_set& set_or_all(sode_xmp_set* set) {
    return set ? *set : process::here().executing();
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

// Memory of every rank as an array of which every node has a copy.
class every_nodes {
public:
    every_nodes(char const* at, sode_runtime* job, sode_xmp_side const& side) {
        int const all = sode_size(job);
        int64_t const ranks = all;
        sode_format const each{.kind = SODE_BLOCK, .width = 0, .widths = nullptr};
        check(at, sode_nodes_create(job, 1, &all, &nodes_), job);
        check(at, sode_grid_distribute(nodes_, 1, &ranks, &each, &over_), job);
        std::vector<int> const none(static_cast<std::size_t>(side.dims), -1);
        check(at, sode_grid_align(over_, side.dims, side.extents, none.data(), nullptr, &grid_), job);
        std::vector<int64_t> strides(static_cast<std::size_t>(side.dims), 1);
        for (auto d = strides.size() - 1; d-- > 0;) strides[d] = strides[d + 1] * side.extents[d + 1];
        check(at, sode_array_attach(grid_, side.local, side.type, strides.data(), nullptr, "memory of each rank", &array_), job);
    }
    every_nodes(every_nodes const&) = delete;
    every_nodes& operator=(every_nodes const&) = delete;
    ~every_nodes() {
        sode_array_destroy(array_);
        sode_grid_destroy(grid_);
        sode_grid_destroy(over_);
        sode_nodes_destroy(nodes_);
    }
    [[nodiscard]] sode_array* array() const { return array_; }

private:
    sode_nodes* nodes_ = nullptr;
    sode_grid* over_ = nullptr;
    sode_grid* grid_ = nullptr;
    sode_array* array_ = nullptr;
};

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void sode_xmp_barrier(char const* at, sode_xmp_set* set) {
    auto& among = set_or_all(set);
    if (among.mine < 0) return;
    auto* const job = process::here().job_of(at, among);
    check(at, sode_barrier(job), job);
}

void sode_xmp_reduce_begin(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type) {
    (void)at;
    auto const& among = set_or_all(set);
    if (among.mine > 0) make_neutral(op, values, count, type); // the first one's value counts
}

void sode_xmp_reduce(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type) {
    auto& among = set_or_all(set);
    if (among.mine < 0) return;
    auto* const job = process::here().job_of(at, among);
    check(at, sode_allreduce(job, values, count, type, op), job);
}

void sode_xmp_reduce_located(char const* at, sode_xmp_set* set, sode_op op, void* value, sode_type type, int last, int count,
                             sode_piece const* where) {
    auto& among = set_or_all(set);
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

void sode_xmp_bcast(char const* at, sode_xmp_set* set, sode_xmp_set* from, void* data, size_t bytes) {
    auto& among = set_or_all(set);
    int root = 0;
    if (from) {
        if (from->ranks.size() != 1)
            fail(at, "bcast is from " + std::to_string(from->ranks.size()) + " nodes (it has one source)", "name one node");
        auto const found = std::ranges::find(among.ranks, from->ranks.front());
        if (found == among.ranks.end())
            fail(at, "bcast is from a node that is none of those that take part", "name one of them, or widen `on`");
        root = static_cast<int>(found - among.ranks.begin());
    }
    if (among.mine < 0) return;
    auto* const job = process::here().job_of(at, among);
    check(at, sode_broadcast(job, data, bytes, root), job);
}

void sode_xmp_gmove(char const* at, sode_xmp_side const* to, sode_xmp_side const* from) {
    auto const* const global = to->array ? to->array : from->array;
    auto* const job = global->state->job;
    if (job != process::here().job_of(at, process::here().executing()))
        fail(at, "gmove runs on other nodes than array \"" + global->state->name + "\" was made on",
             "run it outside of the task, or make the array inside");
    std::unique_ptr<every_nodes> copies[2];
    auto const array_of = [&](sode_xmp_side const& side, std::size_t k) {
        if (side.array) return side.array->state->array;
        copies[k] = std::make_unique<every_nodes>(at, job, side);
        return copies[k]->array();
    };
    auto* const target = array_of(*to, 0);
    auto* const source = array_of(*from, 1);
    sode_collective* copy = nullptr;
    check(at, sode_copy_init(target, to->part, source, from->part, &copy), job);
    check(at, sode_collective_start(copy), job);
    check(at, sode_collective_wait(copy), job);
    sode_collective_destroy(copy);
}

} // extern "C"
