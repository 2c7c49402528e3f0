// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/layer.hpp"

namespace sode::internal::interpose {

layer::layer(config const& settings)
    : base(settings), packs(base, requests), receives(base, requests, packs), probes(base, requests, receives),
      sends(base, requests, packs, receives, probes), completes(base, requests, receives, probes, sends), agrees(base) {}

layer::~layer() {
    sends.settle();
}

std::string layer::told() {
    report* const told = base.told();
    if (told != nullptr) base.here().ranks().barrier(); // what was received late counts, too
    sends.settle();
    if (told == nullptr) return {};
    std::string text = told->text(base.here().ranks());
    return text + base.learnt().text(base.here().ranks());
}

} // namespace sode::internal::interpose
