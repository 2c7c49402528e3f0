// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace sode {

/// Kinds of errors. The kind of an error shows who can correct the error.
enum class error_kind {
    usage,       ///< the program requested something impossible: shapes, widths, names
    environment, ///< the machine lacks something: memory, a file descriptor, a feature
    peer,        ///< another rank terminated while this rank was waiting for that rank
    timeout,     ///< a wait took longer than SODE_TIMEOUT
    internal     ///< a defect of Sode itself
};

/// The only exception type of Sode. The first line of what() consists of `sode: error:`, the rank if there are several ranks, and
/// *problem (why)*. The second line of what() is a suggestion. For example, the problem may be `halo 5 of array "u" is too wide
/// (its smallest block has 3)` and the suggestion `use a narrower shadow`.
class SODE_API error : public std::runtime_error {
public:
    error(error_kind kind, std::string_view problem, std::string_view why, std::string_view suggestion);

    [[nodiscard]] error_kind kind() const noexcept { return kind_; }

private:
    error_kind kind_;
};

} // namespace sode
