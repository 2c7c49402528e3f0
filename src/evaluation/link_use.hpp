// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>

namespace sode::internal {

/// When a link carries something. Messages are followed in the order in which they leave, and may come to a link in another one: a
/// message takes the first gap that is long enough. The last few gaps are known; older ones count as used.
class link_use {
public:
    /// A message comes to the link. \return how long it waits
    double pass(double time, double lasts) noexcept {
        if (lasts <= 0) return 0;
        busy_ += lasts;
        double begin = time;
        std::size_t at = 0;
        for (; at < count_ && begin + lasts > used_[at].begin; ++at)
            if (used_[at].end > begin) begin = used_[at].end;
        insert(at, {begin, begin + lasts});
        return begin - time;
    }
    [[nodiscard]] double busy() const noexcept { return busy_; }

private:
    struct interval {
        double begin = 0, end = 0;
    };
    void insert(std::size_t at, interval const& i) noexcept {
        bool const joins_last = at > 0 && used_[at - 1].end >= i.begin, joins_next = at < count_ && i.end >= used_[at].begin;
        if (joins_last) used_[at - 1].end = i.end;
        if (joins_next && joins_last) {
            used_[at - 1].end = used_[at].end;
            remove(at);
        } else if (joins_next) {
            used_[at].begin = i.begin;
        } else if (!joins_last) {
            if (count_ == used_.size()) {
                used_[0].end = used_[1].end;
                if (at == 1) return; // it lay in the gap that is no more
                remove(1);
                if (at > 0) --at;
            }
            for (std::size_t k = count_++; k > at; --k) used_[k] = used_[k - 1];
            used_[at] = i;
        }
    }
    void remove(std::size_t at) noexcept {
        for (--count_; at < count_; ++at) used_[at] = used_[at + 1];
    }

    std::array<interval, 6> used_{}; // apart, ascending
    std::size_t count_ = 0;
    double busy_ = 0;
};

} // namespace sode::internal
