// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/unique_fd.hpp"

#include <string>
#include <string_view>

namespace sode::internal {

/// A new file in the folder of another one, whose place it is to take by a rename.
///
/// In a folder where other users may write too, such as /tmp, they could wait for a name that they know with a link to a file of
/// this user. So nobody knows the name before, and what has it already is never opened.
struct file_beside {
    std::string name; ///< TARGET.0123456789abcdef.ENDING
    unique_fd fd;     ///< for writing; empty: it could not be made, errno says why
};

/// Makes it, empty. Errors: environment, if there are no random numbers.
[[nodiscard]] file_beside make_file_beside(std::string const& target, std::string_view ending);

/// Removes files that make_file_beside() has made for this target and this user, and that a killed process has left. Files that
/// somebody is writing at this moment go, too.
void remove_files_beside(std::string const& target, std::string_view ending) noexcept;

} // namespace sode::internal
