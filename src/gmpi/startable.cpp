// SPDX-License-Identifier: Apache-2.0
#include "gmpi/startable.hpp"

namespace sode::internal::kernels {

namespace {

code code_of(error const& e) {
    switch (e.kind()) {
    case error_kind::peer: return code::peer;
    case error_kind::timeout: return code::timeout;
    case error_kind::usage: return code::usage;
    default: return code::transport;
    }
}

} // namespace

void started_plans::start(std::uint32_t number, goal const& whose) {
    auto& p = all_[number];
    if (p.wanted || p.running) return tells_.over(whose, code::usage, 0); // its last start is not over
    p.whose = whose;
    p.wanted = true;
    ++under_way_;
}

void started_plans::end(one& p, code how) {
    p.wanted = p.running = false;
    --under_way_;
    tells_.over(p.whose, how, 0);
}

void started_plans::step(one& p) {
    try {
        if (!p.running) p.plan.start();
        p.running = true;
        p.wanted = false;
        if (!p.plan.test()) return;
        p.plan.end();
        end(p, code::ok);
    } catch (error const& e) {
        if (!failure_) failure_ = std::current_exception();
        end(p, code_of(e));
    } catch (...) { // a function of the user's may throw anything
        if (!failure_) failure_ = std::current_exception();
        end(p, code::transport);
    }
}

bool started_plans::carry() {
    if (under_way_ == 0) return false;
    auto const before = under_way_;
    bool any = false;
    for (auto& p : all_) {
        any |= p.wanted;
        if (p.wanted || p.running) step(p);
    }
    return any || under_way_ != before;
}

} // namespace sode::internal::kernels
