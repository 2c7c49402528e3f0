// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/unit/unit.hpp"

#include <functional>
#include <optional>

namespace sode::compiler {

/// `x:[image]`: the call that has the image, and x.
struct other_image {
    clang::CallExpr const* call = nullptr; ///< null: this is nothing of another image
    clang::Expr const* what = nullptr;
    source::image_reference const* where = nullptr;
};
[[nodiscard]] other_image image_of(unit const& u, clang::Stmt const* s);
/// The x:[k] in x:[k].y[i].
[[nodiscard]] other_image image_within(unit const& u, clang::Expr const* e);
/// What is done with it: another machine's memory has no address, so that each is another call.
enum class image_use {
    address, ///< it is taken, or the whole array is meant
    read,
    write,  ///< assigned to
    change, ///< read and assigned to
    part,   ///< a member of it, or an element, is assigned to
    atom    ///< an atomic variable, or a lock
};
/// What is written before and behind x in place of it.
[[nodiscard]] std::string before_image(unit const& u, other_image const& i, image_use use);
[[nodiscard]] std::string behind_image(image_use use);
/// An expression that assigns to another image.
struct image_assignment {
    other_image to;
    image_use use;
    clang::Expr const *left, *right; ///< right null: ++, --
    clang::SourceLocation at;        ///< of the operator
};
[[nodiscard]] std::optional<image_assignment> image_assignment_of(unit const& u, clang::Stmt const* s);
/// What is written before and behind it; `valued`: its value is used.
[[nodiscard]] std::string before_assignment(unit const& u, image_assignment const& a, bool valued);
[[nodiscard]] std::string behind_assignment(unit const& u, image_assignment const& a, bool valued);
/// "file.c:12", image and address, as arguments of a call.
[[nodiscard]] std::string image_place(unit const& u, other_image const& i);
[[nodiscard]] std::string image_arguments(unit const& u, other_image const& i);
/// What x is.
[[nodiscard]] std::string image_type(unit const& u, other_image const& i);

/// Text that takes the place of what stands between two offsets in a file.
struct piece {
    unsigned begin, end;
    std::string text;
};
/// The text of `e` with these changes. `e` is where the user wrote it, if there are any.
[[nodiscard]] std::string patched(unit const& u, clang::Expr const* e, std::vector<piece> pieces, char const* what);
/// The text of `e` with coarrays and images in it as C finds them. `use`: of `e` itself.
[[nodiscard]] std::string written(unit const& u, clang::Expr const* e, image_use use = image_use::address);
/// The changes for `s`, if it is a coarray or another image's; `inside` gets the x of x:[k]. False: it is neither.
bool coarray_pieces(unit const& u, clang::Stmt const* s, image_use use, std::vector<piece>& pieces,
                    std::function<void(clang::Stmt const*)> const& inside);
/// What C knows a coarray by.
[[nodiscard]] std::string coarray_pointer(clang::ValueDecl const* v);

} // namespace sode::compiler
