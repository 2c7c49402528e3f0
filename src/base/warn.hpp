// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <string_view>

namespace sode::internal {

/// Tells the user something that is no error, on stderr: "sode: warning: problem (why)", and the suggestion in a line of its own.
/// In one write, so that messages of ranks do not mix.
void warn(std::string_view problem, std::string_view why = {}, std::string_view suggestion = {}) noexcept;

/// Tells the user of an error that cannot be thrown any further, in the same form; what is no sode::error as well.
void tell(std::exception const& error) noexcept;

/// From now on an error that nobody catches is told in this form before the process aborts, unless the program has its own way.
void tell_uncaught() noexcept;

/// This process ends with a status that is not 0, whatever main() returns: an error was told that could not be thrown.
void fail_at_exit() noexcept;

} // namespace sode::internal
