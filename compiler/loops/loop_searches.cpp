// SPDX-License-Identifier: Apache-2.0
// Reductions with locations: in which iteration of a loop each value was found.
#include "compiler/loops/for_loops.hpp"
#include "compiler/loops/loop_heads.hpp"
#include "compiler/loops/loop_writer.hpp"

#include <algorithm>

namespace sode::compiler {

bool loop_writer::nest_to(clang::Stmt const* s, clang::ForStmt const* inner, std::vector<split_loop>& nest) const {
    if (!s) return false;
    auto const before = static_cast<std::ptrdiff_t>(nest.size());
    if (auto const* const f = clang::dyn_cast<clang::ForStmt>(s))
        if (auto const* const v = variable_of(f)) {
            auto const by = step_of(unit_, f, v);
            nest.push_back({f, v->getNameAsString(), by && by->down, {}});
        }
    if (s == inner) return true;
    for (auto const* const child : s->children())
        if (nest_to(child, inner, nest)) return true;
    nest.erase(nest.begin() + before, nest.end());
    return false;
}

void loop_writer::locations() {
    std::ranges::sort(splits_, [&](split_loop const& a, split_loop const& b) {
        return unit_.files.isBeforeInTranslationUnit(a.loop->getForLoc(), b.loop->getForLoc());
    });
    std::vector<split_loop> nest; // with loops around that are not split
    if (!splits_.empty()) (void)nest_to(d_.body, splits_.back().loop, nest);
    bool const ordered = nest.size() == 1 && !splits_[0].down && splits_[0].next.empty() && d_.window.empty();
    for (std::size_t k = 0; !ordered && k < d_.operations.size(); ++k) {
        auto const count = static_cast<std::size_t>(d_.operations[k].locations);
        if (count == 0) continue;
        std::vector<std::string> pieces;
        for (std::size_t n = k; n <= k + count; ++n) {
            auto const variable = unit_.text(d_.items[n]);
            auto& piece = pieces.emplace_back("{&(");
            piece.append(variable).append("),sizeof(").append(variable).append(")}");
        }
        auto const name = emitter::search(d_, k);
        searches_.append("sode_xmp_search ").append(name).append(";sode_xmp_search_begin(&").append(name).append(",");
        searches_.append(std::to_string(nest.size())).append(",").append(std::to_string(pieces.size())).append(",");
        searches_.append(list("sode_piece", pieces)).append(");");
        for (auto& split : splits_) {
            std::vector<std::string> at;
            bool inside = false;
            for (auto const& each : nest) {
                at.push_back(inside ? "INT64_MAX" : (each.down ? "-(int64_t)" : "(int64_t)") + each.name);
                inside = inside || each.loop == split.loop;
            }
            split.before.append("sode_xmp_search_look(&").append(name).append(",").append(list("int64_t", at)).append("),");
        }
        k += count;
    }
    for (auto const& s : splits_)
        if (!s.before.empty() || !s.next.empty())
            (void)unit_.edit(s.loop->getInc()->getSourceRange(),
                             s.before + (s.next.empty() ? unit_.text(s.loop->getInc()) : s.next), "the step of a loop");
}

} // namespace sode::compiler
