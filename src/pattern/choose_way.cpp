// SPDX-License-Identifier: Apache-2.0
#include "pattern/choose_way.hpp"

#include "model/chooser.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sode::internal {

// A row is what is contiguous on both sides.
void choose_way(edge& e, exchange_terms const& terms, bool shared) {
    auto const source = classify(e.source_layout), target = classify(e.target_layout);
    bool const self = e.source == e.target;
    auto& f = e.features;
    f.bytes = e.source_layout.bytes();
    f.row_bytes = std::min(source.row_bytes, target.row_bytes);
    f.rows = f.bytes / std::max<std::int64_t>(f.row_bytes, 1);
    f.pitch = std::max(source.pitch, target.pitch);
    f.apart = terms.apart(e.source, e.target);
    f.acknowledged = true;
    f.shared = shared || self;
    e.chosen = choose(f, terms.costs, self ? &ways::pull : terms.forced_way());
}

void refuse_lines(exchange_terms const& terms) {
    if (terms.forced && terms.forced->place() == found_in::line)
        throw error{error_kind::usage, fmt::format("{} cannot use channel inline", terms.name),
                    "only halo exchanges can use channel inline",
                    "select pull, stage, stage-wide or reference, or let the model choose"};
}

} // namespace sode::internal
