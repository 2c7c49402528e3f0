// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/file_beside.hpp"

#include <string>
#include <string_view>

namespace sode::internal::files {

/// A file in the making, which takes the place of another in one instant, or is gone if it does not.
class replacement {
public:
    /// Makes an empty file in the folder of `file`, under a name that nobody can know before and that ends in ".part"; what killed
    /// jobs have left of this file is removed. Errors: environment.
    explicit replacement(std::string file);
    ~replacement();
    replacement(replacement const&) = delete;
    replacement& operator=(replacement const&) = delete;

    /// The file in the making: its name, and open for writing.
    [[nodiscard]] std::string const& part() const noexcept { return part_.name; }
    [[nodiscard]] int fd() const noexcept { return part_.fd.get(); }

    /// From now on `file` is what part() was, and stays so if the machine stops. Errors: environment.
    void commit();

private:
    std::string file_;
    file_beside part_;
    bool done_ = false;
};

/// Makes `text` all that is in `file`, in one instant. Errors: environment.
void replace_text(std::string const& file, std::string_view text);

} // namespace sode::internal::files
