// SPDX-License-Identifier: Apache-2.0
// `loop`: the user's loops over global indices, from where this rank's part begins to where it ends.
#include "counted_loops.hpp"
#include "emitter.hpp"
#include "for_loops.hpp"
#include "loop_heads.hpp"
#include "openacc.hpp"
#include "operators.hpp"
#include "shared_loops.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace sode::compiler {

class loop_writer {
public:
    loop_writer(emitter& e, directive const& d) : emitter_(e), unit_(e.unit_), d_(d) {}

    void run() {
        head();
        if (unit_.failed() || !unit_.named(d_, 0) || !d_.body) return;
        auto const threaded = d_.threads ? threads() : std::string{};
        if (unit_.failed()) return;
        std::string const expands = d_.window == "expand" ? "1" : "0";
        if (auto& pragma = emitter_.before_for_[&d_]; std::exchange(emitter_.names_wanted_, false) && !names_.empty())
            pragma.insert(pragma.size() - 3, " copyin(" + names_.substr(1) + ")"); // before the end of _Pragma("...")
        // Nodes that have no iteration take no part in the reduction either.
        auto const has_some = outer_guard_.empty() ? "" : outer_head_ + "if(" + outer_guard_ + "){";
        auto const shared = emitter_.shared_.find(&d_);
        bool const opens = shared != emitter_.shared_.end() && shared->second.opens;
        auto const code = "{" + (unit_.checked ? "sode_xmp_check_begin(" + expands + ");" : "") + has_some + before_ + windows() +
                          (opens ? shared->second.before : "") + head_ + (guard_.empty() ? "" : "if(" + guard_ + ")") + threaded +
                          emitter_.before_for_[&d_];
        if (!names_.empty()) emitter_.names_before_[&d_] = names_;
        unit_.replace(d_, behind_other_pragma(code));
        unit_.insert_behind(d_.body, (d_.window.empty() ? " " : "} ") + (opens ? shared->second.behind : "") +
                                         emitter_.reductions(d_, set_, !searches_.empty()) + (has_some.empty() ? "" : "}") +
                                         (unit_.checked ? "sode_xmp_check_end(" + unit_.place(d_) + "," + expands + ");" : "") +
                                         "}");
        if (iteration_) unit_.insert_behind(iteration_, "}}"); // the last: what is put there later stands before
    }

    // In a compute construct: the head, which stands before the construct.
    std::string run_in_region() {
        head();
        if (unit_.failed() || !unit_.named(d_, 0) || !d_.body) return "";
        if (!d_.window.empty())
            unit_.error(d_.hash, "'" + d_.window + "' does not stand in a compute construct; put the loop around the construct");
        if (!searches_.empty() || d_.threads)
            unit_.error(d_.hash, "locations and the clause 'threads' do not stand in a compute construct; put the loop around it");
        auto const asked = "__sode_q" + std::to_string(d_.number);
        auto const all = guard_ + (guard_.empty() || outer_guard_.empty() ? "" : "&&") + outer_guard_;
        unit_.replace(d_, (all.empty() ? "" : "if(" + asked + ")") + emitter_.before_for_[&d_]);
        if (!all.empty()) {
            head_ += "int const " + asked + "=" + all + ";";
            names_ += "," + asked;
        }
        emitter_.names_before_[&d_] = names_;
        return outer_head_ + before_ + head_;
    }

    // Which of its loops this rank can count through: the references there depend on it.
    void count() {
        auto const* const of = unit_.named(d_, 0);
        if (!of || !d_.body || of->kind == "nodes" || !d_.window.empty() || d_.threads || asks_each()) return;
        auto const* const distribution = unit_.distribution(of);
        if (!distribution || on_device() || region()) return;
        for (std::size_t k = 0; k < d_.on.dims.size(); ++k) {
            auto const& dim = d_.on.dims[k];
            auto const* const index = dim.star || dim.colon ? nullptr : index_in(dim);
            if (!index || distribution->names.front().dims[k].format != "cyclic") continue;
            auto const* const f = loop_over(d_.body, index->getIdentifierInfo());
            auto const* const v = f ? variable_of(f) : nullptr;
            auto const by = v && begin_of(f) ? step_of(unit_, f, v) : std::nullopt;
            auto const condition = by ? binary_of(f->getCond()) : std::nullopt;
            auto const sides =
                condition && clang::BinaryOperator::isComparisonOp(condition->op) ? sides_of(*condition, v) : std::nullopt;
            if (!sides || (by->text != "1" && by->text != "(1)") || mentions_any(begin_of(f)) || mentions_any(sides->bound))
                continue;
            auto const counted = std::make_shared<counted_loop>(emitter_, d_, f, v, k, deals_single(k));
            if (!counted->possible()) continue;
            auto const id = std::to_string(d_.number) + "_" + unit_.directives.spelling(*index);
            counted->find(id, "__sode_f" + id);
            emitter_.counted_.emplace(f, counted);
        }
    }

private:
    bool on_device() const {
        auto const* const inner = clang::dyn_cast<clang::WhileStmt>(d_.body);
        auto const below = inner ? unit_.prefixed.find(inner) : unit_.prefixed.end();
        return d_.region || (below != unit_.prefixed.end() && below->second->openacc);
    }
    void head() {
        auto const* const of = unit_.named(d_, 0);
        if (!of || !d_.body) return;
        device_ = on_device();
        bool const is_nodes = of->kind == "nodes";
        auto const name = (is_nodes ? "__sode_n_" : "__sode_t_") + unit_.directives.spelling(d_.on.name);
        auto const* const distribution = is_nodes ? nullptr : unit_.distribution(of);
        if (d_.on.dims.empty()) return unit_.error(d_.on.name.getLocation(), "a loop is on an index of each dimension: t[i]");
        if (asks_each()) return each_iteration(name, is_nodes);
        unsigned shared = 0; // dimensions along which each iteration is executed by all nodes
        for (std::size_t k = 0; k < d_.on.dims.size(); ++k) {
            auto const& dim = d_.on.dims[k];
            if (dim.colon) shared |= 1U << k;
            if (dim.star || dim.colon) continue;
            auto const share = "__sode_s" + std::to_string(d_.number) + "_" + std::to_string(k);
            asked_ = unit_.place(d_) + "," + name + "," + std::to_string(k);
            auto const shared = emitter_.shared_.find(&d_);
            auto const* const index = index_in(dim);
            if (shared != emitter_.shared_.end() && index && index->getIdentifierInfo() == shared->second.set.index) laid_ = true;
            share_ = "sode_xmp_share const " + share + (d_.window.empty() ? "" : "b") + "=" +
                     emitter_.shared(d_, dim, index,
                                     std::string{"sode_xmp_"} + (is_nodes ? "nodes" : "template") + "_share(" + asked_ + ")") +
                     ";";
            if (!d_.window.empty()) {
                before_ += std::exchange(share_, "");
                windowed(k, share);
            }
            bool const jumps = distribution && distribution->names.front().dims[k].format == "cyclic";
            bool const one_based = is_nodes && !d_.on.square;
            if (jumps && !d_.window.empty())
                return unit_.error(d_.on.name.getLocation(), "'" + d_.window + "' needs blocks, and this dimension is cyclic");
            if (auto const* const variable = index_in(dim)) {
                dims_ |= 1U << k;
                split(*variable, k, share, jumps, one_based);
                continue;
            }
            bool const outside = d_.window.empty();
            auto& guard = outside ? outer_guard_ : guard_;
            (outside ? outer_head_ : head_) += share_;
            guard += std::string{guard.empty() ? "" : "&&"} + "sode_xmp_has(&" + share + ",(" + unit_.text(dim.lower) + ")" +
                     (one_based ? "-1" : "") + ")";
        }
        if (unit_.failed()) return;
        if (auto const found = emitter_.shared_.find(&d_); found != emitter_.shared_.end())
            check_shared_loop(unit_, found->second, d_, laid_);
        locations();
        auto const sharing =
            std::string{"sode_xmp_sharing_"} + (is_nodes ? "nodes(" : "template(") + unit_.place(d_) + "," + name + ",";
        if (shared != 0 && !device_ && meets_others(unit_, d_.body))
            before_ += "sode_xmp_task __sode_k" + std::to_string(d_.number) +
                       " __attribute__((cleanup(sode_xmp_task_leave),unused))=sode_xmp_loop_enter(" + sharing +
                       std::to_string(shared) + "u));";
        before_reductions(sharing);
    }
    void before_reductions(std::string const& sharing) {
        if (unit_.failed() || d_.operations.empty()) return;
        set_ = "__sode_g" + std::to_string(d_.number);
        before_ += "sode_xmp_set*const " + set_ + "=" + sharing + std::to_string(dims_) + "u);" +
                   emitter_.before_reductions(d_, set_) + searches_;
    }

    // Whether the nodes of an iteration are no simple function of its indices: `t[2*i]`, `t[i][i]`, `p[lo[i]:n[i]]`.
    bool asks_each() const {
        std::set<clang::IdentifierInfo const*> seen;
        for (auto const& dim : d_.on.dims) {
            if (dim.colon && dim.lower.given()) return true;
            auto const* const index = dim.star || dim.colon ? nullptr : index_in(dim);
            if (!index) continue;
            if (!seen.insert(index->getIdentifierInfo()).second) return true;
            if (dim.lower.parsed && !follows(dim.lower.parsed, index->getIdentifierInfo())) return true;
        }
        return false;
    }
    // The loop stays, and each iteration asks whether it is this rank's.
    void each_iteration(std::string const& name, bool is_nodes) {
        auto const at = d_.on.name.getLocation();
        if (!d_.window.empty() || device_ || d_.threads)
            return unit_.error(
                at, "this loop is on an index and a constant in each dimension, because of " +
                        (device_ ? std::string{"the compute construct"} : "'" + (d_.threads ? "threads" : d_.window) + "'"));
        clang::ForStmt const* innermost = nullptr;
        bool several = false;
        for (std::size_t k = 0; k < d_.on.dims.size(); ++k) {
            auto const& dim = d_.on.dims[k];
            several = several || dim.colon;
            if (dim.star) continue;
            dims_ |= 1U << k;
            for (auto const& index : d_.indices) {
                bool used = false;
                for (auto const* const part : {&dim.lower, &dim.upper, &dim.step})
                    for (auto const& t : part->words) used = used || t.getIdentifierInfo() == index.getIdentifierInfo();
                auto const* const f = used ? loop_over(d_.body, index.getIdentifierInfo()) : nullptr;
                if (used && !f) return no_loop(index);
                if (f && (!innermost || unit_.files.isBeforeInTranslationUnit(innermost->getForLoc(), f->getForLoc())))
                    innermost = f;
            }
        }
        if (several && !d_.operations.empty())
            return unit_.error(at, "a loop on a range of nodes has no 'reduction': each iteration is executed by several of them");
        for (auto const& o : d_.operations)
            if (o.locations > 0)
                return unit_.error(at, "a reduction with locations needs a loop on an index and a constant in each dimension");
        auto const k = "__sode_k" + std::to_string(d_.number);
        auto const set = emitter_.set(d_, d_.on, unit_.named(d_, 0));
        auto const enter = "{sode_xmp_task " + k + " __attribute__((cleanup(sode_xmp_task_leave)))=sode_xmp_task_enter(" +
                           unit_.place(d_) + "," + set + "," + (several ? "0" : "1") + ");if(" + k + ".in){";
        auto const* const body = innermost ? innermost->getBody() : d_.body;
        unit_.rewriter.InsertTextBefore(unit_.files.getExpansionLoc(body->getBeginLoc()), enter);
        iteration_ = body;
        before_reductions(std::string{"sode_xmp_sharing_"} + (is_nodes ? "nodes(" : "template(") + unit_.place(d_) + "," + name +
                          ",");
    }
    void no_loop(clang::Token const& index) const {
        auto const name = unit_.directives.spelling(index);
        if (auto const* const several = sets_several(d_.body, index.getIdentifierInfo()))
            return unit_.error(several->getBeginLoc(), "a loop that is split declares its index '" + name +
                                                           "' alone; declare other variables before the loop");
        unit_.error(index.getLocation(), "there is no loop over '" + name + "' behind this directive");
        unit_.note(d_.body->getBeginLoc(), "this is what stands there");
    }

    // The compute construct that the loop stands in, unless the loop is the construct's own.
    directive const* region() const {
        return emitter_.before_for_.contains(&d_) && d_.region && is_combined(*d_.region) ? nullptr : d_.region;
    }

    // The clause `threads`: each node's part is shared among threads.
    std::string threads() {
        auto const at = d_.hash;
        auto const* const f = clang::dyn_cast<clang::ForStmt>(d_.body);
        if (!unit_.openmp) unit_.error(at, "the clause 'threads' makes threads of OpenMP: compile with -fopenmp");
        if (!f) unit_.error(at, "the clause 'threads' needs a loop right behind the directive");
        if (f && !splits_.empty() && splits_.front().loop == f && !splits_.front().next.empty())
            return unit_.error(at, "the clause 'threads' needs blocks, and this dimension is cyclic"), "";
        static std::map<std::string, char const*> const names{{"SODE_SUM", "+"},   {"SODE_PRODUCT", "*"}, {"SODE_MAX", "max"},
                                                              {"SODE_MIN", "min"}, {"SODE_BAND", "&"},    {"SODE_BOR", "|"},
                                                              {"SODE_BXOR", "^"},  {"SODE_LAND", "&&"},   {"SODE_LOR", "||"}};
        std::string clauses;
        for (std::size_t k = 0; k < d_.operations.size(); ++k) {
            if (d_.operations[k].locations > 0) return unit_.error(at, "the clause 'threads' is not supported with locations"), "";
            clauses += std::string{" reduction("} + names.at(d_.operations[k].operation) + ":" + unit_.text(d_.items[k]) + ")";
        }
        std::string text;
        for (char const c : "omp parallel for" + clauses + " " + unit_.text(d_.thread_clauses))
            text += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
        return "_Pragma(\"" + text + "\")";
    }
    // A pragma of OpenMP or OpenACC for the same loop, in the line above, must stand before the `for`: the two lines change places.
    std::string behind_other_pragma(std::string const& code) {
        auto const hash = unit_.files.getExpansionLoc(d_.hash);
        auto const text = unit_.files.getBufferData(unit_.files.getFileID(hash));
        auto const line = text.substr(0, unit_.files.getFileOffset(hash)).rfind('\n');
        if (line == llvm::StringRef::npos || line == 0) return code;
        auto const before = text.substr(0, line).rfind('\n');
        auto const first = before == llvm::StringRef::npos ? 0 : before + 1;
        auto const above = text.slice(first, line).trim();
        bool const threads = above.startswith("#pragma omp") && above.contains(" for");
        bool const device = !unit_.directives.accelerators && above.startswith("#pragma acc") && above.contains(" loop");
        if ((!threads && !device) || above.endswith("\\")) return code;
        unit_.rewriter.ReplaceText(
            unit_.files.getLocForStartOfFile(unit_.files.getFileID(hash)).getLocWithOffset(static_cast<int>(first)),
            static_cast<unsigned>(line - first), code);
        return above.str();
    }

    clang::Token const* index_in(dimension const& dim) const {
        for (auto const& t : dim.lower.words)
            for (auto const& i : d_.indices)
                if (t.getIdentifierInfo() && t.getIdentifierInfo() == i.getIdentifierInfo()) return &i;
        return nullptr;
    }

    // A variable in `e` whose declaration is in `body`, except for those of the loops that are split.
    clang::ValueDecl const* declared_in(clang::Stmt const* e, clang::Stmt const* body) const {
        if (!e) return nullptr;
        if (auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(e)) {
            auto const at = r->getDecl()->getLocation();
            auto const split = [&](clang::Token const& i) { return i.getIdentifierInfo() == r->getDecl()->getIdentifier(); };
            if (std::none_of(d_.indices.begin(), d_.indices.end(), split) &&
                !unit_.files.isBeforeInTranslationUnit(at, body->getBeginLoc()) &&
                unit_.files.isBeforeInTranslationUnit(at, body->getEndLoc()))
                return r->getDecl();
        }
        for (auto const* const child : e->children())
            if (auto const* const found = declared_in(child, body)) return found;
        return nullptr;
    }
    // The distribution of dimension k of the template is cyclic without a width, or with 1.
    bool deals_single(std::size_t k) const {
        auto const* const of = unit_.distribution(unit_.named(d_, 0));
        auto const& width = of->names.front().dims[k].lower;
        long value = 1;
        return !width.given() || (emitter_.integer(width, value) && value == 1);
    }
    // Dimension k is not split, and another one that is keeps out ranks that have nothing.
    bool is_whole(std::size_t k) const {
        auto const* const of = unit_.named(d_, 0);
        auto const* const distribution = of->kind == "nodes" ? nullptr : unit_.distribution(of);
        if (!distribution || !distribution->names.front().dims[k].star) return false;
        for (std::size_t j = 0; j < d_.on.dims.size(); ++j)
            if (!distribution->names.front().dims[j].star && index_in(d_.on.dims[j])) return true;
        return false;
    }
    bool mentions_any(clang::Expr const* e) const {
        for (auto const& i : d_.indices)
            if (mentions(e, i.getIdentifierInfo())) return true;
        return false;
    }

    // How far a window reaches beyond what a rank owns, in dimension k.
    std::string below(std::size_t k) const { return "(" + unit_.text(d_.width[k].lower) + ")"; }
    std::string above(std::size_t k) const {
        return "(" + unit_.text(d_.width[k].colon ? d_.width[k].upper : d_.width[k].lower) + ")";
    }
    void windowed(std::size_t k, std::string const& share) {
        head_ += "sode_xmp_share const " + share + "=sode_xmp_window(&" + share + "b," + std::to_string(windows_) + ",__sode_w," +
                 below(k) + "," + above(k) + ");";
        ++windows_;
    }
    // The loop over what is in the middle (0) and the slabs of the rim around it, two for each dimension.
    std::string windows() const {
        if (d_.window.empty()) return "";
        auto const rim = std::to_string(2 * windows_ + 1);
        auto const from = d_.window == "margin" ? "1" : "0", to = d_.window == "expand" ? "1" : rim.c_str();
        return std::string{"for(int __sode_w="} + from + ";__sode_w<" + to + ";__sode_w++){" +
               (d_.async.given() ? "if(__sode_w==1)sode_xmp_wait_async(" + unit_.place(d_) + "," + unit_.text(d_.async) + ");"
                                 : "");
    }

    void split(clang::Token const& index, std::size_t k, std::string const& share, bool jumps, bool one_based) {
        auto const& dim = d_.on.dims[k];
        auto const name = unit_.directives.spelling(index);
        auto const* const f = loop_over(d_.body, index.getIdentifierInfo());
        if (!f) return no_loop(index);
        auto const* const v = variable_of(f);
        auto const by = step_of(unit_, f, v);
        auto const condition = binary_of(f->getCond());
        auto const sides =
            condition && clang::BinaryOperator::isComparisonOp(condition->op) ? sides_of(*condition, v) : std::nullopt;
        if (!by || !sides || condition->op == clang::BO_EQ)
            return unit_.error(f->getForLoc(), "a loop that is split has the form for (i = a; i < b; i += c)");
        if (by->zero) return unit_.error(f->getInc()->getExprLoc(), "this loop stays where it is: its step is 0");
        auto const code = by->down ? ">" : "<";
        bool const inclusive = sides->op == clang::BO_LE || sides->op == clang::BO_GE;
        bool const up = sides->op == clang::BO_LT || sides->op == clang::BO_LE;
        if (sides->op != clang::BO_NE && up == by->down)
            return unit_.error(f->getCond()->getExprLoc(), "this loop goes away from its end");
        bool const unbound = !d_.window.empty() && d_.periodic[k];
        auto const end_text = "(" + unit_.text(sides->bound) + ")" + (inclusive ? by->down ? "-1" : "+1" : "") +
                              (!unbound   ? ""
                               : by->down ? "-" + below(k)
                                          : "+" + above(k));
        auto const offset = "(({SODE_XMP_INDEX(" + name + ",0);(" + unit_.text(dim.lower) + ");})" + (one_based ? "-1" : "") + ")";
        auto const id = std::to_string(d_.number) + "_" + name;
        auto const type = "(" + unit_.spelled(v->getType()) + ")";
        auto const* const begin = begin_of(f);
        if (!begin) return unit_.error(f->getForLoc(), "this loop does not say where it begins");
        auto const common = "(int64_t)(" + by->text + "),__sode_o" + id;
        if (region())
            for (auto const* const e : {begin, sides->bound})
                if (auto const* const inside = declared_in(e, region()->body))
                    return unit_.error(e->getExprLoc(),
                                       "'" + inside->getNameAsString() +
                                           "' is declared in the compute construct, and what is split is computed before it");
        bool const varies = mentions_any(begin) || mentions_any(sides->bound);
        bool const simple = !device_ && !region() && !jumps && d_.window.empty();
        if (simple && is_whole(k)) return splits_.push_back({f, name, by->down, ""}); // as the program has it
        if (simple && !varies) {                                                      // one call, and nothing else to keep
            bool const plain = dim.lower.words.size() == 1;
            auto const part = "__sode_p" + id;
            head_ += "sode_xmp_part const " + part + "=sode_xmp_" +
                     (unit_.named(d_, 0)->kind == "nodes" ? "nodes_part_of(" : "template_part(") + asked_ + "," +
                     unit_.text(begin) + "," + end_text + "," + by->text + "," + (plain ? one_based ? "-1" : "0" : offset) + ");";
            (void)unit_.edit(begin->getSourceRange(), type + part + ".first", "where a loop begins");
            (void)unit_.edit(f->getCond()->getSourceRange(), name + code + type + part + ".end", "the end of a loop");
            return splits_.push_back({f, name, by->down, ""});
        }
        head_ += share_ + "int64_t const __sode_o" + id + "=" + offset + ";";
        // OpenMP and OpenACC want a step that does not change.
        bool const single = jumps && deals_single(k) && (by->text == "1" || by->text == "(1)" || by->text == "-1");
        bool const deals = jumps && (device_ || (unit_.openmp && single && !unit_.checked));
        if (deals && device_ && (varies || !deals_single(k) || (by->text != "1" && by->text != "-1")))
            return unit_.error(f->getForLoc(), "on the device a loop over a cyclic dimension deals out single indices, one after "
                                               "the other; use blocks, or the step 1 and cyclic without a width");
        std::string const on = device_ && varies ? "sode_acc_" : "sode_xmp_";
        if (device_ && varies) names_ += "," + share;
        auto const end_call = on + "end(&" + share + "," + end_text + "," + common + ")";
        auto const end_name = varies ? end_call : "__sode_e" + id;
        auto const first_call = on + "first(&" + share + "," + unit_.text(begin) +
                                (!unbound   ? ""
                                 : by->down ? "+" + above(k)
                                            : "-" + below(k)) +
                                "," + end_name + "," + common + ")";
        names_ += ",__sode_o" + id + (varies ? "" : "," + end_name + ",__sode_f" + id);
        if (!varies) head_ += "int64_t const " + end_name + "=" + end_call + ",__sode_f" + id + "=" + first_call + ";";
        if (auto const found = emitter_.counted_.find(f); found != emitter_.counted_.end()) {
            head_ += found->second->write(share, end_name, "__sode_o" + id);
            return splits_.push_back({f, name, by->down, found->second->step()});
        }
        (void)unit_.edit(begin->getSourceRange(), type + (varies ? first_call : "__sode_f" + id), "where a loop begins");
        (void)unit_.edit(f->getCond()->getSourceRange(), name + code + type + end_name, "the end of a loop");
        std::string next; // what its step becomes
        if (deals) {      // a step that does not vary, as OpenACC wants it
            head_ += "int64_t const __sode_j" + id + "=" + share + ".nodes;";
            names_ += ",__sode_j" + id;
            next = name + (by->down ? "-=" : "+=") + type + "__sode_j" + id;
        } else if (jumps)
            next = name + "=" + type + "sode_xmp_next(&" + share + "," + name + "," + end_name + "," + common + ")";
        splits_.push_back({f, name, by->down, next});
    }

    struct split_loop {
        clang::ForStmt const* loop;
        std::string name;
        bool down;
        std::string next;     // what its step becomes; empty: it stays
        std::string before{}; // what is done before it
    };
    // The loops from `s` to `inner`, from the outside. False: it is not there.
    bool nest_to(clang::Stmt const* s, clang::ForStmt const* inner, std::vector<split_loop>& nest) const {
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
    // The steps of loops, and what they do besides: of equal values firstmax, lastmin, ... want the first or the last
    // iteration's, so it is remembered where each value was found. Upward over blocks of one dimension, ranks are in the order
    // of iterations.
    void locations() {
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
                auto const variable = emitter_.variable(d_.items[n]);
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

    emitter& emitter_;
    unit& unit_;
    directive const& d_;
    clang::Stmt const* iteration_ = nullptr; // which asks whether it is this rank's
    std::string outer_head_, outer_guard_;   // whether this rank has any iteration
    std::string before_, head_, guard_, set_, searches_;
    std::string asked_, share_; // of the dimension at hand: what is asked, and what declares the answer
    std::string names_;         // variables of the head that the loop itself reads, each behind a comma
    bool device_ = false;       // the loop runs on the device
    bool laid_ = false;         // `layout` names an index that is split
    std::vector<split_loop> splits_;
    int windows_ = 0;
    unsigned dims_ = 0;
};

void emitter::count_loops() {
    for (auto const& d : unit_.directives.directives)
        if (d->kind == "loop" && !d->wrong && !d->openacc && !d->rides) loop_writer{*this, *d}.count();
}

std::string emitter::loop_in_region(directive const& d) {
    written_.insert(&d);
    return loop_writer{*this, d}.run_in_region();
}

void emitter::loop(directive const& d) {
    if (written_.contains(&d)) return;
    loop_writer{*this, d}.run();
}

} // namespace sode::compiler
