// SPDX-License-Identifier: Apache-2.0
#include "plan/memory_kind.hpp"

namespace sode::internal {

std::string_view to_string(memory_kind kind) {
    switch (kind) {
    case memory_kind::host: return "host";
    case memory_kind::pinned: return "pinned";
    case memory_kind::device: return "device";
    }
    return "unknown memory";
}

} // namespace sode::internal
