// SPDX-License-Identifier: Apache-2.0
// Directives as the preprocessor meets them.
#include "source.hpp"

#include <clang/Basic/Diagnostic.h>
#include <clang/Lex/Pragma.h>

namespace sode::compiler {
namespace {

class xmp_pragma : public clang::PragmaHandler {
public:
    explicit xmp_pragma(source& s) : clang::PragmaHandler("xmp"), source_(s) {}

    void HandlePragma(clang::Preprocessor& pp, clang::PragmaIntroducer introducer, clang::Token& first) override {
        auto d = std::make_unique<directive>();
        d->number = static_cast<unsigned>(source_.directives.size());
        d->hash = introducer.Loc;
        clang::Token t;
        for (pp.Lex(t); t.isNot(clang::tok::eod); pp.Lex(t)) d->words.push_back(t);
        d->end = d->words.empty() ? first.getLocation() : d->words.back().getLocation();
        auto mark = std::make_unique<clang::Token[]>(1);
        mark[0].startToken();
        mark[0].setKind(clang::tok::annot_pragma_captured);
        mark[0].setLocation(introducer.Loc);
        mark[0].setAnnotationEndLoc(introducer.Loc);
        mark[0].setAnnotationValue(d.get());
        source_.directives.push_back(std::move(d));
        pp.EnterTokenStream(std::move(mark), 1, true, false);
    }

private:
    source& source_;
};

} // namespace

void source::error(directive& d, clang::SourceLocation where, std::string const& message) const {
    d.wrong = true;
    auto& diagnostics = pp_.getDiagnostics();
    diagnostics.Report(where, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << message;
}

void collect_directives(source& s) {
    s.preprocessor().AddPragmaHandler(new xmp_pragma(s));
}

} // namespace sode::compiler
