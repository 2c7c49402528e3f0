// SPDX-License-Identifier: Apache-2.0
#include "base/warn.hpp"

#include <string>
#include <unistd.h>

namespace sode {

void warn(std::string_view message) noexcept {
    try {
        std::string line{"sode: "};
        line.append(message).push_back('\n');
        // A warning that cannot be written has nowhere else to go.
        static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
    } catch (...) { // no memory left for a line of text
    }
}

} // namespace sode
