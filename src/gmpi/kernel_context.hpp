// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/manager.hpp"

#include <sode/gmpi.hpp>

namespace sode::internal {

/// What a context is made of.
class kernel_context {
public:
    std::shared_ptr<detail::job> of;
    kernels::manager manages;

    kernel_context(std::shared_ptr<detail::job> j, std::shared_ptr<gmpi::memory> memory, gmpi::options const& o)
        : of(std::move(j)), manages(*of, std::move(memory), o) {}
};

} // namespace sode::internal
