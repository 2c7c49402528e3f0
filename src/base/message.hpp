// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace sode::internal {

enum class severity { error, warning };

/// The form of every error and warning, made here and nowhere else:
///
///     sode: error: rank 3: problem (why)
///       suggestion
///
/// Empty parts are left out; so is the rank where nobody has called speak_as(). A part may be the text of another error: of that
/// one only what it says is taken. `sode run` merges the equal messages of several ranks, and knows them by their beginning.
[[nodiscard]] std::string message_text(severity how_bad, std::string_view problem, std::string_view why,
                                       std::string_view suggestion);

/// Such a text without what it begins with: for messages that quote others.
[[nodiscard]] std::string_view quoted(std::string_view text) noexcept;

enum class speaker { process, thread };

/// From now on messages of this process, or of this thread, name the rank, if the job has several. The one thing that is kept for a
/// whole process: errors are made at places that know no job.
void speak_as(speaker who, int rank, int ranks) noexcept;

} // namespace sode::internal
