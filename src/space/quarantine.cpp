// SPDX-License-Identifier: Apache-2.0
#include "space/quarantine.hpp"

#include <algorithm>

namespace sode::internal {

void quarantine::expose(std::byte* place) {
    auto& known_to = book_->exposed[place];
    if (auto const at = std::ranges::lower_bound(known_to, team_); at == known_to.end() || *at != team_) known_to.insert(at, team_);
}

void quarantine::release(std::byte* address, std::size_t bytes) noexcept {
    auto const first = book_->exposed.lower_bound(address), last = book_->exposed.lower_bound(address + bytes);
    if (first == last) return book_->memory.release(address, bytes);
    teams all;
    for (auto at = first; at != last; ++at) all.insert(all.end(), at->second.begin(), at->second.end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    book_->exposed.erase(first, last);
    if (all.empty()) return book_->memory.release(address, bytes);
    book_->waiting.push_back({address, bytes, std::move(all)});
}

void quarantine::collective_done() noexcept {
    std::erase_if(book_->waiting, [&](freed_block& b) {
        std::erase(b.known_to, team_);
        if (!b.known_to.empty()) return false;
        book_->memory.release(b.address, b.bytes);
        return true;
    });
}

void quarantine::end() noexcept {
    collective_done();
    for (auto& [place, known_to] : book_->exposed) std::erase(known_to, team_);
}

} // namespace sode::internal
