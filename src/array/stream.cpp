// SPDX-License-Identifier: Apache-2.0
#include <sode/stream.hpp>

#include "array/device_moves.hpp"
#include "array/stream_work.hpp"
#include "base/misuse.hpp"
#include "base/warn.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sode::detail {

void stream_work::follow(std::shared_ptr<prepared_list> const& what) {
    std::erase_if(exchanges, [&](auto const& e) { return e.expired() || e.lock() == what; });
    exchanges.push_back(what);
}

void stream_work::wait() {
    if (trace) trace->rest();
    waiter w{owner->waiting};
    while (queue->done() != queue->given()) {
        bool looked_after = false;
        for (auto const& e : exchanges)
            if (auto const one = e.lock()) looked_after |= one->turn(w);
        if (looked_after) continue;
        static_cast<void>(w.step());
        if (auto const limit = owner->waiting.timeout_s; limit > 0 && w.elapsed() > limit)
            throw error{error_kind::timeout, fmt::format("this rank has waited {:.1f} s for a stream", w.elapsed()),
                        fmt::format("SODE_TIMEOUT is {} s, and no exchange is in progress on the stream", limit),
                        "check whether the kernels in the stream finish, or raise SODE_TIMEOUT"};
    }
    // Their last steps are done, which they do not know yet.
    for (auto const& e : std::exchange(exchanges, {}))
        if (auto const one = e.lock())
            while (one->turn(w)) {
            }
    if (trace) trace->collect();
    if (failed) return;
    failed = !queue->failure().empty();
    wait_for(*owner, *queue);
}

} // namespace sode::detail

namespace sode {
using namespace internal;

sode::stream::stream(runtime const& rt) : work_(std::make_unique<detail::stream_work>()) {
    auto& j = rt.job();
    j.require_running("a stream");
    work_->owner = j.shared_from_this();
    work_->queue = j.need_device().make_queue(queue_use::program);
    if (j.trace) work_->trace = std::make_unique<stream_trace>(j, *work_->queue);
}

sode::stream::~stream() {
    if (!work_ || work_->owner->ended) return;
    try {
        work_->wait();
    } catch (std::exception const& e) {
        tell(e);
        fail_at_exit();
    }
}

sode::stream::stream(sode::stream&&) noexcept = default;

sode::stream& sode::stream::operator=(sode::stream&& other) noexcept {
    sode::stream mine{std::move(other)};
    std::swap(work_, mine.work_);
    return *this;
}

detail::stream_work& sode::stream::work() const {
    if (!work_) refuse_moved("a stream");
    return *work_;
}

// NOLINTNEXTLINE(readability-make-member-function-const): what is behind it changes
void sode::stream::synchronize() {
    work().wait();
}

bool sode::stream::done() const {
    auto const& q = *work().queue;
    return q.done() == q.given();
}

// NOLINTNEXTLINE(readability-make-member-function-const): what is behind it changes
void sode::stream::run(std::function<void()> kernel) {
    work().give("kernel", [&](device_queue& q) { q.run(std::move(kernel)); });
}

bool sode::stream::emulated() const {
    return work().owner->need_device().emulated();
}

std::string sode::stream::device_name() const {
    return work().owner->need_device().name();
}

void* sode::stream::native() const {
    auto& mine = work();
    auto* const native = mine.queue->native();
    if (mine.trace && native) mine.trace->next("kernels of the program"); // which follow
    return native;
}

} // namespace sode
