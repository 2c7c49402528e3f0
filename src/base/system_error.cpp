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

std::string how_to_start(std::string_view program, int number) {
    if (number == ENOENT && program.find('/') == std::string_view::npos)
        return fmt::format("write ./{} if the program is in this folder", program);
    if (number == ENOENT) return "check its path, and whether it has been built";
    if (number == EACCES) return fmt::format("name a program; if this is one, make it executable: chmod +x {}", program);
    if (number == ENOEXEC) return "name a program for this machine; a script begins with #! and its interpreter";
    return {};
}

} // namespace sode::internal
