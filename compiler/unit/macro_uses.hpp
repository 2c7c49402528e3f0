// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/directives/source.hpp"

#include <map>
#include <string>

namespace sode::compiler {

/// Uses of macros in which something is to be changed. What a macro has in it stands once, and is used in several places: so the
/// use is written out, as the preprocessor sees it, and the unit is read again.
class macro_uses {
public:
    explicit macro_uses(source const& s) : source_(s) {}

    /// Has text put in at a place of a file.
    void put_in(clang::SourceLocation at, std::string const& words);
    /// Has the use of a macro that `at` comes from written out. False: it cannot be.
    bool want(clang::SourceLocation at);
    /// Whether only macros of the system stand between `at` and the file: what they get as arguments is what the user wrote.
    [[nodiscard]] bool of_system(clang::SourceLocation at) const;
    /// Whether it stands in a `_Pragma("...")` of no macro.
    [[nodiscard]] bool of_pragma(clang::SourceLocation at) const;
    [[nodiscard]] bool empty() const { return wanted_.empty(); }
    /// The files with these uses written out, by path.
    [[nodiscard]] std::map<std::string, std::string> files() const;

private:
    struct text {
        unsigned end;
        std::string words;
    };
    [[nodiscard]] std::string path_of(clang::FileID file);
    [[nodiscard]] bool means_itself(clang::Token const& name) const;
    [[nodiscard]] std::string words(tokens const& list, std::size_t first, std::size_t last, clang::SourceLocation begin) const;

    source const& source_;
    std::map<std::string, std::map<unsigned, text>> wanted_; // by file, and where each begins
    std::map<std::string, clang::FileID> ids_;
};

} // namespace sode::compiler
