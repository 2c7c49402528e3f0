// SPDX-License-Identifier: Apache-2.0
#include "base/helper_thread.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <future>
#include <pthread.h>
#include <system_error>
#include <utility>

namespace sode::internal {

std::thread start_helper(std::string const& task, std::string const& suggestion, std::optional<processor_set> const& where,
                         std::function<void()> body) {
    std::promise<int> bound; // errno
    auto is_bound = bound.get_future();
    std::thread helper;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    try {
        helper = std::thread{[&where, run = std::move(body), bound = std::move(bound)]() mutable {
            bool const there = !where || where->bind_this_thread();
            bound.set_value(there ? 0 : errno);
            if (there) run();
        }};
    } catch (std::system_error const& e) {
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        throw error{error_kind::environment, fmt::format("cannot start a thread that {}", task), e.what(), suggestion};
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (int const number = is_bound.get(); number != 0) {
        helper.join();
        throw error{error_kind::environment,
                    fmt::format("binding to processors {} failed for the thread that {}", where->to_string(), task),
                    std::generic_category().message(number), suggestion};
    }
    return helper;
}

} // namespace sode::internal
