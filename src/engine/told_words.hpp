// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/context.hpp"

#include <sode/types.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace sode::internal {

/// Lists of words, by the rank that they are for, or from.
using words_by_rank = std::map<int, std::vector<index_t>>;

/// What ranks tell some others while they plan, each a list of words for each of its peers: those of its machine read it in its
/// memory, others get it by messages. Costs a rank one meeting, and for each peer a look or two messages.
class told_words {
public:
    /// Collective: the ranks meet. `maxima` and `sums` are combined over all of them (bootstrap::combine).
    told_words(context const& c, words_by_rank const& mine, std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums);
    ~told_words();
    told_words(told_words const&) = delete;
    told_words& operator=(told_words const&) = delete;

    /// What `peers` have told this rank. Every rank hears those that it has told something, and they it. To be called before the
    /// next meeting. `name`: of what is planned. Errors: peer, timeout; environment, if messages are needed and there are none.
    [[nodiscard]] words_by_rank hear(std::span<int const> peers, std::string_view name) const;

private:
    [[nodiscard]] std::vector<index_t> read(int peer) const;

    context const& around_;
    words_by_rank const& mine_;
    std::byte* block_ = nullptr;
    std::size_t bytes_ = 0;
};

} // namespace sode::internal
