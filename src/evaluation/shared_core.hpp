// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sode::internal {

/// A core that several ranks share. A rank that has nothing to do gives it up, and the others get it one after the other, each for
/// as long as it has something to do: at once, if it has nothing. Ranks are named by their places on the core.
class shared_core {
public:
    shared_core() = default;
    /// \param yield from one rank to the next
    shared_core(int ranks, double yield) noexcept : ranks_(ranks), yield_(yield) {}

    [[nodiscard]] bool runs(int rank) const noexcept { return running_ && holder_ == rank; }
    [[nodiscard]] bool idle() const noexcept { return !running_; }

    /// When it would be the turn of a rank that has something to do from `time` on, if no other rank has. The core is idle.
    [[nodiscard]] double turn(int rank, double time) const noexcept;
    void run(int rank) noexcept {
        holder_ = rank;
        running_ = true;
    }
    /// The rank that runs has nothing to do any more.
    void give_up(double time) noexcept {
        since_ = time;
        running_ = false;
        fresh_ = false;
    }

private:
    int ranks_ = 1;
    double yield_ = 0;
    int holder_ = 0;
    bool running_ = false;
    bool fresh_ = true; // nobody has run: the first one has not given it up
    double since_ = 0;
};

} // namespace sode::internal
