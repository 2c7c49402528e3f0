// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "space/arena.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sode::internal {

/// Memory that fell out of use a moment ago and is not returned to the kernel yet: a plan that is made where one has just been
/// destroyed must not pay for the same pages twice, system calls and the peers' page faults included (docs/decisions/0014). Little
/// of it, in few pieces; allocates nothing.
class kept_granules {
public:
    static constexpr std::uint64_t most_bytes = std::uint64_t{2} << 20; ///< a huge page

    /// False if there is no room for it: then it is the kernel's.
    [[nodiscard]] bool keep(arena::range r) noexcept {
        if (used_ == pieces_.size() || bytes_ + r.bytes > most_bytes) return false;
        pieces_[used_++] = r;
        bytes_ += r.bytes;
        return true;
    }

    /// Calls `kept(range)` for what is here of `r`, which is then no longer here, and `missing(range)` for the rest, in order; and
    /// `surplus(range)` for what lies beside `r` and has no room here any more.
    template <class Kept, class Missing, class Surplus> void take(arena::range r, Kept kept, Missing missing, Surplus surplus) {
        while (r.bytes != 0) {
            auto const p = first_in(r);
            auto const begin = p == used_ ? r.end() : std::max(pieces_[p].offset, r.offset);
            if (begin > r.offset) missing(arena::range{r.offset, begin - r.offset});
            if (p == used_) return;
            auto const end = std::min(pieces_[p].end(), r.end());
            arena::range const piece = remove(p);
            for (auto const rest : {arena::range{piece.offset, begin - piece.offset}, arena::range{end, piece.end() - end}})
                if (rest.bytes != 0 && !keep(rest)) surplus(rest);
            kept(arena::range{begin, end - begin});
            r = {end, r.end() - end};
        }
    }

private:
    [[nodiscard]] std::size_t first_in(arena::range r) const noexcept {
        std::size_t found = used_;
        for (std::size_t i = 0; i < used_; ++i)
            if (pieces_[i].offset < r.end() && r.offset < pieces_[i].end() &&
                (found == used_ || pieces_[i].offset < pieces_[found].offset))
                found = i;
        return found;
    }

    arena::range remove(std::size_t p) noexcept {
        arena::range const piece = pieces_[p];
        pieces_[p] = pieces_[--used_];
        bytes_ -= piece.bytes;
        return piece;
    }

    std::array<arena::range, 16> pieces_{};
    std::size_t used_ = 0;
    std::uint64_t bytes_ = 0;
};

} // namespace sode::internal
