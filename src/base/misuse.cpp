// SPDX-License-Identifier: Apache-2.0
#include "base/misuse.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode::internal {

void refuse_moved(std::string_view what) {
    throw error{error_kind::usage, fmt::format("{} was used after it had been moved from", what), "the move left it empty",
                "use the object that it was moved to"};
}

} // namespace sode::internal
