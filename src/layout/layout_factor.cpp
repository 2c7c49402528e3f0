// SPDX-License-Identifier: Apache-2.0
#include "layout/layout_factor.hpp"

#include <algorithm>

namespace sode::internal {

std::optional<factored> factor(layout const& l, index_t period) {
    factored f;
    f.inner = l;
    f.inner.loops.clear();
    index_t inside = f.inner.bytes();
    if (inside > period) {
        if (!l.is_nest() || inside % period != 0) return std::nullopt;
        f.loops = l.loops;
        f.loops.push_back({inside / period, period});
        f.inner.block = period;
        return f;
    }
    // From the inside out: whole loops go inside as long as they fit, then one may be cut.
    auto next = l.loops.rbegin();
    for (; next != l.loops.rend() && inside < period; ++next) {
        if (period % inside != 0) return std::nullopt;
        index_t const wanted = period / inside;
        if (wanted < next->count) {
            if (next->count % wanted != 0) return std::nullopt;
            f.inner.loops.insert(f.inner.loops.begin(), {wanted, next->stride});
            f.loops.assign(l.loops.begin(), next.base());
            f.loops.back() = {next->count / wanted, next->stride * wanted};
            return f;
        }
        f.inner.loops.insert(f.inner.loops.begin(), *next);
        inside *= next->count;
    }
    if (inside != period) return std::nullopt;
    f.loops.assign(l.loops.begin(), next.base());
    return f;
}

} // namespace sode::internal
