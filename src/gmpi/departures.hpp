// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/frame_link.hpp"
#include "gmpi/goal.hpp"

#include <sode/detail/gmpi/memory.hpp>
#include <sode/detail/gmpi/parts.hpp>

#include <array>
#include <deque>

namespace sode::internal::kernels {

/// Something for a peer.
struct departure {
    enum class kind : std::uint8_t {
        frame,  ///< one, with its payload
        stream, ///< as many as the bytes need; the last one alone has the tag of `said`
        copy    ///< into memory of the peer that this rank reaches
    } of = kind::frame;
    frame said{};
    std::byte const* data = nullptr;                        ///< of this rank; a frame's payload is said.length bytes of it
    word bytes = 0;                                         ///< of a stream or a copy
    std::byte* to = nullptr;                                ///< of a copy
    goal whose{};                                           ///< `data` may be written once this is over
    std::array<std::byte, gmpi::detail::short_bytes> own{}; ///< the payload of a frame that has one and no `data`
};

/// All that is to go to one peer, in order: so a signal comes behind the bytes that were put before it.
class departures {
public:
    departures(frame_link& by, gmpi::memory& memory, goal_keeper& tells);
    ~departures();
    departures(departures const&) = delete;
    departures& operator=(departures const&) = delete;

    void add(departure d) { waiting_.push_back({d, 0, 0}); }
    /// Some steps. True if any was possible.
    bool go();
    [[nodiscard]] bool empty() const noexcept { return waiting_.empty(); }
    /// The peer is gone.
    void give_up(code why);

private:
    struct underway {
        departure what;
        word done;
        std::uint64_t copy; // that is not over yet
    };
    enum class fetched : std::uint8_t { nothing, under_way, all };
    [[nodiscard]] bool step(underway& one);
    [[nodiscard]] bool put(underway& one, frame const& f, std::byte const* payload, bool& moved);

    frame_link& link_;
    gmpi::memory& memory_;
    goal_keeper& tells_;
    std::deque<underway> waiting_;
    std::byte* brought_ = nullptr; // a payload out of memory of a device, which copies into pinned memory alone without its caller
    fetched brings_ = fetched::nothing;
};

} // namespace sode::internal::kernels
