// SPDX-License-Identifier: Apache-2.0
#include "base/misuse.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode::internal {

void refuse_moved(std::string_view what) {
    throw error{error_kind::usage, fmt::format("{} was used after a move", what), "a moved-from object is empty",
                "use the object to which the contents were moved"};
}

} // namespace sode::internal
