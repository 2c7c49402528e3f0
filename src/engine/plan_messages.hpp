// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/binding.hpp"

#include <sode/messages.hpp>

#include <memory>
#include <span>
#include <vector>

namespace sode {

/// The messages of a plan, as its engine starts them and hears of their end. Memory with several instances has a message for each
/// that occurs, made once.
class plan_messages {
public:
    /// Errors: environment, if the plan has messages and the job nothing to carry them.
    plan_messages(plan const& p, binding const& places, context const& c);

    /// Begins the message of that descriptor in the epoch of that combination of parities (binding::combination).
    void start(std::size_t descriptor, unsigned combination) {
        set_->start(numbers_[combination * count_ + ordinal_[descriptor]]);
        ++under_way_;
    }
    [[nodiscard]] bool under_way() const noexcept { return under_way_ != 0; }
    /// The descriptors whose messages are over since the last call.
    [[nodiscard]] std::span<std::uint32_t const> collect();

private:
    std::unique_ptr<message_set> set_;       // null if the plan has none
    std::size_t count_ = 0;                  // of descriptors that are messages
    std::vector<std::uint32_t> ordinal_;     // by descriptor
    std::vector<std::size_t> numbers_;       // in the set, by combination and ordinal
    std::vector<std::uint32_t> descriptors_; // by number in the set
    std::vector<std::size_t> done_;
    std::vector<std::uint32_t> over_;
    std::size_t under_way_ = 0;
};

} // namespace sode
