// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "halo/copies.hpp"

#include <vector>

namespace sode::internal::bench {

/// A message of bytes.
struct message {
    char* data = nullptr;
    int bytes = 0;
    int peer = 0;
    int tag = 0;
};

/// The exchange along one dimension: two faces at most, grown by the halos of the dimensions that went before, so that edges and
/// corners arrive without messages of their own.
struct phase {
    copy_list pack, unpack, self;
    std::vector<message> sends, receives;
    std::vector<std::vector<char>> buffers;
};

/// z, then y, then x: the last faces are the largest and contiguous, and contiguous faces are sent from where they lie.
[[nodiscard]] std::vector<phase> dimension_by_dimension(fields const& f);

} // namespace sode::internal::bench
