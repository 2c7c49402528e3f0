// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/unit/unit.hpp"

#include <optional>

namespace sode::compiler {

/// How far an index is from a variable: 0 of `i`, -1 of `i - 1`; nothing: it is something else. `declared`: which variable of that
/// name; null: any.
[[nodiscard]] std::optional<std::int64_t> distance_from(unit const& u, clang::Expr const* e, clang::IdentifierInfo const* name,
                                                        clang::ValueDecl const* declared = nullptr);
/// The same of a dimension of a directive.
[[nodiscard]] std::optional<std::int64_t> distance_from(unit const& u, dimension const& dim, clang::IdentifierInfo const* name);

} // namespace sode::compiler
