// SPDX-License-Identifier: Apache-2.0
// Reductions of a loop with locations: of equal values the first iteration's counts, or the last one's, whoever had it.
#include "process.hpp"

#include <algorithm>
#include <cstring>
#include <sode/directives.h>
#include <vector>

using namespace sode::xmp;

namespace {

std::size_t bytes_of(sode_xmp_search const& s) {
    std::size_t bytes = 0;
    for (int k = 0; k < s.count; ++k) bytes += s.pieces[k].bytes;
    return bytes;
}

// Remembers what the variables are. False: they are what they were.
bool remember(sode_xmp_search& s) {
    bool changed = false;
    auto* copy = static_cast<char*>(s.found);
    for (int k = 0; k < s.count; copy += s.pieces[k++].bytes) {
        if (std::memcmp(copy, s.pieces[k].memory, s.pieces[k].bytes) == 0) continue;
        std::memcpy(copy, s.pieces[k].memory, s.pieces[k].bytes);
        changed = true;
    }
    return changed;
}

} // namespace

extern "C" {

void sode_xmp_search_begin(sode_xmp_search* search, int dims, int count, sode_piece const* pieces) {
    *search = {.dims = dims, .count = count, .pieces = pieces, .at = {}, .found = nullptr};
    std::fill_n(search->at, dims, INT64_MIN);
    search->found = sode_xmp_room(bytes_of(*search));
    auto* copy = static_cast<char*>(search->found);
    for (int k = 0; k < count; copy += pieces[k++].bytes) std::memcpy(copy, pieces[k].memory, pieces[k].bytes);
}

void sode_xmp_search_look(sode_xmp_search* search, int64_t const* at) {
    if (remember(*search)) std::copy_n(at, search->dims, search->at);
}

void sode_xmp_reduce_searched(char const* at, sode_xmp_set* set, sode_op op, void* value, sode_type type, int last,
                              sode_xmp_search* search) {
    auto& among = set ? *set : process::here().executing();
    std::vector<char> const mine(static_cast<char*>(value), static_cast<char*>(value) + (type >> 8));
    sode_xmp_room_free(search->found);
    if (among.mine < 0) return;
    auto* const job = process::here().job_of(at, among);
    check(at, sode_allreduce(job, value, 1, type, op), job);
    bool candidate = std::memcmp(mine.data(), value, mine.size()) == 0;
    // Index by index those stay that are as early, or as late, as any; then the first rank, or the last.
    auto const best = [&](int64_t own) {
        int64_t it = candidate ? own : last ? INT64_MIN : INT64_MAX;
        check(at, sode_allreduce(job, &it, 1, SODE_INT64, last ? SODE_MAX : SODE_MIN), job);
        candidate = candidate && own == it;
        return it;
    };
    for (int d = 0; d < search->dims; ++d) (void)best(search->at[d]);
    auto const root = best(among.mine);
    if (root < 0 || root == INT64_MAX) return; // a value that is not equal to itself
    for (int k = 1; k < search->count; ++k)
        check(at, sode_broadcast(job, search->pieces[k].memory, search->pieces[k].bytes, static_cast<int>(root)), job);
}

} // extern "C"
