// SPDX-License-Identifier: Apache-2.0
// `loop`: the user's loops over global indices, from where this rank's part begins to where it ends.
#include "compiler/accelerators/shared_loops.hpp"
#include "compiler/directives/openacc.hpp"
#include "compiler/loops/counted_loops.hpp"
#include "compiler/loops/for_loops.hpp"
#include "compiler/loops/loop_heads.hpp"
#include "compiler/loops/loop_reach.hpp"
#include "compiler/loops/loop_writer.hpp"
#include "compiler/unit/operators.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace sode::compiler {

void loop_writer::run() {
    head();
    if (unit_.failed() || !unit_.named(d_, 0) || !d_.body) return;
    auto const threaded = d_.threads ? threads() : std::string{};
    if (auto const* const f = clang::dyn_cast<clang::ForStmt>(d_.body)) {
        copies_of_pragmas(f);
        declare_copies(f);
    }
    if (unit_.failed()) return;
    auto const may_widen = [&](expression const& e) { return e.given() && unit_.constant(e).value_or(1) > 0; };
    auto const widens = [&](dimension const& width) { return may_widen(width.lower) || may_widen(width.upper); };
    std::string const expands = !d_.window.empty() && std::ranges::any_of(d_.width, widens) ? "1" : "0";
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
    unit_.insert_behind(d_.body, (d_.window.empty() ? " " : "} ") + stored_ + (opens ? shared->second.behind : "") +
                                     emitter_.reductions(d_, set_, !searches_.empty()) + (has_some.empty() ? "" : "}") +
                                     (unit_.checked ? "sode_xmp_check_end(" + unit_.place(d_) + "," + expands + ");" : "") + "}");
    if (iteration_) unit_.insert_behind(iteration_, "}}"); // the last: what is put there later stands before
}

std::string loop_writer::run_in_region() {
    head();
    if (unit_.failed() || !unit_.named(d_, 0) || !d_.body) return "";
    if (!d_.window.empty())
        unit_.error(d_.hash, "'" + d_.window + "' is not allowed in a compute construct; put the loop around the construct");
    if (!searches_.empty() || d_.threads)
        unit_.error(d_.hash, "locations and the clause 'threads' are not allowed in a compute construct; put the loop around it");
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

void loop_writer::count() {
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
        if (!sides || (by->text != "1" && by->text != "(1)") || mentions_any(begin_of(f)) || mentions_any(sides->bound)) continue;
        auto const counted = std::make_shared<counted_loop>(emitter_, d_, f, v, k, deals_single(k));
        if (!counted->possible()) continue;
        auto const id = std::to_string(d_.number) + "_" + unit_.directives.spelling(*index);
        counted->find(id, "__sode_f" + id);
        emitter_.counted_.emplace(f, counted);
    }
}

bool loop_writer::on_device() const {
    auto const* const inner = clang::dyn_cast<clang::WhileStmt>(d_.body);
    auto const below = inner ? unit_.prefixed.find(inner) : unit_.prefixed.end();
    return d_.region || (below != unit_.prefixed.end() && below->second->openacc);
}

void loop_writer::head() {
    auto const* const of = unit_.named(d_, 0);
    if (!of || !d_.body) return;
    device_ = on_device();
    bool const is_nodes = of->kind == "nodes";
    auto const name = (is_nodes ? "__sode_n_" : "__sode_t_") + unit_.directives.spelling(d_.on.name);
    auto const* const distribution = is_nodes ? nullptr : unit_.distribution(of);
    if (d_.on.dims.empty()) return unit_.error(d_.on.name.getLocation(), "a loop needs an index for each dimension: t[i]");
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
            return unit_.error(d_.on.name.getLocation(),
                               "'" + d_.window +
                                   "' needs blocks, and this dimension is cyclic; distribute it by block or gblock, or leave '" +
                                   d_.window + "' out");
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
    if (!device_ && (shared != 0 ? meets_others(unit_, d_.body) : does_together(unit_, d_.body))) // 0: each node alone
        before_ += "sode_xmp_task __sode_k" + std::to_string(d_.number) +
                   " __attribute__((cleanup(sode_xmp_task_leave),unused))=sode_xmp_loop_enter(sode_xmp_of_task(" + sharing +
                   std::to_string(shared) + "u)));";
    before_reductions(sharing);
}

void loop_writer::before_reductions(std::string const& sharing) {
    if (unit_.failed() || d_.operations.empty()) return;
    set_ = "__sode_g" + std::to_string(d_.number);
    // volatile: in memory. Kept over the loop, it costs Himeno's a register and 4 % (docs/decisions/0103).
    before_ += "sode_xmp_set*const volatile " + set_ + "=sode_xmp_of_task(" + sharing + std::to_string(dims_) + "u));" +
               emitter_.before_reductions(d_, set_) + searches_;
}

void loop_writer::no_loop(clang::Token const& index) const {
    auto const name = unit_.directives.spelling(index);
    if (auto const* const several = sets_several(d_.body, index.getIdentifierInfo()))
        return unit_.error(several->getBeginLoc(), "a loop that nodes share must declare its index '" + name +
                                                       "' alone; declare other variables before the loop");
    unit_.error(index.getLocation(),
                "there is no loop over '" + name + "' after this directive; name the index of a loop below it");
    unit_.note(d_.body->getBeginLoc(), "the directive is followed by this");
}

directive const* loop_writer::region() const {
    return emitter_.before_for_.contains(&d_) && d_.region && is_combined(*d_.region) ? nullptr : d_.region;
}

clang::Token const* loop_writer::index_in(dimension const& dim) const {
    for (auto const& t : dim.lower.words)
        for (auto const& i : d_.indices)
            if (t.getIdentifierInfo() && t.getIdentifierInfo() == i.getIdentifierInfo()) return &i;
    return nullptr;
}

clang::ValueDecl const* loop_writer::set_in(clang::Stmt const* e, clang::Stmt const* body) const {
    if (!e) return nullptr;
    if (auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(e)) {
        auto const at = r->getDecl()->getLocation();
        auto const split = [&](clang::Token const& i) { return i.getIdentifierInfo() == r->getDecl()->getIdentifier(); };
        bool const declared = !unit_.files.isBeforeInTranslationUnit(at, body->getBeginLoc()) &&
                              unit_.files.isBeforeInTranslationUnit(at, body->getEndLoc());
        if (std::none_of(d_.indices.begin(), d_.indices.end(), split) && (declared || assigned_in(body, r->getDecl())))
            return r->getDecl();
    }
    for (auto const* const child : e->children())
        if (auto const* const found = set_in(child, body)) return found;
    return nullptr;
}

bool loop_writer::deals_single(std::size_t k) const {
    auto const* const of = unit_.distribution(unit_.named(d_, 0));
    auto const& width = of->names.front().dims[k].lower;
    long value = 1;
    return !width.given() || (emitter_.integer(width, value) && value == 1);
}

bool loop_writer::is_whole(std::size_t k) const {
    auto const* const of = unit_.named(d_, 0);
    auto const* const distribution = of->kind == "nodes" ? nullptr : unit_.distribution(of);
    if (!distribution || !distribution->names.front().dims[k].star) return false;
    for (std::size_t j = 0; j < d_.on.dims.size(); ++j)
        if (!distribution->names.front().dims[j].star && index_in(d_.on.dims[j])) return true;
    return false;
}

bool loop_writer::mentions_any(clang::Expr const* e) const {
    return std::ranges::any_of(d_.indices, [e](auto const& i) { return mentions(e, i.getIdentifierInfo()); });
}

std::string loop_writer::above(std::size_t k) const {
    return "(" + unit_.text(d_.width[k].colon ? d_.width[k].upper : d_.width[k].lower) + ")";
}

void loop_writer::windowed(std::size_t k, std::string const& share) {
    head_ += "sode_xmp_share const " + share + "=sode_xmp_window(&" + share + "b," + std::to_string(windows_) + ",__sode_w," +
             below(k) + "," + above(k) + ");";
    ++windows_;
}

std::string loop_writer::windows() const {
    if (d_.window.empty()) return "";
    std::string code = "for(int __sode_w=";
    code.append(d_.window == "margin" ? "1" : "0").append(";__sode_w<");
    code.append(d_.window == "expand" ? "1" : std::to_string(2 * windows_ + 1)).append(";__sode_w++){");
    if (d_.async.given()) code += "if(__sode_w==1)sode_xmp_wait_async(" + unit_.place(d_) + "," + unit_.text(d_.async) + ");";
    return code;
}

void loop_writer::split(clang::Token const& index, std::size_t k, std::string const& share, bool jumps, bool one_based) {
    auto const& dim = d_.on.dims[k];
    auto const name = unit_.directives.spelling(index);
    auto const* const f = loop_over(d_.body, index.getIdentifierInfo());
    if (!f) return no_loop(index);
    auto const* const v = variable_of(f);
    auto const by = step_of(unit_, f, v);
    auto const condition = binary_of(f->getCond());
    auto const sides = condition && clang::BinaryOperator::isComparisonOp(condition->op) ? sides_of(*condition, v) : std::nullopt;
    if (!by || !sides || condition->op == clang::BO_EQ)
        return unit_.error(f->getForLoc(), "a loop that nodes share must have the form for (i = a; i < b; i += c)");
    if (by->zero) return unit_.error(f->getInc()->getExprLoc(), "the step of this loop is 0; write a step above or below 0");
    if (!d_.window.empty()) loop_reach{emitter_, d_}.check(v, k);
    auto const code = by->down ? ">" : "<";
    bool const inclusive = sides->op == clang::BO_LE || sides->op == clang::BO_GE;
    bool const up = sides->op == clang::BO_LT || sides->op == clang::BO_LE;
    if (sides->op != clang::BO_NE && up == by->down)
        return unit_.error(f->getCond()->getExprLoc(),
                           "this loop never reaches its end: its step has the wrong sign; change the step or the comparison");
    bool const unbound = !d_.window.empty() && d_.periodic[k];
    auto const end_text = "(" + unit_.text(sides->bound) + ")" + (inclusive ? by->down ? "-1" : "+1" : "") +
                          (!unbound   ? ""
                           : by->down ? "-" + below(k)
                                      : "+" + above(k));
    auto const offset = "(({SODE_XMP_INDEX(" + name + ",0);(" + unit_.text(dim.lower) + ");})" + (one_based ? "-1" : "") + ")";
    auto const id = std::to_string(d_.number) + "_" + name;
    auto const type = "(" + unit_.spelled(v->getType()) + ")";
    auto const* const begin = begin_of(f);
    if (!begin)
        return unit_.error(f->getForLoc(), "this loop does not set its index at the start; write for (i = a; i < b; i += c)");
    auto const common = "(int64_t)(" + by->text + "),__sode_o" + id;
    if (auto const* const inside = region() ? set_in(dim.lower.parsed, region()->body) : nullptr)
        return unit_.error(
            dim.lower.words.front().getLocation(),
            "'" + inside->getNameAsString() +
                "' gets its value in the compute construct, but the indices of each node are computed before the construct; "
                "compute it before the construct");
    bool const in_kernel = region() && (set_in(begin, region()->body) || set_in(sides->bound, region()->body));
    bool const varies = mentions_any(begin) || mentions_any(sides->bound) || in_kernel;
    bool const simple = !device_ && !region() && !jumps && d_.window.empty();
    if (simple && is_whole(k)) return splits_.push_back({f, name, by->down, ""}); // as the program has it
    if (simple && !varies) {                                                      // one call, and nothing else to keep
        bool const plain = dim.lower.words.size() == 1;
        auto const part = "__sode_p" + id;
        head_ += "sode_xmp_part const " + part + "=sode_xmp_" +
                 (unit_.named(d_, 0)->kind == "nodes" ? "nodes_part_of(" : "template_part(") + asked_ + "," + unit_.text(begin) +
                 "," + end_text + "," + by->text + "," + (plain ? one_based ? "-1" : "0" : offset) + ");";
        (void)unit_.edit(begin->getSourceRange(), type + part + ".first", "where a loop begins");
        (void)unit_.edit(f->getCond()->getSourceRange(), name + code + type + part + ".end", "the end of a loop");
        return splits_.push_back({f, name, by->down, ""});
    }
    head_ += share_ + "int64_t const __sode_o" + id + "=" + offset + ";";
    // OpenMP and OpenACC want a step that does not change.
    bool const single = jumps && deals_single(k) && by->single;
    bool const searches = std::ranges::any_of(d_.operations, [](auto const& o) { return o.locations > 0; });
    if (jumps && unit_.openmp && !unit_.checked && !device_ && !single && !varies && by->single && !searches) {
        numbered(f, v, by->down, id, share, unit_.text(begin), end_text);
        return splits_.push_back({f, name, by->down, "++__sode_l" + id});
    }
    if (jumps && unit_.openmp && !device_ && (!single || unit_.checked) && shared_by_threads(f))
        return unit_.error(f->getForLoc(),
                           "threads cannot share this loop over a cyclic dimension (they can with the step 1 or -1, "
                           "bounds without other indices of the directive, no locations, and no -fsode-check)");
    bool const deals = jumps && (device_ || (unit_.openmp && single && !unit_.checked));
    if (deals && device_ && (varies || !deals_single(k) || !by->single))
        return unit_.error(f->getForLoc(), "on the device, sode cc does not support this loop over a cyclic dimension; use blocks, "
                                           "or cyclic without a width and a loop with step 1");
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
    splits_.push_back({f, name, by->down, next, next.empty() || deals});
}

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
