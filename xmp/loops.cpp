// SPDX-License-Identifier: Apache-2.0
// Where a rank's part of a loop begins and ends. Not inline: it is asked once for each loop, and compilers take long over it.
#include "process.hpp"

#include <sode/directives.h>

extern "C" {

int64_t sode_xmp_first(sode_xmp_share const* s, int64_t begin, int64_t end, int64_t step, int64_t offset) {
    if (s->chunk > 0) {
        while ((step > 0 ? begin < end : begin > end) && !sode_xmp_has(s, begin + offset)) begin += step;
        return begin;
    }
    if (step > 0) {
        int64_t const lower = s->lower - offset;
        return begin >= lower ? begin : begin + (lower - begin + step - 1) / step * step;
    }
    int64_t const upper = s->upper - 1 - offset;
    return begin <= upper ? begin : begin + (begin - upper - step - 1) / -step * step;
}
int64_t sode_xmp_end(sode_xmp_share const* s, int64_t end, int64_t step, int64_t offset) {
    if (step > 0) return end < s->upper - offset ? end : s->upper - offset;
    return end > s->lower - 1 - offset ? end : s->lower - 1 - offset;
}

static sode_xmp_part part_of(sode_xmp_share const& s, int64_t begin, int64_t end, int64_t step, int64_t offset) {
    auto const last = sode_xmp_end(&s, end, step, offset);
    return {.first = sode_xmp_first(&s, begin, last, step, offset), .end = last};
}
sode_xmp_part sode_xmp_template_part(char const* at, sode_xmp_template const* t, int dim, int64_t begin, int64_t end, int64_t step,
                                     int64_t offset) {
    return part_of(sode_xmp_template_share(at, t, dim), begin, end, step, offset);
}
sode_xmp_part sode_xmp_nodes_part_of(char const* at, sode_xmp_nodes const* nodes, int dim, int64_t begin, int64_t end, int64_t step,
                                     int64_t offset) {
    return part_of(sode_xmp_nodes_share(at, nodes, dim), begin, end, step, offset);
}

void sode_xmp_array_extent(char const* at, int number, sode_range const* range, int64_t count) {
    if (range->step < 1)
        sode::xmp::fail(at, "'array' is on a range of the template with a length below 0 or a step below 1",
                        "write [from:count:step] with a count of 0 or more and a step of 1 or more");
    auto const named = range->upper > range->lower ? (range->upper - range->lower + range->step - 1) / range->step : 0;
    if (named == count) return;
    sode::xmp::fail(at,
                    "'array' is on " + std::to_string(named) + " indices of the template, and section " + std::to_string(number) +
                        " of the assignment has " + std::to_string(count) + " elements",
                    "make both numbers equal, or write t[:]");
}

sode_xmp_share sode_xmp_window(sode_xmp_share const* s, int dim, int which, int64_t below, int64_t above) {
    bool const cut = s->upper > s->lower && s->lower > INT64_MIN / 4; // else there is nothing, or all of it
    int const slab = which - 1;
    if (!cut) return which > 0 && slab / 2 == dim ? sode_xmp_share{} : *s;
    // The middle, and what lies around it.
    auto const from = s->lower - below, to = s->upper + above;
    int64_t const outer_from = below > 0 && which > 0 ? from : s->lower, outer_to = above > 0 && which > 0 ? to : s->upper;
    auto result = *s;
    result.lower = which > 0 && below > 0 ? s->lower : from;
    result.upper = which > 0 && above > 0 ? s->upper : to;
    if (below < 0 || above < 0) { // a block may be thinner than its rims
        if (result.lower > s->upper) result.lower = s->upper;
        if (result.upper < result.lower) result.upper = result.lower;
    }
    if (which == 0 || slab / 2 > dim) return result;
    auto const middle = result;
    result.lower = slab / 2 == dim && slab % 2 == 1 ? middle.upper : outer_from;
    result.upper = slab / 2 == dim && slab % 2 == 0 ? middle.lower : outer_to;
    return result;
}

} // extern "C"
