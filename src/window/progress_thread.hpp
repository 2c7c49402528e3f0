// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace sode::internal::windows {

/// Looks again and again whether there is something to do: at once after there was, ever less often while there is nothing, but at
/// least every two milliseconds, so that what others ask of a rank that computes is done within ten.
class progress_thread {
public:
    /// `serve`: whether there was something. Errors: environment, if there can be no thread.
    explicit progress_thread(std::function<bool()> serve);
    ~progress_thread();
    progress_thread(progress_thread const&) = delete;
    progress_thread& operator=(progress_thread const&) = delete;

private:
    void run();

    std::function<bool()> serve_;
    std::mutex lock_;
    std::condition_variable changed_;
    bool stop_ = false;
    std::thread thread_;
};

} // namespace sode::internal::windows
