// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/binding.hpp"

#include <sode/messages.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sode::internal {

/// The tag of message `message` of a plan: plans that live at the same time must not take each other's messages. A plan has the
/// tags of all its serials, as many as it has messages.
[[nodiscard]] int message_tag(std::uint64_t serial, std::uint32_t message, int most_tag) noexcept;
/// What carries messages for `name`. Errors: environment, if the job has nothing that does.
[[nodiscard]] messenger& carrier_of(context const& c, std::string_view name);

/// The messages of a plan, and the puts and landings that are carried by messages, as its engine starts them and hears of their
/// end. A descriptor has a message for each place that it sends from or receives into, made when that first occurs and kept; a
/// second one for a place is made where the first is still under way. So what a loop keeps is bounded by the places it goes
/// through: with strides in a ring of k slots k messages, however often it runs.
class plan_messages {
public:
    /// Errors: environment, if the plan has messages and the job nothing to carry them, or fewer tags than these.
    plan_messages(schedule const& p, binding const& places, context const& c);

    /// Begins the message of that descriptor at `data`. `shift` is what the loops around it add to its value.
    void start(std::size_t descriptor, std::byte* data, std::int64_t shift);
    [[nodiscard]] bool under_way() const noexcept { return under_way_ != 0; }
    /// The descriptors of messages that are under way, as far as there is room. Returns how many. Cost: O(descriptors with
    /// messages).
    [[nodiscard]] std::size_t standing(std::span<std::uint32_t> at) const noexcept;
    /// Places are other ones from now on: what was made for them goes. Nothing is under way.
    void forget();

    struct ended {
        std::uint32_t descriptor = 0;
        std::int64_t shift = 0;
    };
    /// Whose signals are to be given now: of messages that are over, each once, those of one descriptor in the order in which they
    /// were begun.
    [[nodiscard]] std::span<ended const> collect();

private:
    struct instance {
        std::byte* data;
        std::size_t number; // in the set
        bool busy;
    };
    struct begun {
        std::int64_t shift;
        bool over;
    };
    struct line { // what one descriptor has begun
        std::uint32_t descriptor = 0;
        int tag = 0;
        std::vector<instance> instances{};
        std::size_t next = 0;       // where an idle instance is looked for first: places mostly come in turn
        std::vector<begun> queue{}; // not told yet, but for the first `told`
        std::size_t told = 0;
    };
    struct place_of {
        std::uint32_t line;
        std::uint32_t instance;
        std::size_t entry; // in the queue
    };

    [[nodiscard]] std::size_t idle_at(line& l, std::byte* data);

    schedule const& plan_;
    messenger* carrier_ = nullptr; // null if the plan has no messages
    std::unique_ptr<message_set> set_;
    std::vector<std::uint32_t> line_of_; // by descriptor
    std::vector<line> lines_;
    std::vector<place_of> by_number_; // in the set
    std::vector<std::size_t> done_;
    std::vector<ended> over_;
    std::size_t under_way_ = 0;
};

} // namespace sode::internal
