// SPDX-License-Identifier: Apache-2.0
#include "plan/executor.hpp"

#include <fmt/format.h>

namespace sode::internal {

std::string_view to_string(executor_kind kind) {
    switch (kind) {
    case executor_kind::caller: return "caller";
    case executor_kind::thread: return "thread";
    case executor_kind::queue: return "queue";
    case executor_kind::block: return "device block";
    case executor_kind::proxy: return "proxy";
    }
    return "unknown executor";
}

std::string describe(executor const& e) {
    if (e.kind == executor_kind::caller && e.number == 0) return "caller";
    return fmt::format("{} {}", to_string(e.kind), e.number);
}

} // namespace sode::internal
