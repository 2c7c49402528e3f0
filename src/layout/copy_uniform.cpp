// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_list.hpp"

#include <algorithm>

namespace sode {
namespace {

using loop = copy_program::loop;

/// The size that divides all blocks, if that cuts few of them; 0 if not.
template <class Blocks> index_t common_size(Blocks const& blocks) {
    index_t size = blocks.front().bytes;
    index_t bytes = 0;
    for (auto const& b : blocks) {
        size = std::min(size, b.bytes);
        bytes += b.bytes;
    }
    auto const n = static_cast<index_t>(blocks.size());
    if (bytes / size > n + n / 4) return 0;
    if (bytes == n * size) return size;
    bool const divides = std::all_of(blocks.begin(), blocks.end(), [size](auto const& b) { return b.bytes % size == 0; });
    return divides ? size : 0;
}

/// Walks pieces in steps of equal size.
class stepper {
public:
    explicit stepper(std::vector<layout::piece> const& pieces)
        : at_(pieces.front().offset), left_(pieces.front().bytes), next_(pieces.data() + 1) {}
    [[nodiscard]] index_t at() const { return at_; }
    /// There is more than `size` to come.
    void go_on(index_t size) {
        at_ += size;
        left_ -= size;
        if (left_ > 0) return;
        at_ = next_->offset;
        left_ = next_->bytes;
        ++next_;
    }

private:
    index_t at_;
    index_t left_;
    layout::piece const* next_;
};

} // namespace

bool append_uniform(std::vector<copy_program>& steps, std::vector<loop> const& loops, std::vector<layout::piece> const& source,
                    std::vector<layout::piece> const& target) {
    auto const& longer = source.size() >= target.size() ? source : target;
    auto const& shorter = source.size() >= target.size() ? target : source;
    index_t const size = common_size(longer);
    if (size == 0 || !std::all_of(shorter.begin(), shorter.end(), [size](auto const& p) { return p.bytes % size == 0; }))
        return false;
    index_t bytes = 0;
    for (auto const& p : longer) bytes += p.bytes;
    copy_program p = list_program(loops, bytes);
    p.block = size;
    p.src_offset = source.front().offset;
    p.dst_offset = target.front().offset;
    p.hops.resize(static_cast<std::size_t>(bytes / size));
    stepper s{source};
    stepper t{target};
    for (std::size_t i = 0; i < p.hops.size(); ++i) {
        if (i > 0) {
            s.go_on(size);
            t.go_on(size);
        }
        index_t const src = s.at() - p.src_offset;
        index_t const dst = t.at() - p.dst_offset;
        if (!fits(src) || !fits(dst)) return false;
        p.hops[i] = {static_cast<std::int32_t>(src), static_cast<std::int32_t>(dst)};
    }
    steps.push_back(with_places(std::move(p)));
    return true;
}

} // namespace sode
