// SPDX-License-Identifier: Apache-2.0
#include <sode/detail/rank_order.hpp>

#include "base/mixing.hpp"

#include <algorithm>
#include <utility>

namespace sode::detail {
using namespace internal;

rank_order::rank_order(std::vector<int> ranks) {
    if (ranks.empty()) return;
    table made;
    made.nodes.assign(static_cast<std::size_t>(*std::max_element(ranks.begin(), ranks.end())) + 1, -1);
    for (std::size_t k = 0; k < ranks.size(); ++k) {
        made.nodes[static_cast<std::size_t>(ranks[k])] = static_cast<int>(k);
        mix(made.fingerprint, index_t{ranks[k]});
    }
    made.ranks = std::move(ranks);
    table_ = std::make_shared<table const>(std::move(made));
}

} // namespace sode::detail
