// SPDX-License-Identifier: Apache-2.0
#include "interpose/datatypes/program_cache.hpp"

#include "layout/layout_algebra.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

/// What both sides of a copy touch, in lines: the sparser one takes the time.
index_t touched_bytes(index_t bytes, message_layout const& source, message_layout const& target) {
    double const density = std::min(source.how().line_density, target.how().line_density);
    return static_cast<index_t>(static_cast<double>(bytes) / std::max(density, 1.0 / 64));
}

std::size_t set_of(layout_id const& source, layout_id const& target) noexcept {
    std::uint64_t const mixed = (source.serial * 31 + target.serial + source.process * 7) * 0x9E3779B97F4A7C15U;
    return mixed >> 58;
}

} // namespace

copy_sequence program_cache::compiled(message_layout const& source, message_layout const& target) {
    index_t const bytes = std::min(source.bytes(), target.bytes());
    if (source.bytes() > bytes) return compile_sequence(slice(source.form(), 0, bytes), target.form(), target_overlap::excluded);
    if (target.bytes() > bytes) return compile_sequence(source.form(), slice(target.form(), 0, bytes), target_overlap::excluded);
    return compile_sequence(source.form(), target.form(), target_overlap::excluded);
}

std::vector<copy_sequence> program_cache::in_pieces(copy_sequence const& whole, message_layout const& source,
                                                    message_layout const& target) {
    index_t const parts = touched_bytes(whole.bytes, source, target) / piece_bytes;
    return split(whole, static_cast<int>(std::clamp(parts, index_t{1}, most_pieces)));
}

std::shared_ptr<pair_program const> program_cache::find(message_layout const& source, message_layout const& target) {
    auto& set = table_[set_of(source.id(), target.id())];
    static_assert(std::tuple_size_v<std::remove_reference_t<decltype(table_)>> == 64, "set_of() takes six bits");
    auto const is_it = [&](entry const& e) { return e.program && e.source == source.id() && e.target == target.id(); };
    {
        std::lock_guard const lock{mutex_};
        auto const known = std::find_if(set.begin(), set.end(), is_it);
        if (known != set.end()) {
            std::rotate(set.begin(), known, known + 1);
            return set.front().program;
        }
    }
    // Not under the lock: another thread may compile the same pair meanwhile, and one of the two is dropped.
    auto made = std::make_shared<pair_program>();
    made->whole = compiled(source, target);
    made->pieces = in_pieces(made->whole, source, target);
    std::lock_guard const lock{mutex_};
    std::rotate(set.begin(), set.end() - 1, set.end());
    set.front() = {source.id(), target.id(), made};
    return made;
}

} // namespace sode::internal
