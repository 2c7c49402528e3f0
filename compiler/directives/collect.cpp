// SPDX-License-Identifier: Apache-2.0
// Directives as the preprocessor meets them.
#include "compiler/directives/source.hpp"

#include <clang/Basic/Diagnostic.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Pragma.h>
#include <cstring>

namespace sode::compiler {
namespace {

class directive_pragma : public clang::PragmaHandler {
public:
    directive_pragma(source& s, char const* name, bool openacc) : clang::PragmaHandler(name), source_(s), openacc_(openacc) {}

    void HandlePragma(clang::Preprocessor& pp, clang::PragmaIntroducer introducer, clang::Token& first) override {
        auto d = std::make_unique<directive>();
        d->number = static_cast<unsigned>(source_.directives.size());
        d->hash = introducer.Loc;
        d->openacc = openacc_;
        clang::Token t;
        for (pp.Lex(t); t.isNot(clang::tok::eod); pp.Lex(t))
            if (t.is(clang::tok::coloncolon) && !names_scope(d->words))
                for (int offset = 0; offset < 2; ++offset) {
                    d->words.push_back(t);
                    d->words.back().setKind(clang::tok::colon);
                    d->words.back().setLength(1);
                    d->words.back().setLocation(t.getLocation().getLocWithOffset(offset));
                }
            else
                d->words.push_back(t);
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
    // Whether C++'s :: behind these words is that of `a::b`. In `t[0::2]` and `align [i] with t[i] :: a` it is two colons.
    static bool names_scope(tokens const& before) {
        return !before.empty() && before.back().isOneOf(clang::tok::identifier, clang::tok::greater);
    }

    source& source_;
    bool openacc_;
};

// Names that people write in place of xmp. Every compiler leaves out what it does not know.
class misspelt_pragma : public clang::PragmaHandler {
public:
    explicit misspelt_pragma(char const* name) : clang::PragmaHandler(name) {}

    void HandlePragma(clang::Preprocessor& pp, clang::PragmaIntroducer, clang::Token& name) override {
        auto& diagnostics = pp.getDiagnostics();
        diagnostics.Report(name.getLocation(),
                           diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "unknown pragma '%0'; did you mean 'xmp'?"))
            << getName() << clang::FixItHint::CreateReplacement(name.getLocation(), "xmp");
    }
};

class pragmas_of_macros : public clang::PPCallbacks {
public:
    explicit pragmas_of_macros(source& s) : source_(s) {}

    void PragmaDirective(clang::SourceLocation at, clang::PragmaIntroducerKind kind) override {
        if (kind != clang::PIK__Pragma || !at.isMacroID()) return;
        auto const* const text = static_cast<clang::Lexer const*>(source_.preprocessor().getCurrentLexer())->getBufferLocation();
        source_.pragmas.push_back({source_.lexed.size(), at, std::string{text, std::strchr(text, '\n')}});
    }

private:
    source& source_;
};

} // namespace

clang::Token source::made_up(std::string const& name, clang::SourceLocation where) const {
    clang::Token t;
    t.startToken();
    pp_.CreateString(name, t, where, where);
    t.setKind(clang::tok::identifier);
    t.setIdentifierInfo(pp_.getIdentifierInfo(name));
    return t;
}

void source::error(directive& d, clang::SourceLocation where, std::string const& message, std::string const& instead) const {
    d.wrong = true;
    auto& diagnostics = pp_.getDiagnostics();
    auto const said = diagnostics.Report(where, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << message;
    if (!instead.empty() && where.isFileID()) said << clang::FixItHint::CreateReplacement(where, instead);
}

void collect_directives(source& s) {
    s.preprocessor().addPPCallbacks(std::make_unique<pragmas_of_macros>(s));
    for (auto const* const name : {"XMP", "Xmp", "xpm", "xmpp", "xcalablemp"})
        s.preprocessor().AddPragmaHandler(new misspelt_pragma(name));
    s.preprocessor().AddPragmaHandler(new directive_pragma(s, "xmp", false));
    if (s.accelerators) s.preprocessor().AddPragmaHandler(new directive_pragma(s, "acc", true));
}

} // namespace sode::compiler
