// SPDX-License-Identifier: Apache-2.0
#include "window/progress_thread.hpp"

#include "base/helper_thread.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sode::internal::windows {

progress_thread::progress_thread(std::function<bool()> serve)
    : serve_(std::move(serve)),
      thread_(start_helper("serves other machines", "set SODE_PROGRESS=calls", std::nullopt, [this] { run(); })) {}

progress_thread::~progress_thread() {
    {
        std::lock_guard const l{lock_};
        stop_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void progress_thread::run() {
    using std::chrono::microseconds;
    constexpr microseconds shortest{20}, longest{2000};
    constexpr int at_once = 50; // looks after there was something, before it sleeps: an answer is most often followed by a question
    auto pause = shortest;
    int idle = 0;
    for (;;) {
        if (serve_()) {
            idle = 0;
            pause = shortest;
        } else {
            ++idle;
        }
        std::unique_lock l{lock_};
        if (stop_) return;
        if (idle < at_once) {
            l.unlock();
            std::this_thread::yield();
            continue;
        }
        if (changed_.wait_for(l, pause, [&] { return stop_; })) return;
        pause = std::min(pause * 5 / 4 + microseconds{1}, longest);
    }
}

} // namespace sode::internal::windows
