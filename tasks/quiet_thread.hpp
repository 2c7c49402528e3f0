// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/limits.hpp"

#include <csignal>
#include <system_error>
#include <thread>
#include <utility>

namespace sode::internal {

/// A thread that no signal of the process goes to. Errors: environment.
template <class F> [[nodiscard]] std::thread quiet_thread(F&& work) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread made;
    int refused_with = 0;
    try {
        made = std::thread{std::forward<F>(work)};
    } catch (std::system_error const& e) {
        refused_with = e.code().value();
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (refused_with != 0) throw refused("tasks cannot be supervised", "a thread", refused_with);
    return made;
}

} // namespace sode::internal
