// SPDX-License-Identifier: Apache-2.0
#include "engine/context.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode::internal {

void refuse_ended(std::string_view what) {
    throw error{error_kind::usage, fmt::format("{} was used after its runtime had been destroyed", what),
                "the ranks have left the job", "create the runtime first, and destroy the runtime last"};
}

} // namespace sode::internal
