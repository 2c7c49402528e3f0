// SPDX-License-Identifier: Apache-2.0
#include "space/quarantine.hpp"

#include <algorithm>
#include <utility>

namespace sode::internal {

void quarantine::expose(std::byte* place) {
    auto& known_to = book_->exposed[place];
    if (auto const at = std::ranges::lower_bound(known_to, team_); at == known_to.end() || *at != team_) known_to.insert(at, team_);
}

void quarantine::give_back(freed_block const& b) noexcept {
    if (b.back) return b.back();
    book_->memory.release(b.address, b.bytes);
}

void quarantine::release(std::byte* address, std::size_t bytes) noexcept {
    release(address, bytes, {});
}

void quarantine::release(std::byte* address, std::size_t bytes, std::function<void()> back) noexcept {
    freed_block b{address, bytes, {}, std::move(back)};
    auto const first = book_->exposed.lower_bound(address), last = book_->exposed.lower_bound(address + bytes);
    if (first == last) return give_back(b);
    teams all;
    for (auto at = first; at != last; ++at) all.insert(all.end(), at->second.begin(), at->second.end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    book_->exposed.erase(first, last);
    if (all.empty()) return give_back(b);
    b.known_to = std::move(all);
    book_->waiting.push_back(std::move(b));
}

void quarantine::collective_done() noexcept {
    std::erase_if(book_->waiting, [&](freed_block& b) {
        std::erase(b.known_to, team_);
        if (!b.known_to.empty()) return false;
        give_back(b);
        return true;
    });
}

void quarantine::end() noexcept {
    collective_done();
    for (auto& [place, known_to] : book_->exposed) std::erase(known_to, team_);
}

} // namespace sode::internal
