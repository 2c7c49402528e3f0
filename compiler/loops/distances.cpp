// SPDX-License-Identifier: Apache-2.0
#include "compiler/loops/distances.hpp"

namespace sode::compiler {

std::optional<std::int64_t> distance_from(unit const& u, clang::Expr const* e, clang::IdentifierInfo const* name,
                                          clang::ValueDecl const* declared) {
    auto const* const inner = e->IgnoreParenImpCasts();
    if (auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(inner))
        return r->getDecl()->getIdentifier() == name && (!declared || r->getDecl() == declared) ? std::optional<std::int64_t>{0}
                                                                                                : std::nullopt;
    auto const* const sum = clang::dyn_cast<clang::BinaryOperator>(inner);
    if (!sum || (sum->getOpcode() != clang::BO_Add && sum->getOpcode() != clang::BO_Sub)) return {};
    auto const number = [&](clang::Expr const* part) -> std::optional<std::int64_t> {
        auto const value = part->isValueDependent() ? llvm::Optional<llvm::APSInt>{} : part->getIntegerConstantExpr(u.ast);
        return value ? std::optional<std::int64_t>{value->getExtValue()} : std::nullopt;
    };
    bool const minus = sum->getOpcode() == clang::BO_Sub;
    if (auto const from = distance_from(u, sum->getLHS(), name, declared)) {
        auto const by = number(sum->getRHS());
        return by ? std::optional<std::int64_t>{minus ? *from - *by : *from + *by} : std::nullopt;
    }
    auto const by = number(sum->getLHS());
    auto const from = minus || !by ? std::nullopt : distance_from(u, sum->getRHS(), name, declared);
    return from ? std::optional<std::int64_t>{*from + *by} : std::nullopt;
}

std::optional<std::int64_t> distance_from(unit const& u, dimension const& dim, clang::IdentifierInfo const* name) {
    if (dim.lower.words.size() == 1) return 0;
    return dim.lower.parsed ? distance_from(u, dim.lower.parsed, name) : std::nullopt;
}

} // namespace sode::compiler
