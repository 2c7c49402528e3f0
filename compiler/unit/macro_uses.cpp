// SPDX-License-Identifier: Apache-2.0
#include "compiler/unit/macro_uses.hpp"
#include "compiler/unit/quoted.hpp"
#include "compiler/unit/text_edits.hpp"

#include <algorithm>
#include <cctype>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>

namespace sode::compiler {
namespace {

// Whether two tokens can stand side by side and stay two.
bool stay_apart(std::string const& before, std::string const& next) {
    auto const parts = [](char c) { return std::string_view{"()[]{},;"}.find(c) != std::string_view::npos; };
    return before.empty() || parts(before.back()) || parts(next.front());
}

} // namespace

bool macro_uses::of_system(clang::SourceLocation at) const {
    auto const& files = source_.preprocessor().getSourceManager();
    while (at.isMacroID()) {
        bool const argument = files.isMacroArgExpansion(at);
        auto const around = files.getImmediateExpansionRange(at).getBegin(); // of an argument: the parameter
        if (!files.isInSystemHeader(files.getSpellingLoc(argument ? around : at))) return false;
        at = argument ? files.getImmediateSpellingLoc(at) : around;
    }
    return true;
}

bool macro_uses::of_pragma(clang::SourceLocation at) const {
    if (!at.isMacroID()) return false;
    auto const& pp = source_.preprocessor();
    llvm::SmallString<16> spelled;
    auto const around = pp.getSourceManager().getImmediateExpansionRange(at).getBegin();
    return around.isFileID() && clang::Lexer::getSpelling(around, spelled, pp.getSourceManager(), pp.getLangOpts()) == "_Pragma";
}

std::string macro_uses::words(tokens const& list, std::size_t first, std::size_t last, clang::SourceLocation begin) const {
    auto const& files = source_.preprocessor().getSourceManager();
    std::string all, before;
    auto next = std::ranges::find_if(source_.pragmas, [&](auto const& p) { return files.getExpansionLoc(p.at) == begin; });
    auto const pragmas = [&](std::size_t before) {
        for (; next != source_.pragmas.end() && next->before <= before && files.getExpansionLoc(next->at) == begin; ++next)
            all += " _Pragma(" + quoted(next->text) + ") ";
    };
    for (auto i = first; i <= last; ++i) {
        pragmas(i);
        auto const& t = list[i];
        if (t.isAnnotation()) continue; // a pragma, which is written already
        auto const word = source_.spelling(t);
        if (word.empty()) continue;
        if (t.hasLeadingSpace() || t.isAtStartOfLine() || !stay_apart(before, word)) all += ' ';
        all += before = word;
    }
    pragmas(last + 1);
    return " " + all + " ";
}

// Such as `#define stderr stderr`.
bool macro_uses::means_itself(clang::Token const& name) const {
    auto const* const macro = source_.preprocessor().getMacroInfo(name.getIdentifierInfo());
    return macro && macro->isObjectLike() && macro->getNumTokens() == 1 &&
           macro->getReplacementToken(0).getIdentifierInfo() == name.getIdentifierInfo();
}

bool macro_uses::want(clang::SourceLocation at) {
    if (!at.isMacroID() || of_pragma(at)) return false;
    auto const& files = source_.preprocessor().getSourceManager();
    auto const begin = files.getExpansionLoc(at);
    auto const [file, offset] = files.getDecomposedLoc(begin);
    if (!files.getFileEntryForID(file) || files.isInSystemHeader(begin)) return false;
    auto const of_use = [&](clang::Token const& t) { return files.getExpansionLoc(t.getLocation()) == begin; };
    auto const of_directive = std::ranges::find_if(
        source_.directives, [&](auto const& d) { return std::ranges::any_of(d->words, of_use) && !d->hash.isMacroID(); });
    bool const in_unit = of_directive == source_.directives.end();
    auto const& all = in_unit ? source_.lexed : (*of_directive)->words;
    auto const first =
        in_unit ? std::ranges::partition_point(
                      all,
                      [&](auto const& t) { return files.isBeforeInTranslationUnit(files.getExpansionLoc(t.getLocation()), begin); })
                : std::ranges::find_if(all, of_use);
    if (first == all.end() || !of_use(*first)) return false;
    auto last = first;
    auto end = files.getExpansionRange(at).getEnd();
    for (auto t = first; t != all.end() && of_use(*t); last = t++) {
        if (t->isExpandDisabled() && !means_itself(*t)) return false; // a macro's name in itself: it would be taken for a use
        if (auto const to = files.getExpansionRange(t->getLocation()).getEnd(); files.isBeforeInTranslationUnit(end, to)) end = to;
    }
    auto const name = path_of(file);
    auto const behind =
        files.getFileOffset(end) + clang::Lexer::MeasureTokenLength(end, files, source_.preprocessor().getLangOpts());
    text use{behind,
             words(all, static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(last - all.begin()), begin)};
    use.words += line_breaks_of(files.getBufferData(file).slice(offset, behind));
    auto const [known, is_new] = wanted_[name].try_emplace(offset, use);
    if (!is_new && known->second.words != use.words) return false; // a header that is included twice, and differs
    return true;
}

void macro_uses::put_in(clang::SourceLocation at, std::string const& words) {
    auto const [file, offset] = source_.preprocessor().getSourceManager().getDecomposedLoc(at);
    auto const [known, is_new] = wanted_[path_of(file)].try_emplace(offset, text{offset, words});
    if (!is_new) known->second.words = words + known->second.words;
}

std::string macro_uses::path_of(clang::FileID file) {
    llvm::SmallString<256> path(source_.preprocessor().getSourceManager().getFileEntryForID(file)->getName());
    (void)llvm::sys::fs::make_absolute(path);
    return ids_.try_emplace(path.str().str(), file).first->first;
}

std::map<std::string, std::string> macro_uses::files() const {
    std::map<std::string, std::string> all;
    for (auto const& [name, uses] : wanted_) {
        auto const old = source_.preprocessor().getSourceManager().getBufferData(ids_.at(name));
        std::string text;
        unsigned from = 0;
        for (auto const& [begin, use] : uses) {
            text += old.slice(from, begin).str() + use.words;
            from = use.end;
        }
        all[name] = text + old.substr(from).str();
    }
    return all;
}

} // namespace sode::compiler
