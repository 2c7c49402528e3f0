// SPDX-License-Identifier: Apache-2.0
#include "device/emulated/queue_thread.hpp"

#include "base/clock.hpp"
#include "base/helper_thread.hpp"
#include "base/warn.hpp"

#include <algorithm>
#include <optional>

#include <ctime>
#include <sched.h>

namespace sode::internal {
namespace {

// What waits for another rank longer than a few turns will wait for some time: processors are for those that it waits for.
void rest(int idle) noexcept {
    constexpr int turns = 64;
    if (idle < turns) {
        sched_yield();
        return;
    }
    timespec const some{0, 50'000};
    nanosleep(&some, nullptr);
}

constexpr std::int64_t longest_ns = 10'000'000'000;

} // namespace

queue_thread::queue_thread(emulated_memory& memory) : memory_(memory) {
    thread_ = start_helper("does the work of an emulated device", "run fewer ranks", std::nullopt, [this] { run(); });
}

queue_thread::~queue_thread() {
    {
        std::lock_guard const mine{lock_};
        stopping_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void queue_thread::add(std::shared_ptr<emulated_queue::state> queue) {
    std::lock_guard const mine{lock_};
    queues_.push_back(std::move(queue));
}

void queue_thread::wake() {
    std::lock_guard const mine{lock_};
    changed_.notify_one();
}

bool queue_thread::has_work() const {
    return std::any_of(queues_.begin(), queues_.end(), [](auto const& q) { return q->has_steps(); });
}

queue_thread::queue_list queue_thread::wait_for_work() {
    std::unique_lock mine{lock_};
    changed_.wait(mine, [&] { return stopping_ || has_work(); });
    return stopping_ ? queue_list{} : queues_;
}

void queue_thread::run() {
    for (int idle = 0;;) {
        auto const mine = wait_for_work();
        if (mine.empty()) return; // stopping, as nobody else wakes it for nothing
        bool moved = false;
        {
            std::optional<device_code> open;
            for (auto const& q : mine) moved |= q->go_on(memory_, open);
        }
        idle = moved ? 0 : idle + 1;
        if (!moved) rest(idle);
    }
}

void queue_thread::finish(std::shared_ptr<emulated_queue::state> const& queue, std::uint64_t given) noexcept {
    auto const since = now_ns();
    for (int idle = 0; queue->done.load(std::memory_order_acquire) < given; rest(++idle))
        if (now_ns() - since > longest_ns) {
            warn("work on an emulated device did not end", "the work waits for another rank, or for itself",
                 "wait for exchanges before you destroy their stream");
            break;
        }
    std::lock_guard const mine{lock_};
    std::erase(queues_, queue);
}

bool queue_thread::settle() noexcept {
    auto const since = now_ns();
    for (int idle = 0;; rest(++idle)) {
        {
            std::lock_guard const mine{lock_};
            if (!has_work()) return true;
        }
        if (now_ns() - since > longest_ns) return false;
    }
}

} // namespace sode::internal
