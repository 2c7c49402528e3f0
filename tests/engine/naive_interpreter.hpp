// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/random_plan.hpp"

#include <deque>
#include <map>

namespace sode::internal::testing {

/// What a plan of one rank means, one descriptor at a time, as the definitions say it: no program, no engine, no table of
/// addresses.
class naive_interpreter {
public:
    explicit naive_interpreter(random_plan const& what);

    /// Memory by buffer and instance; bytes are the test's to fill.
    std::vector<std::vector<std::vector<std::byte>>> memory;

    /// Runs the next epoch, each choice of the plan by that way. False if it cannot come to an end.
    [[nodiscard]] bool run(std::vector<std::uint8_t> const& ways);

private:
    /// Which instance of a buffer or counter is that of the epoch.
    template <class Entry> [[nodiscard]] std::size_t instance(Entry const& e) const {
        return e.instances == parity::epoch ? static_cast<std::size_t>(epoch_ % e.slots) : 0;
    }
    struct stream_state {
        std::size_t at = 0;
        bool over = false;
        std::vector<std::pair<std::size_t, std::int64_t>> loops; // descriptor, iteration
    };
    struct end_of_message {
        descriptor const* what;
        std::byte* place;
        std::int64_t value;
    };

    enum class field : std::uint8_t { src, dst, operand, threshold, value };
    [[nodiscard]] std::int64_t added(descriptor const& d, stream_state const& s, field which) const;
    [[nodiscard]] bool may_run(descriptor const& d, stream_state const& s);
    void step(stream_state& s);
    void move(descriptor const& d, std::byte* target, std::byte const* first, std::byte const* source) const;
    void message(descriptor const& d, std::byte* place, std::int64_t value);
    void publish(descriptor const& d, std::int64_t value);
    [[nodiscard]] std::byte* place(std::uint32_t buffer, std::int64_t offset);

    plan const& plan_;
    std::vector<std::pair<std::vector<index_t>, std::vector<index_t>>> bytes_; // by program: from where each goes where
    std::int64_t epoch_ = 0;
    std::map<std::pair<std::uint32_t, std::size_t>, std::int64_t> counters_; // by index in the plan and instance
    std::map<std::uint32_t, std::deque<end_of_message>> sent_, wanted_;      // by number
};

} // namespace sode::internal::testing
