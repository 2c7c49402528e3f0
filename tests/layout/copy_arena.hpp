// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_kernels.hpp"
#include "layout/random_layout.hpp"

#include <cstring>
#include <random>
#include <vector>

namespace sode::internal::test {

/// Runs programs between two buffers that are large enough for one pair of layouts, with guard bytes all around the target.
class copy_arena {
public:
    copy_arena(std::pair<index_t, index_t> source, std::pair<index_t, index_t> target)
        : source_(allocate(source)), target_(allocate(target)), source_base_(base(source)), target_base_(base(target)) {
        std::minstd_rand random{7};
        for (auto& b : source_) b = static_cast<std::byte>(random() >> 8);
        clear();
    }

    void clear() { std::memset(target_.data(), 0xA5, target_.size()); }
    [[nodiscard]] std::byte* target() { return target_.data() + target_base_; }
    [[nodiscard]] std::byte const* source() const { return source_.data() + source_base_; }
    [[nodiscard]] std::vector<std::byte> const& bytes() const { return target_; }

    /// What the target buffer must look like once source byte from[i] has come to target byte to[i].
    [[nodiscard]] std::vector<std::byte> expected(std::vector<index_t> const& from, std::vector<index_t> const& to) const {
        std::vector<std::byte> all(target_.size(), std::byte{0xA5});
        for (std::size_t i = 0; i < from.size(); ++i) all[static_cast<std::size_t>(target_base_ + to[i])] = source()[from[i]];
        return all;
    }

private:
    static constexpr index_t guard = 128;
    static std::vector<std::byte> allocate(std::pair<index_t, index_t> extent) {
        return std::vector<std::byte>(static_cast<std::size_t>(extent.second - extent.first + 2 * guard));
    }
    static index_t base(std::pair<index_t, index_t> extent) { return guard - extent.first; }

    std::vector<std::byte> source_;
    std::vector<std::byte> target_;
    index_t source_base_;
    index_t target_base_;
};

/// Runs `p` by the reference and by every kernel set of this processor, and compares the whole buffer each time.
inline void expect_copies(copy_arena& arena, copy_view const& p, std::vector<std::byte> const& expected) {
    arena.clear();
    run_reference(p, arena.target(), arena.source());
    ASSERT_TRUE(arena.bytes() == expected) << "reference";
    for (kernel_set const* const set : supported_kernel_sets()) {
        arena.clear();
        run(*set, p, arena.target(), arena.source());
        ASSERT_TRUE(arena.bytes() == expected) << set->name << ", kernel " << int{p.kernel};
    }
    arena.clear();
    run(p, arena.target(), arena.source());
    ASSERT_TRUE(arena.bytes() == expected) << "kernel " << int{p.kernel};
}

} // namespace sode::internal::test
