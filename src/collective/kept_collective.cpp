// SPDX-License-Identifier: Apache-2.0
#include "collective/kept_collective.hpp"

#include "collective/plan_collective.hpp"
#include "model/job.hpp"

#include <cstring>

namespace sode::internal {

kept_collective::kept_collective(detail::job& j, collective_terms terms)
    : terms_(std::move(terms)), gives_(terms_.gives(j.ranks->rank())), gets_(terms_.got_by(j.ranks->rank()).last > 0),
      room_(static_cast<std::size_t>(whole_lines(terms_.bytes()))),
      memory_(static_cast<std::byte*>(::operator new (2 * room_, std::align_val_t{line}))) {
    std::memset(memory_.get(), 0, 2 * room_);
    terms_.overlap = 0; // run() waits at once
    run_ = prepare_collective(j, terms_, {memory_.get(), memory_.get() + room_});
}

void kept_collective::run(void* data, std::size_t bytes) {
    if (gives_) std::memcpy(memory_.get(), data, bytes);
    run_->start();
    run_->wait();
    if (gets_) std::memcpy(data, memory_.get() + room_, bytes);
}

bool kept_collective::same(collective_terms const& terms) const noexcept {
    return terms_.kind == terms.kind && terms_.root == terms.root && terms_.parts == terms.parts;
}

} // namespace sode::internal
