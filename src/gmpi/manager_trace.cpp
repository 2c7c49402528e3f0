// SPDX-License-Identifier: Apache-2.0
#include "gmpi/manager_trace.hpp"

#include "base/clock.hpp"
#include "engine/trace_rows.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace sode::internal::kernels {

manager_trace::manager_trace(trace_log* log) : log_(log) {
    if (!log_) return;
    constexpr std::array<std::string_view, kinds> names{"nothing", "send",  "receive", "put",    "signal",
                                                        "barrier", "start", "part",    "copies", "messages of other ranks"};
    static_assert(static_cast<std::uint8_t>(gmpi::detail::operation::ready) == copies - 1);
    row_ = trace_rows::add(*log_, "manager");
    for (std::size_t k = 0; k < kinds; ++k) subjects_[k] = log_->add({.name = std::string{names[k]}, .bytes = 0, .edges = {}});
    events_.resize(room);
}

std::int64_t manager_trace::now() const noexcept {
    return log_ ? now_ns() : 0;
}

void manager_trace::did(std::uint8_t kind, std::int64_t since, std::uint64_t number, int peer) noexcept {
    if (!log_) return;
    events_[noted_++ % room] = {
        .begin_ns = since, .end_ns = now_ns(), .epoch = number, .subject = subjects_[kind], .peer = peer, .lane = row_};
}

void manager_trace::hand_over() noexcept {
    for (auto n = noted_ - std::min(noted_, room); n < noted_; ++n) log_->record(events_[n % room]);
    noted_ = 0;
}

} // namespace sode::internal::kernels
