// SPDX-License-Identifier: Apache-2.0
#include "gmpi/barriers.hpp"

#include <utility>

namespace sode::internal::kernels {

void barriers::enter(goal const& whose) {
    if (broken_ != code::ok) return tells_.over(whose, broken_, 0);
    waiting_.push_back(whose);
    if (waiting_.size() > 1) return;
    ++entered_;
    if (ranks_.size() > 1) tell();
    go();
}

bool barriers::read(frame const& f) {
    if (f.kind != frame_kind::barrier) return false;
    ++heard_[f.tag % heard_.size()];
    go();
    return true;
}

void barriers::go() {
    while (!waiting_.empty()) {
        bool const all = (1 << round_) >= ranks_.size();
        if (!all && heard_[round_] < entered_) return;
        if (!all) {
            ++round_;
            if ((1 << round_) < ranks_.size()) tell();
            continue;
        }
        auto const whose = waiting_.front();
        waiting_.pop_front();
        round_ = 0;
        if (!waiting_.empty()) {
            ++entered_;
            if (ranks_.size() > 1) tell();
        }
        tells_.over(whose, code::ok, 0);
    }
}

void barriers::give_up(code why) {
    broken_ = why;
    for (auto const& whose : std::exchange(waiting_, {})) tells_.over(whose, why, 0);
}

} // namespace sode::internal::kernels
