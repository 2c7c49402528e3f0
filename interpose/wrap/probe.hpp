// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/straight.hpp"
#include "interpose/requests/layer.hpp"

namespace sode::internal::interpose::wrap {

template <auto Next, auto Ours, class... Arguments> [[gnu::noinline]] int considered_probe(Arguments... a) {
    entry const call;
    layer* const l = call.active();
    if (l == nullptr) return (call.next().*Next)(a...);
    l->receives.attend();
    return (l->probes.*Ours)(call, a...);
}

/// Whether no message that a receive may get now is a record.
inline bool are_messages_plain() noexcept {
    return straight.watches(INT_MAX, MPI_BYTE); // that is before the first record
}

/// What these meet stays where it is, so whoever meets the first record asks again.
template <auto Next, auto Ours, class... Arguments> int probed(Arguments... a) {
    if (are_messages_plain()) [[likely]] {
        int const result = (tool_below().*Next)(a...);
        if (!straight.has_met_records() || result != MPI_SUCCESS) [[likely]]
            return result;
        straight.note_records();
    }
    return considered_probe<Next, Ours>(a...);
}
template <auto Next, class... Arguments> int probe(Arguments... a) {
    return probed<Next, &prober::probe>(a...);
}
template <auto Next, class... Arguments> int iprobe(Arguments... a) {
    return probed<Next, &prober::iprobe>(a...);
}
// These take what they meet.
template <auto Next, class... Arguments> int mprobe(Arguments... a) {
    return considered_probe<Next, &prober::mprobe>(a...);
}
template <auto Next, class... Arguments> int improbe(Arguments... a) {
    return considered_probe<Next, &prober::improbe>(a...);
}

} // namespace sode::internal::interpose::wrap
