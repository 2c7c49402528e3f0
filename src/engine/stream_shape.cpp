// SPDX-License-Identifier: Apache-2.0
#include "engine/stream_shape.hpp"

#include "plan/combiners.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sode::internal {

std::vector<row_function> row_functions(schedule const& p) {
    std::vector<row_function> all;
    for (std::size_t i = 0; i < p.descriptors.size(); ++i) {
        auto const& d = p.descriptors[i];
        if (d.op != operation::reduce && d.op != operation::negate) continue;
        bool const users = d.op == operation::reduce && is_users(d.argument);
        auto const f = users                       ? nullptr
                       : d.op == operation::reduce ? combining(d.argument)
                                                   : negating(static_cast<element>(d.argument));
        if (users ? !has_combiner(p, d.argument) : !f)
            throw error{error_kind::internal, fmt::format("descriptor {} of {} uses operation {}", i, p.name, d.argument),
                        "no operator and element type have this number", "create the operation with combiner()"};
        all.resize(p.descriptors.size());
        all[i] = f;
    }
    return all;
}

// How deep loops are in each other: there is room for so many turns, and no more.
std::size_t nesting_of(schedule const& p) {
    std::size_t depth = 0, most = 0;
    for (auto const& d : p.descriptors) {
        bool const closes = d.op == operation::end_loop;
        if ((closes && depth == 0) || (d.op == operation::end && depth != 0))
            throw error{error_kind::internal, fmt::format("loops of {} are not paired", p.name),
                        "a stream needs one end_loop for each loop", "add the missing loop or end_loop"};
        depth += d.op == operation::loop;
        depth -= closes;
        most = std::max(most, depth);
    }
    if (most > most_loops)
        throw error{error_kind::internal, fmt::format("loops of {} are nested {} deep", p.name, most),
                    fmt::format("the limit is {}", most_loops), "unroll one of the loops"};
    return most;
}

} // namespace sode::internal
