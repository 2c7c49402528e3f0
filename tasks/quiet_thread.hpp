// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <csignal>
#include <thread>
#include <utility>

namespace sode {

/// A thread that no signal of the process goes to.
template <class F> [[nodiscard]] std::thread quiet_thread(F&& work) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread made{std::forward<F>(work)};
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return made;
}

} // namespace sode
