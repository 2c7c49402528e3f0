// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/frame.hpp"

namespace sode::internal::kernels {

/// Who is to hear that something is over.
struct goal {
    enum class kind : std::uint8_t { nobody, request, part } of = kind::nobody;
    std::uint32_t number = 0; ///< a request's handle, or of a partitioned message
    std::uint32_t part = 0;

    [[nodiscard]] static goal request(std::uint32_t handle) { return {kind::request, handle, 0}; }
};

/// Where it is told.
class goal_keeper {
public:
    goal_keeper() = default;
    virtual ~goal_keeper() = default;
    goal_keeper(goal_keeper const&) = delete;
    goal_keeper& operator=(goal_keeper const&) = delete;
    virtual void over(goal const& whose, code how, word bytes) = 0;
    /// The same, of a receive whose data the kernel shall store itself. False: it cannot, and nothing was told.
    virtual bool deliver(goal const& whose, code how, std::byte const* data, word bytes) = 0;
};

} // namespace sode::internal::kernels
