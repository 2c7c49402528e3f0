// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

namespace sode {

/// What went wrong, by who can mend it.
enum class error_kind {
    usage,       ///< the program asked for something that cannot be: shapes, widths, names
    environment, ///< the machine lacks something: memory, a file descriptor, a feature
    peer,        ///< another rank died or left while somebody waited for it
    timeout,     ///< a wait outlasted SODE_TIMEOUT
    internal     ///< a defect of Sode itself
};

/// The one exception type. The message reads *problem (why) suggestion*, e.g.
/// `halo 5 of array "u" is wider than its smallest block 3 (dimension 0, 8 ranks) use fewer ranks or a narrower shadow`.
class error : public std::runtime_error {
public:
    error(error_kind kind, std::string_view problem, std::string_view why, std::string_view suggestion);

    [[nodiscard]] error_kind kind() const noexcept { return kind_; }

private:
    error_kind kind_;
};

} // namespace sode
