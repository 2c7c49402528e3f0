// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/peers.hpp"

#include <sode/detail/gmpi/entry.hpp>
#include <sode/detail/gmpi/parts.hpp>

#include <vector>

namespace sode::internal::kernels {

/// Memory that all ranks have shown each other, what is put there, and signals. The words of this rank's signals have one writer,
/// its own manager: what others add comes as a frame, behind the bytes that it speaks of.
class windows {
public:
    /// One rank's part of a window.
    struct part {
        place where;
        word bytes = 0;
        std::byte* seen = nullptr; ///< by this rank; null: what is put there goes in frames
    };

    windows(peers& ranks, gmpi::memory& memory, gmpi::memory::kind signals_in, gmpi::detail::word_table signals, goal_keeper& tells)
        : ranks_(ranks), memory_(memory), signals_in_(signals_in), signals_(signals), counts_(signals.count), tells_(tells) {}

    ~windows();
    windows(windows const&) = delete;
    windows& operator=(windows const&) = delete;

    /// The same on all ranks. `own`: where this rank's part is. \return its number
    int add(std::byte* own, std::vector<part> parts);
    void put(gmpi::detail::entry const& e, goal const& whose);
    void signal(int peer, std::uint32_t which, word value);
    /// False if that is no frame for a window.
    bool read(frame const& f, std::byte const* payload);

private:
    struct window {
        std::byte* own;
        std::vector<part> parts; // by rank
    };
    void raise(std::uint32_t from_1, word value);

    peers& ranks_;
    gmpi::memory& memory_;
    gmpi::memory::kind signals_in_;
    gmpi::detail::word_table signals_;
    std::vector<word> counts_;
    goal_keeper& tells_;
    std::vector<window> all_;
};

} // namespace sode::internal::kernels
