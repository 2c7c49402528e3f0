// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.hpp"

namespace sode {

std::string_view to_string(operation op) {
    switch (op) {
    case operation::end: return "end";
    case operation::copy: return "copy";
    case operation::pack: return "pack";
    case operation::unpack: return "unpack";
    case operation::inline_put: return "inline_put";
    case operation::inline_get: return "inline_get";
    case operation::negate: return "negate";
    case operation::reduce: return "reduce";
    case operation::call: return "call";
    case operation::signal: return "signal";
    case operation::wait: return "wait";
    case operation::send: return "send";
    case operation::receive: return "receive";
    case operation::credit: return "credit";
    case operation::loop: return "loop";
    case operation::end_loop: return "end_loop";
    }
    return "unknown operation";
}

std::uint32_t stream_of(plan const& p, std::size_t descriptor) noexcept {
    std::uint32_t found = 0;
    for (std::uint32_t s = 0; s < p.streams.size(); ++s)
        if (auto const first = p.streams[s].first; first <= descriptor && first >= p.streams[found].first) found = s;
    return found;
}

std::vector<std::uint32_t> streams_of(plan const& p) {
    std::vector<std::uint32_t> all(p.descriptors.size());
    for (std::uint32_t s = 0; s < p.streams.size(); ++s)
        for (std::size_t i = p.streams[s].first; i < all.size(); ++i) {
            all[i] = s;
            if (p.descriptors[i].op == operation::end) break;
        }
    return all;
}

} // namespace sode
