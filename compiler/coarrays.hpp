// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "unit.hpp"

#include <functional>

namespace sode::compiler {

/// `x:[image]`: the call that has the image, and x.
struct other_image {
    clang::CallExpr const* call = nullptr; ///< null: this is nothing of another image
    clang::Expr const* what = nullptr;
    source::image_reference const* where = nullptr;
};
[[nodiscard]] other_image image_of(unit const& u, clang::Stmt const* s);
/// What is written before and behind x in place of it.
[[nodiscard]] std::string before_image(unit const& u, other_image const& i);
inline constexpr char const* behind_image = ")))";

/// Text that takes the place of what stands between two offsets in a file.
struct piece {
    unsigned begin, end;
    std::string text;
};
/// The text of `e` with these changes. An error if there are any and `e` stands in a macro.
[[nodiscard]] std::string patched(unit const& u, clang::Expr const* e, std::vector<piece> pieces, char const* what);
/// The text of `e` with coarrays and images in it as C finds them.
[[nodiscard]] std::string written(unit const& u, clang::Expr const* e);
/// The changes for `s`, if it is a coarray or another image's; `inside` gets the x of x:[k]. False: it is neither.
bool coarray_pieces(unit const& u, clang::Stmt const* s, std::vector<piece>& pieces,
                    std::function<void(clang::Stmt const*)> const& inside);
/// What C knows a coarray by.
[[nodiscard]] std::string coarray_pointer(clang::ValueDecl const* v);

} // namespace sode::compiler
