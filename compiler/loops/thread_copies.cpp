// SPDX-License-Identifier: Apache-2.0
// Coarrays that threads combine. OpenMP wants a variable's name in `reduction`, and a coarray is what a pointer points to: so
// threads combine a copy, and in the loop's body that pointer points to each thread's own one.
#include "compiler/arrays/coarrays.hpp"
#include "compiler/loops/loop_writer.hpp"

#include <algorithm>
#include <cctype>

namespace sode::compiler {
namespace {

bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

} // namespace

std::string loop_writer::copy_of(std::string const& name) {
    auto const named = [&](auto const& c) { return c.first->getNameAsString() == name; };
    auto const found = std::ranges::find_if(unit_.coarrays, named);
    if (found == unit_.coarrays.end()) return name;
    auto const* const v = found->first;
    if (v->getType()->isArrayType() || !unit::scope_of(v->getDeclContext()).empty()) {
        unit_.error(d_.hash, "threads cannot combine the coarray '" + name +
                                 "' (they can if it is a single number outside of namespaces); combine a variable of the "
                                 "program, and assign it after the loop");
        return name;
    }
    copies_[name] = v;
    return copy_name(name);
}

std::string loop_writer::with_copies(std::string const& pragma) {
    std::string text, word;
    int depth = 0, inside = 0; // the depth of brackets, and that in `reduction`
    bool behind_colon = false;
    auto const end_word = [&] {
        if (word == "reduction" && inside == 0) inside = depth + 1;
        text += inside > 0 && behind_colon ? copy_of(word) : word;
        word.clear();
    };
    for (char const c : pragma) {
        if (in_word(c)) {
            word += c;
            continue;
        }
        end_word();
        text += c;
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == ':' && depth == inside) behind_colon = true;
        if (c == ')' && depth < inside) inside = 0, behind_colon = false;
    }
    end_word();
    return text;
}

void loop_writer::copies_of_pragmas(clang::ForStmt const* f) {
    if (!unit_.openmp || f->getForLoc().isMacroID() || d_.hash.isMacroID()) return;
    auto const& files = unit_.files;
    auto const file = files.getFileID(f->getForLoc());
    auto const start = files.getLocForStartOfFile(file);
    auto above = files.getBufferData(file).substr(0, files.getFileOffset(f->getForLoc())).rtrim();
    for (; !above.empty(); above = above.rtrim()) {
        auto const line = above.substr(above.rfind('\n') + 1);
        auto const begin = static_cast<unsigned>(above.size() - line.size()), end = static_cast<unsigned>(above.size());
        if (!line.ltrim().startswith("#pragma")) return;
        auto const text = line.ltrim().startswith("#pragma omp") ? with_copies(line.str()) : line.str();
        bool const below = files.getFileID(d_.hash) == file && files.getFileOffset(d_.hash) < begin; // else behind_other_pragma()
        if (text != line && below)
            unit_.edits.replace(
                {{start.getLocWithOffset(static_cast<int>(begin)), start.getLocWithOffset(static_cast<int>(end))}, false}, text);
        above = above.substr(0, begin);
    }
}

void loop_writer::declare_copies(clang::ForStmt const* f) {
    for (auto const& [name, v] : copies_) {
        auto const type = unit_.spelled(v->getType()), copy = copy_name(name), once = copy + "_once";
        before_ += type + " " + copy + "=" + coarray_pointer(v) + ";";
        unit_.insert_before(f->getBody(), "for(" + type + " *const __sode_c_" + name + " __attribute__((unused))=&" + copy + ",*" +
                                              once + "=&" + copy + ";" + once + ";" + once + "=0)");
        stored_ += coarray_pointer(v) + "=" + copy + ";";
    }
}

} // namespace sode::compiler
