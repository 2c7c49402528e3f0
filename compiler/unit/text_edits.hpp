// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringRef.h>
#include <map>
#include <string>
#include <vector>

namespace sode::compiler {

/// The line breaks of a text: what stands in its place keeps them, so that lines after it stay where they are.
[[nodiscard]] std::string line_breaks_of(llvm::StringRef text);

/// The edits of the user's files. Text is taken with the edits in it: what the compiler writes at a second place, such as the bound
/// of a loop, means the same there. (clang::Rewriter forgets where an edited range ends.)
class text_edits {
public:
    explicit text_edits(clang::SourceManager const& files) : files_(files) {}

    /// Before, or behind, what was inserted there. It stands outside of wraps and replacements that begin or end there.
    void insert_first(clang::SourceLocation at, std::string const& text);
    void insert_last(clang::SourceLocation at, std::string const& text);
    /// Around a range, and around later wraps of the same range. What is edited inside stays.
    void wrap(clang::CharSourceRange range, std::string before, std::string behind);
    /// In place of a range, whatever was edited there. `wrapped`: wraps of exactly this range stay.
    void replace(clang::CharSourceRange range, std::string text, bool wrapped = false);

    /// The text of a range as it is now, without what was inserted at its ends.
    [[nodiscard]] std::string text(clang::CharSourceRange range) const;
    /// As the user wrote it.
    [[nodiscard]] std::string original(clang::CharSourceRange range) const;
    /// A whole file.
    [[nodiscard]] std::string text(clang::FileID file) const;
    /// The files with edits.
    [[nodiscard]] std::vector<clang::FileID> changed() const;

private:
    struct replacement {
        unsigned end;
        std::string text;
        bool wrapped;
    };
    struct around {
        unsigned end;
        std::string before, behind;
    };
    struct edits_of_file {
        std::map<unsigned, std::string> inserts;
        std::multimap<unsigned, replacement> replacements; // by where they begin, as
        std::multimap<unsigned, around> wraps;             // these
    };
    // What stands in place of a part that begins here: the longest, and of equal ones the last.
    [[nodiscard]] static replacement const* longest(edits_of_file const& edits, unsigned begin, unsigned end);
    [[nodiscard]] std::string text(clang::FileID file, unsigned begin, unsigned end, bool whole) const;
    [[nodiscard]] edits_of_file& edits_at(clang::SourceLocation at) { return edits_[files_.getFileID(at)]; }

    clang::SourceManager const& files_;
    std::map<clang::FileID, edits_of_file> edits_;
};

} // namespace sode::compiler
