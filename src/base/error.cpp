// SPDX-License-Identifier: Apache-2.0
#include "base/message.hpp"

#include <sode/error.hpp>

namespace sode {
using namespace internal;

error::error(error_kind kind, std::string_view problem, std::string_view why, std::string_view suggestion)
    : std::runtime_error(message_text(severity::error, problem, why, suggestion)), kind_(kind) {}

} // namespace sode
