// SPDX-License-Identifier: Apache-2.0
// Where a rank's part of a loop begins and ends. Not inline: it is asked once for each loop, and compilers take long over it.
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

} // extern "C"
