// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/datatypes/datatype_cache.hpp"
#include "interpose/datatypes/pair_program.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>

namespace sode::internal {

/// The programs of the pairs of layouts that were met lately. Keyed by the identities of the layouts, which are never used again.
/// Any thread may ask.
class program_cache {
public:
    /// Bytes of the lines of one piece: large enough that handing it out costs nothing, small enough that both sides finish
    /// together (docs/decisions/0013).
    static constexpr index_t piece_bytes = index_t{8} << 10;
    /// Longer messages have longer pieces: so many are even enough, and each costs a cache line that goes to and fro.
    static constexpr index_t most_pieces = 48;

    /// The program of the pair. `source` may have more bytes than `target`: it is cut to what the target takes (and the other way
    /// round: a short message into a longer receive). Cost: tens of nanoseconds for a pair that is there, else that of
    /// compile_sequence().
    [[nodiscard]] std::shared_ptr<pair_program const> find(message_layout const& source, message_layout const& target);

    /// What find() makes of a pair that is not there: the whole copy, and its pieces.
    [[nodiscard]] static copy_sequence compiled(message_layout const& source, message_layout const& target);
    [[nodiscard]] static std::vector<copy_sequence> in_pieces(copy_sequence const& whole, message_layout const& source,
                                                              message_layout const& target);

private:
    struct entry {
        layout_id source;
        layout_id target;
        std::shared_ptr<pair_program const> program;
    };
    static constexpr std::size_t sets = 64;
    static constexpr std::size_t ways = 4;

    std::mutex mutex_;
    std::array<std::array<entry, ways>, sets> table_; ///< the latest first
};

} // namespace sode::internal
