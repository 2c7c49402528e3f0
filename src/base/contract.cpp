// SPDX-License-Identifier: Apache-2.0
#include "base/contract.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode::internal {

void broken_contract(std::string_view message, char const* file, int line) {
    throw error{error_kind::internal, message, fmt::format("{}:{}", file, line), "report this defect of Sode"};
}

} // namespace sode::internal
