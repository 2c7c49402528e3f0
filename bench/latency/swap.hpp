// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>

namespace sode::internal::bench {

/// A way for two ranks to swap one double.
class swap {
public:
    explicit swap(std::string name) : name_(std::move(name)) {}
    virtual ~swap() = default;
    swap(swap const&) = delete;
    swap& operator=(swap const&) = delete;

    [[nodiscard]] std::string const& name() const noexcept { return name_; }
    /// Gives `value`, returns the peer's.
    virtual double operator()(double value) = 0;

private:
    std::string name_;
};

} // namespace sode::internal::bench
