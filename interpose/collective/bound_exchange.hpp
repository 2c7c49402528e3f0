// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/prepared_list.hpp"
#include "interpose/collective/passed_exchange.hpp"
#include "interpose/collective/startable.hpp"

#include <memory>
#include <string_view>

namespace sode::detail {
struct job;
}

namespace sode::internal::interpose {

/// A collective as messages between pairs of ranks, with its memory.
class bound_exchange final : public startable {
public:
    /// Whether the memory of this rank's messages lies so that they can be planned: no byte of it is received twice, or received
    /// and sent. Programs that do that are wrong, but no MPI objects.
    [[nodiscard]] static bool can_be(detail::job& j, passed_exchange const& call);

    /// Whether ranks should read each other's memory by the kernel. Not collective: all must say so.
    [[nodiscard]] static bool should_read(detail::job& j, passed_exchange const& call);

    /// Collective among the ranks of `j`, which outlives it. `reads`: all say that they should; if the kernel does not let them,
    /// it goes as without. Errors: those of prepare_exchange.
    bound_exchange(detail::job& j, passed_exchange&& call, std::string_view name, bool reads);

    [[nodiscard]] int begin() override;
    [[nodiscard]] bool proceed() override;
    [[nodiscard]] int end() override;

private:
    passed_exchange call_;
    std::unique_ptr<prepared_list> run_;
};

} // namespace sode::internal::interpose
