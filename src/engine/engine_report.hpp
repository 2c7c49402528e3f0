// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sode::internal {

/// An engine that has more to say of its one plan than its kind has of all: for explain().
class engine_report {
public:
    engine_report() = default;
    virtual ~engine_report() = default;
    engine_report(engine_report const&) = delete;
    engine_report& operator=(engine_report const&) = delete;

    /// Lines, or nothing.
    [[nodiscard]] virtual std::string report() const = 0;
};

} // namespace sode::internal
