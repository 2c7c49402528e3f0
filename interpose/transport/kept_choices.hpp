// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/transport/choice_board.hpp"

#include <string>

namespace sode::internal::interpose {

/// What is learnt, between runs: a file that one rank of a machine reads at the beginning, for all of them, and writes at the end.
class kept_choices {
public:
    enum class use { no, read, read_and_write };

    /// Fills the board with what the file says of this machine. Errors: where it is only read, usage, if it cannot be. Else a file
    /// that is none of ours is told, and left as it is.
    kept_choices(std::string file, use how, choice_board& board);
    /// What the board says now. What goes wrong is told: nobody depends on it.
    void store(choice_board const& board) noexcept;

private:
    std::string file_;
    use how_;
    std::string machine_; ///< on which its choices hold
};

} // namespace sode::internal::interpose
