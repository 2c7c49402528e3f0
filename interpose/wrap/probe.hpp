// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/layer.hpp"

namespace sode::internal::interpose::wrap {

template <auto Next, auto Ours, class... Arguments> int probed(Arguments... a) {
    entry const call;
    layer* const l = call.active();
    return l == nullptr ? (call.next().*Next)(a...) : (l->probes.*Ours)(call, a...);
}

template <auto Next, class... Arguments> int probe(Arguments... a) {
    return probed<Next, &prober::probe>(a...);
}
template <auto Next, class... Arguments> int iprobe(Arguments... a) {
    return probed<Next, &prober::iprobe>(a...);
}
template <auto Next, class... Arguments> int mprobe(Arguments... a) {
    return probed<Next, &prober::mprobe>(a...);
}
template <auto Next, class... Arguments> int improbe(Arguments... a) {
    return probed<Next, &prober::improbe>(a...);
}

} // namespace sode::internal::interpose::wrap
