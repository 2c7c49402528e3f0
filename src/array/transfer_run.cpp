// SPDX-License-Identifier: Apache-2.0
#include "array/transfer_run.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode {

void require_proof(std::string const& name, std::span<plan const> plans, std::span<std::vector<array_model> const> models) {
    auto const findings = verify(plans, models);
    if (!findings.empty())
        throw error{error_kind::internal, fmt::format("the plan of {} is wrong", name), findings.front().message,
                    "please report this, with what dump(\"json\") says of it"};
}

} // namespace sode
