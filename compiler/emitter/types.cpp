// SPDX-License-Identifier: Apache-2.0
// The codes that <sode/sode.h> has for C's types.
#include "compiler/emitter/emitter.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Type.h>
#include <string_view>

namespace sode::compiler {

namespace {

// std::complex<double>: its element; null for what is no such thing.
clang::QualType of_complex(clang::QualType type) {
    auto const* const record = type->getAsCXXRecordDecl();
    auto const* const made = clang::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
    return made && made->isInStdNamespace() && made->getName() == "complex" ? made->getTemplateArgs()[0].getAsType()
                                                                            : clang::QualType{};
}

} // namespace

std::string type_code(clang::ASTContext const& ast, clang::QualType type, std::string const& written) {
    if (type->isDependentType()) return "(::sode::xmp::element_code<" + written + ">::value)";
    type = type.getCanonicalType().getUnqualifiedType();
    if (auto const element = of_complex(type); !element.isNull()) type = ast.getComplexType(element);
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

std::string summand_code(clang::ASTContext const& ast, clang::QualType type, std::string_view operation,
                         std::string const& written) {
    auto const code = type_code(ast, type, written);
    if (operation != "SODE_SUM" || type->isDependentType()) return code;
    auto const of_class = of_complex(type.getCanonicalType());
    auto const* const c = type->getAs<clang::ComplexType>();
    auto const element = !of_class.isNull() ? of_class : c ? c->getElementType() : type;
    return element->isSpecificBuiltinType(clang::BuiltinType::LongDouble) ? "SODE_LONG_DOUBLE" : code;
}

std::string as_int64(std::string const& text) {
    bool const number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    return number ? text : "(int64_t)(" + text + ")";
}

std::string listed(char const* type, std::vector<std::string> const& items) {
    std::string text;
    for (auto const& item : items)
        text += (text.empty() ? "" : ",") + (std::string_view{type} == "int64_t" ? as_int64(item) : item);
    return items.empty() ? "0" : text;
}

std::string list(char const* type, std::vector<std::string> const& items) {
    return std::string{"SODE_XMP_LIST("} + type + "," + listed(type, items) + ")";
}

} // namespace sode::compiler
