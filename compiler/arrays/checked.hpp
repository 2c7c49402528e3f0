// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/arrays/sections.hpp"

#include <map>

namespace sode::compiler {

/// -fsode-check: references to elements of distributed arrays become calls of sode_xmp_element(), which judge them when the
/// program runs.
class checked_references {
public:
    explicit checked_references(unit& u) : unit_(u) {}

    /// Below `f`, whose head a directive `loop` writes anew.
    static bool split_here(unit const& u, std::vector<clang::Stmt const*> const& above, clang::ForStmt const* f);

    /// `subscripts` are all of an element, the innermost first; `above` ends with what stands around the last of them.
    void element(aligned_array const& a, std::vector<clang::ArraySubscriptExpr const*> const& subscripts, int how);
    /// The index of a row: sode_xmp_row().
    void row(aligned_array const& a, std::size_t dim, clang::Expr const* index);
    /// Edits the text. What a macro argument names several times is there once.
    void write();

private:
    struct reference {
        aligned_array const* array;
        std::vector<clang::ArraySubscriptExpr const*> subscripts;
        int how;
    };
    bool in_place(aligned_array const& a, clang::SourceRange range);
    void in_macro(aligned_array const& a, clang::SourceLocation at);

    unit& unit_;
    std::map<std::pair<clang::FileID, unsigned>, reference> elements_; // by where they end
    std::set<clang::SourceLocation> rows_, complained_;
};

/// What the program does with an element: `above` is all that stands around it, the nearest last. Bits of sode_xmp_reads, ...
[[nodiscard]] int use_of(unit const& u, aligned_array const& a, clang::Stmt const* element,
                         std::vector<clang::Stmt const*> const& above);
/// Whether a reduce_shadow of the unit names it: the program computes in its halos.
[[nodiscard]] bool added_up(unit const& u, aligned_array const& a);
/// "file:line" of any place, as a string literal.
[[nodiscard]] std::string line_of(unit const& u, clang::SourceLocation at);
/// `(*(T*)sode_xmp_element(at, &array, how, SODE_XMP_LIST(int64_t, (int64_t)(`, behind which the indices stand.
[[nodiscard]] std::string before_element(unit const& u, aligned_array const& a, clang::SourceLocation at, int how);
inline constexpr char const *between_indices = "),(int64_t)(", *behind_element = "))))";

} // namespace sode::compiler
