// SPDX-License-Identifier: Apache-2.0
// The codes that <sode/sode.h> has for C's types.
#include "emitter.hpp"

#include <clang/AST/Type.h>

namespace sode::compiler {

std::string type_code(clang::ASTContext const& ast, clang::QualType type) {
    type = type.getCanonicalType().getUnqualifiedType();
    auto const bytes = ast.getTypeSizeInChars(type).getQuantity();
    auto const any = "SODE_BYTES(" + std::to_string(bytes) + ")";
    if (type->isBooleanType()) return "SODE_BOOL";
    if (auto const* const c = type->getAs<clang::ComplexType>()) {
        auto const element = c->getElementType();
        return element->isSpecificBuiltinType(clang::BuiltinType::Double)  ? "SODE_DOUBLE_COMPLEX"
               : element->isSpecificBuiltinType(clang::BuiltinType::Float) ? "SODE_FLOAT_COMPLEX"
                                                                           : any;
    }
    if (type->isSpecificBuiltinType(clang::BuiltinType::Double)) return "SODE_DOUBLE";
    if (type->isSpecificBuiltinType(clang::BuiltinType::Float)) return "SODE_FLOAT";
    if (type->isSpecificBuiltinType(clang::BuiltinType::LongDouble)) return "SODE_LONG_DOUBLE";
    if (type->isIntegralOrEnumerationType() && bytes <= 8)
        return std::string{"SODE_"} + (type->isUnsignedIntegerOrEnumerationType() ? "UINT" : "INT") + std::to_string(8 * bytes);
    return any;
}

std::string list(char const* type, std::vector<std::string> const& items) {
    std::string text = std::string{"("} + type + "[]){";
    for (auto const& item : items) text += item + ",";
    return items.empty() ? text + "0}" : text + "}";
}

} // namespace sode::compiler
