// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/unit/unit.hpp"

#include <map>

namespace sode::compiler {

/// Headers that have directives are written anew, and so are those that include them: whoever includes one names the new one.
class headers {
public:
    /// Remembers every #include.
    void watch(clang::Preprocessor& pp);
    /// Where each header goes that is changed, below `folder`: the includes are edited, until no more headers change by that.
    void name(unit& u, std::string const& folder);
    /// What name() has found: files and their new paths.
    [[nodiscard]] std::map<clang::FileID, std::string> const& written() const { return written_; }
    /// `#line 1 "file"`
    static std::string first_line(unit const& u, clang::FileID file);

private:
    struct inclusion {
        clang::SourceLocation hash;
        clang::CharSourceRange name;
        bool angled;
        std::string path; // of the file that is included
    };
    [[nodiscard]] inclusion const* of(unit const& u, clang::FileID file) const;

    std::vector<inclusion> all_;
    std::map<clang::FileID, std::string> written_;
};

} // namespace sode::compiler
