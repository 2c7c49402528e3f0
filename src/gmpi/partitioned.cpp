// SPDX-License-Identifier: Apache-2.0
#include "gmpi/partitioned.hpp"

#include <utility>

namespace sode::internal::kernels {

std::uint32_t partitioned_messages::add(partitioned p) {
    if (!p.leaves) {
        p.first_word = words_;
        words_ += p.parts;
    }
    p.ready.assign(p.leaves ? p.parts : 0, true); // nothing is awaited before the first start
    all_.push_back(std::move(p));
    return static_cast<std::uint32_t>(all_.size()) - 1;
}

void partitioned_messages::start(std::uint32_t number, goal const& whose) {
    auto& p = all_[number];
    if (p.open != 0) return tells_.over(whose, code::usage, 0); // its last round is not over
    p.whose = whose;
    p.open = p.parts;
    p.worst = code::ok;
    p.ready.assign(p.ready.size(), false);
    if (p.leaves) return;
    for (std::uint32_t part = 0; part < p.parts; ++part)
        by_.receive_from(envelope_of(p, part), {{goal::kind::part, number, part}, p.data + part * p.bytes, p.bytes});
}

void partitioned_messages::ready(std::uint32_t number, std::uint32_t part) {
    auto& p = all_[number];
    if (!p.leaves || part >= p.parts || p.ready[part]) { // nobody waits for this call: its round says so
        p.worst = code::usage;
        return;
    }
    p.ready[part] = true;
    by_.send(envelope_of(p, part), p.data + part * p.bytes, p.bytes, {goal::kind::part, number, part});
}

void partitioned_messages::over(std::uint32_t number, std::uint32_t part, code how) {
    auto& p = all_[number];
    if (how != code::ok) p.worst = how;
    if (!p.leaves && how == code::ok) {
        auto const at = p.first_word + part;
        memory_.tell(arrived_.words + at, gmpi::memory::kind::mapped, ++rounds_[at]);
    }
    if (--p.open == 0) tells_.over(p.whose, p.worst, p.bytes * p.parts);
}

} // namespace sode::internal::kernels
