// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/frame.hpp"

namespace sode::internal::kernels {

/// Frames from and to one peer, in order. Nothing here waits.
class frame_link {
public:
    frame_link() = default;
    virtual ~frame_link() = default;
    frame_link(frame_link const&) = delete;
    frame_link& operator=(frame_link const&) = delete;

    /// False if there is no room now. `payload`: f.length bytes, at most most_payload(), that are taken before this returns.
    [[nodiscard]] virtual bool try_put(frame const& f, std::byte const* payload) = 0;
    /// Hands what has come to `to`, up to a few frames. True if any has.
    virtual bool take(int peer, frame_reader& to) = 0;
    [[nodiscard]] virtual std::size_t most_payload() const noexcept = 0;

    /// What only the rank's own thread may do: calls of an MPI. True if it did anything. Errors: peer, if the MPI fails.
    virtual bool carry() { return false; }
    /// Nobody will put anything any more, here and at the peer, who does the same. True once both know: until then carry().
    [[nodiscard]] virtual bool close() { return true; }
    /// The peer has died: nothing is waited for.
    virtual void forsake() noexcept {}
    /// Everything that was put has left, as far as this side can know.
    [[nodiscard]] virtual bool is_idle() const noexcept { return true; }
};

} // namespace sode::internal::kernels
