// SPDX-License-Identifier: Apache-2.0
// Pragmas of OpenMP and OpenACC for a loop that nodes share, and the clause `threads`.
#include "compiler/loops/loop_writer.hpp"
#include "compiler/unit/quoted.hpp"

#include <map>

namespace sode::compiler {

std::string loop_writer::threads() {
    auto const at = d_.hash;
    auto const* const f = clang::dyn_cast<clang::ForStmt>(d_.body);
    if (!unit_.openmp) unit_.error(at, "the clause 'threads' needs OpenMP; compile with -fopenmp");
    if (!f) unit_.error(at, "the clause 'threads' needs a loop directly after the directive; write the 'for' in the next line");
    if (f && !splits_.empty() && splits_.front().loop == f && !splits_.front().steady)
        return unit_.error(at, "the clause 'threads' needs blocks, or the step 1 (this dimension is cyclic)"), "";
    static std::map<std::string, char const*> const names{{"SODE_SUM", "+"},   {"SODE_PRODUCT", "*"}, {"SODE_MAX", "max"},
                                                          {"SODE_MIN", "min"}, {"SODE_BAND", "&"},    {"SODE_BOR", "|"},
                                                          {"SODE_BXOR", "^"},  {"SODE_LAND", "&&"},   {"SODE_LOR", "||"}};
    std::string clauses;
    for (std::size_t k = 0; k < d_.operations.size(); ++k) {
        if (d_.operations[k].locations > 0)
            return unit_.error(at, "the clause 'threads' is not supported with locations; leave it out, or reduce the value alone"),
                   "";
        auto const* const named = clang::dyn_cast<clang::DeclRefExpr>(d_.items[k].parsed->IgnoreParenImpCasts());
        bool const coarray = named && unit_.is_coarray(named->getDecl());
        auto const copied = coarray ? copy_of(named->getDecl()->getNameAsString()) : unit_.text(d_.items[k]);
        clauses += std::string{" reduction("} + names.at(d_.operations[k].operation) + ":" + copied + ")";
    }
    return "_Pragma(" + quoted("omp parallel for" + clauses + " " + unit_.text(d_.thread_clauses)) + ")";
}

bool loop_writer::shared_by_threads(clang::ForStmt const* f) const {
    auto const at = unit_.files.getExpansionLoc(f->getForLoc());
    auto above = unit_.files.getBufferData(unit_.files.getFileID(at)).substr(0, unit_.files.getFileOffset(at)).rtrim();
    for (;; above = above.rtrim()) { // the lines above, as long as they are pragmas
        auto const line = above.substr(above.rfind('\n') + 1).trim();
        if (!line.startswith("#pragma")) return false;
        if (line.startswith("#pragma omp") && line.contains(" for")) return true;
        if (above.rfind('\n') == llvm::StringRef::npos) return false;
        above = above.substr(0, above.rfind('\n'));
    }
}

void loop_writer::numbered(clang::ForStmt const* f, clang::VarDecl const* v, bool down, std::string const& id,
                           std::string const& share, std::string const& begin, std::string const& end) {
    auto const number = "__sode_l" + id, count = "__sode_m" + id, low = "__sode_f" + id, once = "__sode_y" + id;
    auto const offset = ",__sode_o" + id + ")", type = unit_.spelled(v->getType()), name = v->getNameAsString();
    head_ += "int64_t const " + low + "=" + (down ? end + "+1" : begin) + "," + count + "=sode_xmp_dealt(&" + share + "," + low +
             "," + (down ? begin + "+1" : end) + offset + ";";
    bool const declares = clang::isa<clang::DeclStmt>(f->getInit());
    if (!declares) head_ += "(void)" + name + ";";
    (void)unit_.edit(f->getInit()->getSourceRange(), "int64_t " + number + "=0" + (declares ? ";" : ""), "where a loop begins");
    (void)unit_.edit(f->getCond()->getSourceRange(), number + "<" + count, "the end of a loop");
    unit_.insert_before(f->getBody(), "for(" + type + " " + name + " __attribute__((unused))=(" + type + ")sode_xmp_dealt_index(&" +
                                          share + "," + low + "," + (down ? count + "-1-" : "") + number + offset + "," + once +
                                          "=1;" + once + ";" + once + "=0)");
}

std::string loop_writer::behind_other_pragma(std::string const& code) {
    auto const hash = unit_.files.getExpansionLoc(d_.hash);
    auto const text = unit_.files.getBufferData(unit_.files.getFileID(hash));
    auto const at = unit_.files.getFileOffset(hash);
    auto const start = unit_.files.getLocForStartOfFile(unit_.files.getFileID(hash));
    auto const put = [&](std::size_t from, std::size_t to, std::string const& instead) {
        unit_.edits.replace({{start.getLocWithOffset(static_cast<int>(from)), start.getLocWithOffset(static_cast<int>(to))}, false},
                            instead);
    };
    // Whether it is for the loop, and must stand right above that.
    auto const shares_loop = [&](llvm::StringRef pragma) {
        return (pragma.startswith("omp") && pragma.contains(" for")) ||
               (!unit_.directives.accelerators && pragma.startswith("acc") && pragma.contains(" loop"));
    };
    if (text[at] == '_') { // _Pragma("omp ...") _Pragma("xmp ...")
        auto const before = text.substr(0, at).rtrim();
        auto const begin = before.endswith("\")") ? before.rfind("_Pragma(") : llvm::StringRef::npos;
        auto const above = begin == llvm::StringRef::npos ? llvm::StringRef{} : before.substr(begin);
        auto words = above;
        if (!words.consume_front("_Pragma(\"") || !shares_loop(words)) return code;
        put(begin, begin + above.size(), code);
        return with_copies(above.str());
    }
    auto const line = text.substr(0, at).rfind('\n');
    if (line == llvm::StringRef::npos || line == 0) return code;
    auto const before = text.substr(0, line).rfind('\n');
    auto const first = before == llvm::StringRef::npos ? 0 : before + 1;
    auto const above = text.slice(first, line).trim();
    auto words = above;
    if (!words.consume_front("#pragma ") || !shares_loop(words) || above.endswith("\\")) return code;
    put(first, line, code);
    return above.startswith("#pragma omp") ? with_copies(above.str()) : above.str();
}

} // namespace sode::compiler
