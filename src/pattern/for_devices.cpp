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

// Of scratch there is what messages are packed in.
memory_kind kind_for(buffer_role role, bool device_messages) noexcept {
    switch (role) {
    case buffer_role::array: return memory_kind::device;
    case buffer_role::constant: return memory_kind::host;
    case buffer_role::scratch: return device_messages ? memory_kind::device : memory_kind::pinned;
    case buffer_role::stage:
    case buffer_role::payload: break;
    }
    return memory_kind::pinned;
}

} // namespace

plan for_devices(plan p, bool device_messages) {
    for (auto& b : p.buffers) b.memory = kind_for(b.role, device_messages);
    for (std::size_t i = 1; i < p.counters.size(); ++i) p.counters[i].memory = memory_kind::pinned;
    p.own_pinned = {.lines = p.own_lines, .stage = p.own_stage, .scratch = device_messages ? 0 : p.own_scratch};
    p.own_device = {.lines = 0, .stage = 0, .scratch = device_messages ? p.own_scratch : 0};
    for (auto& s : p.streams)
        if (!has_messages(p, s)) s.runs_on = {.kind = executor_kind::block, .number = 0};
    return p;
}

} // namespace sode::internal
