// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/message_path.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal {

/// What messages of one kind took by each path, as somebody has measured it.
struct measured_choice {
    std::uint64_t pattern = 0;              ///< pattern_key(): what the messages have in common
    std::array<double, message_paths> ns{}; ///< 0: never tried
    // For people:
    std::int64_t bytes = 0;
    std::int64_t rows = 0;
    bool far = false;

    friend bool operator==(measured_choice const&, measured_choice const&) = default;
};

/// A number that messages of equal features have in every process and every run.
[[nodiscard]] std::uint64_t pattern_key(message_features const& m) noexcept;

/// Such choices, for each machine on which they hold: SODE_CHOICE=learn:FILE and fixed:FILE.
struct choice_book {
    static constexpr std::size_t most_machines = 16;
    static constexpr std::size_t most_choices = 1024; ///< of a machine

    struct page {
        std::string machine;                  ///< the processor, the MPI and what it goes by, our version
        std::vector<measured_choice> choices; ///< the latest last
    };
    std::vector<page> pages; ///< the latest last

    [[nodiscard]] std::vector<measured_choice> const* of(std::string_view machine) const noexcept;
    /// These replace what was there of equal patterns; what is too much goes, the oldest first.
    void add(std::string const& machine, std::vector<measured_choice> const& choices);
};

/// Errors: usage, for what is no such file: `file` names it.
[[nodiscard]] choice_book read_choices(std::string_view text, std::string_view file);
[[nodiscard]] std::string write_choices(choice_book const& book);
/// Nothing, if there is no such file. Errors: usage, for one that cannot be read, has more than 4 MiB, or is something else.
[[nodiscard]] std::optional<choice_book> load_choices(std::string const& file);
/// Adds to what is there now, whoever wrote it meanwhile; as a whole or not at all. Errors: as load_choices; environment, if it
/// cannot be written.
void save_choices(std::string const& file, std::string const& machine, std::vector<measured_choice> const& choices);

} // namespace sode::internal
