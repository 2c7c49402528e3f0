// SPDX-License-Identifier: Apache-2.0
#include "base/warn.hpp"

#include "base/message.hpp"

#include <sode/error.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace sode::internal {

namespace {

void write_line(std::string line) noexcept {
    line.push_back('\n');
    // What cannot be written has nowhere else to go.
    static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
}

std::terminate_handler next_handler = nullptr;

[[noreturn]] void tell_and_abort() {
    if (auto const thrown = std::current_exception()) {
        try {
            std::rethrow_exception(thrown);
        } catch (error const& e) {
            tell(e);
            std::abort();
        } catch (...) { // the program's own: as it would be without us
        }
    }
    next_handler();
    std::abort();
}

} // namespace

void warn(std::string_view problem, std::string_view why, std::string_view suggestion) noexcept {
    try {
        write_line(message_text(severity::warning, problem, why, suggestion));
    } catch (...) { // no memory left for a line of text
    }
}

void tell(std::exception const& e) noexcept {
    try {
        std::string_view const text = e.what();
        bool const ready = quoted(text).size() < text.size(); // and names the rank whose error it is
        write_line(ready ? std::string{text} : message_text(severity::error, text, {}, {}));
    } catch (...) { // same
    }
}

void tell_uncaught() noexcept {
#ifdef __GLIBCXX__
    // A handler that somebody has set knows better what is to be done.
    if (std::get_terminate() != __gnu_cxx::__verbose_terminate_handler) return;
    next_handler = std::set_terminate(tell_and_abort);
#endif
}

void fail_at_exit() noexcept {
    ::on_exit(
        [](int status, void*) {
            if (status == 0) std::exit(EXIT_FAILURE); // glibc goes on with what is registered, and ends with this status
        },
        nullptr);
}

} // namespace sode::internal
