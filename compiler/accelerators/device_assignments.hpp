// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/unit/operators.hpp"
#include "compiler/unit/unit.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sode::compiler {

/// `a[0:n]:[k] = b[0:n]` below `host_data use_device(a, b)`: a copy between images, devices and the host. The host cannot compute
/// with what is on the device.
class device_assignment {
public:
    /// `around`: directives host_data around the statement.
    device_assignment(unit& u, std::vector<directive const*> const& around);
    /// Replaces the text of an assignment that names another image and this image's device. False: it is no such assignment.
    bool write(binary const& statement, bool valued);

private:
    struct side {
        std::string image;     ///< where its coarray is: arguments of a call up to the element; "": it is here
        std::string first;     ///< element
        std::string on_device; ///< whether it is: an expression
        std::vector<std::string> counts, strides;
        clang::QualType type;
    };
    void look(clang::Stmt const* s);
    [[nodiscard]] std::string on_device(clang::Expr const* e) const;
    [[nodiscard]] std::optional<side> side_of(clang::Expr const* e) const;
    [[nodiscard]] std::string length(clang::ArraySubscriptExpr const* s, clang::CallExpr const* section,
                                     std::string const& row) const;
    [[nodiscard]] static std::string written_side(char const* name, side const& s);

    unit& unit_;
    std::map<clang::ValueDecl const*, std::string> named_; // in use_device, and on what condition
    std::string place_;                                    // of the first image that is named
    bool may_be_absent_ = false;
    bool far_ = false;                         // it is of a coarray on the device
    clang::DeclRefExpr const* near_ = nullptr; // what is on this image's device
};

/// `#pragma acc ... copyin(x[a:b])` of a coarray: what the pointer in its place is called there.
[[nodiscard]] std::string coarray_in_clause(unit const& u, std::string const& clause, clang::Expr const* e);
[[nodiscard]] std::string coarray_in_clause(clang::ValueDecl const* coarray);
/// The coarray that `e`, an element or a section, is of; null: none.
[[nodiscard]] clang::VarDecl const* coarray_of(unit const& u, clang::Expr const* e);

/// Whether some `use_device` of the unit names a variable.
[[nodiscard]] bool used_by_address(unit const& u, clang::Expr const* e);

} // namespace sode::compiler
