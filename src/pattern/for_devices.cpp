// SPDX-License-Identifier: Apache-2.0
#include "pattern/for_devices.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

bool has_messages(plan const& p, stream const& s) {
    for (auto i = s.first; p.descriptors[i].op != operation::end; ++i)
        if (is_message(p.descriptors[i].op)) return true;
    return false;
}

memory_kind kind_for(buffer_role role) noexcept {
    switch (role) {
    case buffer_role::array: return memory_kind::device;
    case buffer_role::constant: return memory_kind::host;
    case buffer_role::stage:
    case buffer_role::payload:
    case buffer_role::scratch: break;
    }
    return memory_kind::pinned;
}

} // namespace

plan for_devices(plan p) {
    for (auto& b : p.buffers) b.memory = kind_for(b.role);
    for (std::size_t i = 1; i < p.counters.size(); ++i) p.counters[i].memory = memory_kind::pinned;
    p.own_pinned = {.lines = p.own_lines, .stage = p.own_stage, .scratch = p.own_scratch};
    for (auto& s : p.streams)
        if (!has_messages(p, s)) s.runs_on = {.kind = executor_kind::block, .number = 0};
    return p;
}

} // namespace sode::internal
