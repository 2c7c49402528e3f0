// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/frame_link.hpp"

#include <deque>
#include <utility>
#include <vector>

namespace sode::internal::kernels {

/// To oneself.
class own_link final : public frame_link {
public:
    bool try_put(frame const& f, std::byte const* payload) override {
        if (kept_.size() == most_kept) return false;
        kept_.emplace_back(f, std::vector<std::byte>(payload, payload + f.length));
        return true;
    }
    bool take(int peer, frame_reader& to) override {
        if (kept_.empty()) return false;
        auto const one = std::move(kept_.front());
        kept_.pop_front();
        to.read(peer, one.first, one.second.data());
        return true;
    }
    [[nodiscard]] std::size_t most_payload() const noexcept override { return 1024; }

private:
    static constexpr std::size_t most_kept = 64;
    std::deque<std::pair<frame, std::vector<std::byte>>> kept_;
};

} // namespace sode::internal::kernels
