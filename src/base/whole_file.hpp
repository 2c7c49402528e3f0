// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace sode::internal {

struct file_closer {
    void operator()(std::FILE* f) const noexcept { std::fclose(f); }
};

/// All of an ordinary file, of at most `most` bytes: no pipe, for whose writer one would wait, and no device without an end. `what`
/// it is completes the message: "cannot read the profile FILE". Errors: usage.
[[nodiscard]] std::string read_file(std::string const& file, std::string_view what, std::size_t most = std::size_t{1} << 30U);

/// A file that is written beside its place and takes it as a whole or not at all: a reader never sees half of it, and what was
/// there before stays until it is complete.
class new_file {
public:
    /// Errors: environment, if the file could not be put there.
    new_file(std::string file, std::string_view what);
    ~new_file(); ///< without commit(): nothing has happened
    new_file(new_file const&) = delete;
    new_file& operator=(new_file const&) = delete;

    void write(std::string_view text);
    /// Errors: environment, if any part could not be written.
    void commit();

private:
    [[noreturn]] void fail(std::string_view call) const;

    std::string file_;
    std::string what_;
    std::string beside_;
    std::unique_ptr<std::FILE, file_closer> stream_;
};

/// Writes `text` as a new_file; makes the folder if there is none.
void replace_file(std::string const& file, std::string_view what, std::string_view text);

} // namespace sode::internal
