// SPDX-License-Identifier: Apache-2.0
#include "base/host_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <unistd.h>

namespace sode::internal {

std::string host_file(std::string_view what, std::string_view ending) {
    std::string folder;
    // By the XDG base directory specification, a relative path counts as unset.
    if (char const* const config = ::secure_getenv("XDG_CONFIG_HOME"); config != nullptr && *config == '/')
        folder = config;
    else if (char const* const home = ::secure_getenv("HOME"); home != nullptr && *home == '/')
        folder = fmt::format("{}/.config", home);
    else
        return "";
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) return "";
    return fmt::format("{}/sode/{}-{}{}", folder, what, host.data(), ending);
}

} // namespace sode::internal
