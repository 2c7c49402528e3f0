// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/collective_terms.hpp"

#include <string>
#include <string_view>

namespace sode::internal {

/// One way to run a collective. Immutable; one object for all plans. A new one is a file in algorithms/, a line in catalogue.hpp,
/// and the tests of the catalogue try it.
class algorithm {
public:
    algorithm(algorithm const&) = delete;
    algorithm& operator=(algorithm const&) = delete;
    algorithm(algorithm&&) = delete;
    algorithm& operator=(algorithm&&) = delete;

    /// As options and explain() say it.
    [[nodiscard]] constexpr std::string_view name() const noexcept { return name_; }
    /// Can it run that collective? The same answer on all ranks.
    [[nodiscard]] virtual bool can(collective_terms const& t) const noexcept = 0;
    /// Does it combine what has been combined? Operators that round give other bits then, so it must be asked for by name.
    [[nodiscard]] virtual bool regroups(collective_terms const& /*t*/) const noexcept { return false; }
    /// What an epoch should cost the rank that waits longest. Closed form; `apart`: the greatest distance of two ranks of a
    /// machine.
    [[nodiscard]] virtual expense cost(collective_terms const& t, distance apart) const noexcept = 0;
    /// Bytes that go at a time, of those that cut what they move into equal pieces; 0: it does not.
    [[nodiscard]] virtual std::int64_t piece(collective_terms const& /*t*/) const noexcept { return 0; }
    /// The part of one rank. Pure.
    [[nodiscard]] virtual plan build(collective_terms const& t, int rank) const = 0;

    /// Ranks of a machine speak for it to others: one, or several, each for a share (leaders.hpp).
    [[nodiscard]] constexpr bool has_leaders() const noexcept { return has_leaders_; }

protected:
    constexpr explicit algorithm(std::string_view name, bool has_leaders = false) noexcept
        : name_(name), has_leaders_(has_leaders) {}
    ~algorithm() = default;

private:
    std::string_view name_;
    bool has_leaders_;
};

} // namespace sode::internal
