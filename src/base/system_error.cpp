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
    if (number == ENOENT) return "check the path of the program, and build the program first";
    if (number == EACCES)
        return fmt::format("pass a program; if the file is a program, make the file executable: chmod +x {}", program);
    if (number == ENOEXEC) return "pass a program for this machine, or a script that begins with #! and an interpreter";
    return {};
}

} // namespace sode::internal
