// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace sode::files {

/// Where a file is in the making: `file` with ".part" behind it. Always the same name, so that what a killed job has left is taken
/// away by the next.
[[nodiscard]] std::string part_of(std::string const& file);

/// A file in the making, which takes the place of another in one instant, or is gone if it does not.
class replacement {
public:
    /// Of `file`. Nothing happens yet.
    explicit replacement(std::string file);
    ~replacement();
    replacement(replacement const&) = delete;
    replacement& operator=(replacement const&) = delete;

    /// part_of(file).
    [[nodiscard]] std::string const& part() const noexcept { return part_; }

    /// From now on `file` is what part() was, and stays so if the machine stops. Errors: environment.
    void commit();

private:
    std::string file_;
    std::string part_;
    bool done_ = false;
};

/// Makes `text` all that is in `file`, in one instant. Errors: environment.
void replace_text(std::string const& file, std::string_view text);

} // namespace sode::files
