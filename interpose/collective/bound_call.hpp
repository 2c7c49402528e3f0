// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/kept_call.hpp"
#include "interpose/collective/startable.hpp"

#include <utility>
#include <vector>

namespace sode::internal::interpose {

/// A collective of the library (src/collective) with its memory.
class bound_call final : public startable {
public:
    /// Collective among the ranks of `j`, which outlives it. Errors: those of kept_call.
    bound_call(detail::job& j, passed_call const& call, std::vector<std::int64_t> dealt)
        : plan_(j, call.what, std::move(dealt)), call_(call) {}

    [[nodiscard]] int begin() override { return plan_.begin(call_, MPI_COMM_WORLD); }
    [[nodiscard]] bool proceed() override { return plan_.proceed(); }
    [[nodiscard]] int end() override { return plan_.end(call_, MPI_COMM_WORLD); }

private:
    kept_call plan_;
    passed_call call_;
};

} // namespace sode::internal::interpose
