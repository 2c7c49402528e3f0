// SPDX-License-Identifier: Apache-2.0
#include "engine/kind_block.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode::internal {

memory_provider& provider_of(memory_provider* from, memory_kind kind, schedule const& p) {
    if (from) return *from;
    throw error{error_kind::environment, fmt::format("{} needs {} memory", p.name, to_string(kind)),
                "this rank has no memory of this kind", "plan the communication in pinned memory, or in host memory"};
}

kind_block::kind_block(schedule const& p, memory_kind kind, memory_provider* from)
    : part_(kind == memory_kind::device ? p.own_device : p.own_pinned), from_(from) {
    auto const behind = kind == memory_kind::device ? 0 : p.own_device.stage;
    stage_from_ = static_cast<std::uint64_t>(p.own_stage - behind - part_.stage);
    bytes_ = stage_at(part_.lines) + static_cast<std::size_t>(part_.stage + part_.scratch);
    if (bytes_ != 0) base_ = provider_of(from, kind, p).allocate(bytes_);
}

kind_block::~kind_block() {
    if (base_) from_->release(base_, bytes_);
}

kind_block::told kind_block::tell() const {
    told t{.lines = static_cast<std::uint64_t>(part_.lines),
           .stage_from = stage_from_,
           .stage_bytes = static_cast<std::uint64_t>(part_.stage)};
    if (base_) t.where = from_->tell(base_);
    return t;
}

} // namespace sode::internal
