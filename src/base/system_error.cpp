// SPDX-License-Identifier: Apache-2.0
#include "base/system_error.hpp"

#include <cerrno>
#include <fmt/format.h>
#include <system_error>

namespace sode::internal {

error system_error(std::string_view problem, std::string_view call, std::string_view suggestion) {
    int const number = errno;
    return error{error_kind::environment, problem, fmt::format("{}: {}", call, std::system_category().message(number)), suggestion};
}

} // namespace sode::internal
