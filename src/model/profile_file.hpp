// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/profile.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sode::internal {

/// Where the numbers of a profile come from: the "machine" of its file. For people; nothing is decided by it.
struct profile_origin {
    std::string cpu{}; ///< "AMD EPYC 9R14"
    std::int64_t cores = 0;
    std::string date{}; ///< when it was measured, "2026-11-20T13:30:00Z"
    std::string sode{}; ///< by which version
    std::string mpi{};  ///< whose messages of derived datatypes were measured, "Open MPI v4.1.4"; empty: none
    /// Blocks of measurements behind each part.
    struct counts {
        std::int64_t near = 0;
        std::int64_t far = 0;
        std::int64_t local = 0;
        std::int64_t network = 0;
        std::int64_t mpi_near = 0; ///< what of `datatypes_near` is of an MPI
        std::int64_t mpi_far = 0;
    } samples{};
    std::vector<std::string> unseen{};     ///< the parts without: they keep their defaults
    std::vector<std::string> not_stored{}; ///< what was measured and keeps its default, as it would not have chosen better
};

/// The profile that `text` describes: JSON, see docs/profile.md. What is missing keeps its default. `file` is for messages. Where
/// the numbers are from goes to `origin`, if it is wanted.
/// Errors: usage, for a key that there is not (with the nearest that there is), a value of the wrong type, a number that is
/// negative, and for what is no JSON or nested deeper than any profile.
[[nodiscard]] profile read_profile(std::string_view text, std::string_view file, profile_origin* origin = nullptr);
/// The text of a file that may be one. Errors: usage, if it cannot be read, is no ordinary file, or has more than 1 MiB.
[[nodiscard]] std::string read_profile_text(std::string const& file);
/// Errors: as read_profile and read_profile_text.
[[nodiscard]] profile load_profile(std::string const& file, profile_origin* origin = nullptr);

/// The text of a file. read_profile gives the same profile back, as far as four digits go.
[[nodiscard]] std::string write_profile(profile const& p, profile_origin const& origin);
/// Replaces `file` as a whole or not at all; makes its folder if it has none. Errors: environment.
void save_profile(std::string const& file, profile const& p, profile_origin const& origin);

/// The file that is in force where SODE_PROFILE is `setting`: that one, or what `sode tune` has stored. Empty: the built-in
/// profile.
[[nodiscard]] std::string profile_in_force(std::string_view setting);

/// Where `sode tune` stores a profile, and where jobs look for one that were given none:
/// $XDG_CONFIG_HOME/sode/profile-<host>.json, with ~/.config for want of the variable; empty without a home.
[[nodiscard]] std::string default_profile_path();

/// Every key of a file, "near.flag" and "machine.samples.near" among them.
[[nodiscard]] std::vector<std::string> profile_keys();

} // namespace sode::internal
