// SPDX-License-Identifier: Apache-2.0
// task, barrier, reflect, reduction, bcast, gmove, and what images tell each other.
#include "compiler/arrays/sections.hpp"

namespace sode::compiler {
namespace {

// The type of what a directive names, where it is not known yet.
std::string type_of(unit const& u, expression const& item) {
    auto const [subscripts, root] = subscripts_of(item.parsed->IgnoreParenImpCasts());
    if (!has_section(item.parsed)) return "decltype(" + u.text(item) + ")";
    auto element = u.text(root);
    for (std::size_t k = 0; k < subscripts.size(); ++k) element += "[0]";
    return "decltype(" + element + ")";
}

// A directive is one statement, also below an `if` without braces.
std::string one_statement(std::string const& code) {
    return "{" + code + "}";
}

} // namespace

std::string emitter::set(directive const& d, reference const& r, directive const* of) const {
    if (r.stars > 0) return r.stars == 1 ? "sode_xmp_among_executing()" : "sode_xmp_among_all()";
    if (!of) return "0";
    bool const nodes = of->kind == "nodes";
    return std::string{nodes ? "sode_xmp_among_nodes(" : "sode_xmp_among_template("} + unit_.place(d) + "," +
           (nodes ? "__sode_n_" : "__sode_t_") + unit_.directives.spelling(r.name) + "," + list("sode_range", ranges(r, *of)) + ")";
}

void emitter::task(directive const& d) {
    auto const name = "__sode_k" + std::to_string(d.number);
    auto const found = task_sets_.find(&d);
    unit_.replace(d, "{sode_xmp_task " + name + " __attribute__((cleanup(sode_xmp_task_leave)))=sode_xmp_task_enter(" +
                         unit_.place(d) + "," + (found != task_sets_.end() ? found->second : set(d, d.on, unit_.on_of(d))) + "," +
                         (d.alone ? "1" : "0") + ");if(" + name + ".in){");
    unit_.insert_behind(d.body, "}}");
}

// Which nodes execute each of the tasks is asked before the first one begins.
void emitter::tasks(directive const& d) {
    std::string sets;
    for (auto const* const s : clang::cast<clang::CompoundStmt>(d.body)->body()) {
        auto const found = unit_.prefixed.find(s);
        if (found == unit_.prefixed.end()) continue;
        auto const& one = *found->second;
        auto const name = "__sode_g" + std::to_string(one.number);
        sets.append("sode_xmp_set *const ").append(name).append("=").append(set(one, one.on, unit_.on_of(one))).append(";");
        task_sets_[&one] = name;
    }
    unit_.replace(d, "{" + sets);
    unit_.insert_behind(d.body, "}");
}

void emitter::wait_async(directive const& d) {
    std::string code;
    for (auto const& item : d.items) code += "sode_xmp_wait_async(" + unit_.place(d) + "," + unit_.text(item) + ");";
    if (d.has_on) code = "if(sode_xmp_within(" + set(d, d.on, unit_.on_of(d)) + "))" + one_statement(code);
    unit_.replace(d, one_statement(code));
}

void emitter::barrier(directive const& d) {
    unit_.replace(d, std::string{on_device(d) ? "sode_acc_barrier(" : "sode_xmp_barrier("} + unit_.place(d) + "," +
                         (d.has_on ? set(d, d.on, unit_.on_of(d)) : "0") + ");");
}

void emitter::reflect(directive const& d) {
    std::string code;
    for (auto const& item : d.items) {
        auto const* const a = unit_.array(item.parsed);
        if (!a) continue;
        std::vector<std::string> width, periodic;
        for (std::size_t k = 0; k < d.width.size(); ++k) {
            width.push_back(unit_.text(d.width[k].lower));
            width.push_back(unit_.text(d.width[k].colon ? d.width[k].upper : d.width[k].lower));
            periodic.emplace_back(d.periodic[k] ? "1" : "0");
        }
        auto const how = unit_.place(d) + ",&" + a->state() + "," +
                         (width.empty() ? "0,0" : list("int64_t", width) + "," + list("int", periodic)) + "," +
                         (d.orthogonal ? "1" : "0");
        std::string const face = on_device(d) ? "sode_acc_" : "sode_xmp_";
        if (d.kind == "reflect_do")
            code += face + (d.async.given() ? "reflect_do_async(" : "reflect_do(") + unit_.place(d) + ",&" + a->state() +
                    (d.async.given() ? "," + unit_.text(d.async) : "") + ");";
        else if (d.async.given() && d.kind == "reflect")
            code += face + "reflect_async(" + how + "," + unit_.text(d.async) + ");";
        else
            code += face + d.kind + "(" + how + ");" +
                    (d.async.given() ? "(void)(" + unit_.text(d.async) + ");" : ""); // it is over at once
    }
    unit_.replace(d, one_statement(code));
}

// A loop's variables begin with what is neutral, on all nodes but one.
std::string emitter::before_reductions(directive const& d, std::string const& set) const {
    std::string code;
    for (std::size_t k = 0; k < d.operations.size(); k += 1 + static_cast<std::size_t>(d.operations[k].locations)) {
        auto const& how = d.operations[k];
        std::string const op = how.operation;
        auto const type =
            summand_code(unit_.ast, unit_.ast.getBaseElementType(d.items[k].parsed->getType()), op, type_of(unit_, d.items[k]));
        if (how.locations > 0 || (op != "SODE_SUM" && op != "SODE_PRODUCT" && op != "SODE_BXOR")) continue;
        auto const named = memory(d, d.items[k]);
        auto const& [address, bytes, before, behind, part] = named;
        code += named.required(unit_.place(d), set) + before +
                (on_device(d) && before.empty() ? "sode_acc_reduce_begin(" : "sode_xmp_reduce_begin(") + unit_.place(d) + "," +
                set + "," + op + "," + address + "," + bytes + "/(" + type + ">>8)," + type + ");" + behind;
    }
    return code;
}

std::string emitter::reductions(directive const& d, std::string const& set, bool searched) const {
    std::string code;
    for (std::size_t k = 0; k < d.operations.size(); ++k) {
        auto const& item = d.items[k];
        auto const& how = d.operations[k];
        auto type = item.parsed->getType();
        auto const of = unit_.ast.getBaseElementType(type);
        auto const code_of = summand_code(unit_.ast, of, how.operation, type_of(unit_, item));
        if (code_of.starts_with("SODE_BYTES")) {
            unit_.error(item.words.front().getLocation(),
                        "'" + unit_.original(item.parsed) + "' is " +
                            (of->isAnyComplexType()
                                 ? unit_.spelled(of) + ", which only + can reduce; reduce its real and imaginary parts"
                                 : "not a number and cannot be reduced; name its numbers"));
            continue;
        }
        if (auto const* const array = unit_.array(item.parsed)) {
            code += std::string{on_device(d) ? "sode_acc_reduce_array(" : "sode_xmp_reduce_array("} + unit_.place(d) + "," + set +
                    "," + how.operation + ",&" + array->state() + ");" +
                    (d.async.given() ? "(void)(" + unit_.text(d.async) + ");" : ""); // it is over at once
            continue;
        }
        auto const named = memory(d, item);
        auto const& [address, count, before, behind, part] = named;
        code += named.required(unit_.place(d), set);
        auto const head = unit_.place(d) + "," + set + "," + how.operation + "," + address;
        if (how.locations == 0) {
            auto const values = head + "," + count + "/(" + code_of + ">>8)," + code_of;
            bool const there = on_device(d) && before.empty();
            std::string const face = there ? "sode_acc_" : "sode_xmp_";
            bool const goes_on = d.kind == "reduction" && d.async.given() && before.empty();
            if (d.async.given() && !before.empty()) code += "(void)(" + unit_.text(d.async) + ");"; // over at once
            code += before + face + (goes_on ? "reduce_async(" : "reduce(") + values +
                    (goes_on ? "," + unit_.text(d.async)
                     : there ? d.kind == "reduction" ? ",1" : ",0"
                             : "") +
                    ");" + behind;
            continue;
        }
        if (searched) {
            code += "sode_xmp_reduce_searched(" + head + "," + code_of + "," + (how.last ? "1" : "0") + ",&" + search(d, k) + ");";
            k += static_cast<std::size_t>(how.locations);
            continue;
        }
        std::vector<std::string> where;
        for (int n = 1; n <= how.locations; ++n) {
            auto const name = unit_.text(d.items[k + static_cast<std::size_t>(n)]);
            where.push_back("{&(" + name + "),sizeof(" + name + ")}");
        }
        code += "sode_xmp_reduce_located(" + head + "," + code_of + "," + (how.last ? "1" : "0") + "," +
                std::to_string(how.locations) + "," + list("sode_piece", where) + ");";
        k += static_cast<std::size_t>(how.locations);
    }
    return code;
}

void emitter::reduction(directive const& d) {
    unit_.replace(d, one_statement(reductions(d, d.has_on ? set(d, d.on, unit_.on_of(d)) : "0")));
}

void emitter::bcast(directive const& d) {
    auto const on = d.has_on ? set(d, d.on, unit_.on_of(d)) : "0";
    auto const from = d.has_from ? set(d, d.from, unit_.from_of(d)) : "0";
    std::string code;
    for (auto const& item : d.items) {
        if (auto const* const array = unit_.array(item.parsed)) {
            code += std::string{on_device(d) ? "sode_acc_bcast_array(" : "sode_xmp_bcast_array("} + unit_.place(d) + "," + on +
                    "," + from + ",&" + array->state() + ");" + (d.async.given() ? "(void)(" + unit_.text(d.async) + ");" : "");
            continue;
        }
        auto const named = memory(d, item);
        auto const& [address, bytes, before, behind, part] = named;
        code += named.required(unit_.place(d), on);
        auto const what = unit_.place(d) + "," + on + "," + from + "," + address + "," + bytes;
        bool const goes_on = d.async.given() && before.empty();
        if (d.async.given() && !goes_on) code += "(void)(" + unit_.text(d.async) + ");"; // over at once
        code += before + (on_device(d) && before.empty() ? "sode_acc_bcast" : "sode_xmp_bcast") +
                (goes_on ? "_async(" + what + "," + unit_.text(d.async) + ");" : "(" + what + ");") + behind;
    }
    unit_.replace(d, one_statement(code));
}

namespace {

// How many subscripts a type takes before another pointer comes: T (*)[n] takes two.
std::size_t subscripts_taken(clang::ASTContext const& ast, clang::QualType type) {
    std::size_t count = 0;
    if (type->isPointerType()) {
        ++count;
        type = type->getPointeeType();
    }
    for (; ast.getAsArrayType(type); type = ast.getAsArrayType(type)->getElementType()) ++count;
    return count;
}

} // namespace

// One side of a gmove, as the initializer of a variable.
std::string emitter::side(std::string const& name, clang::Expr const* e) const {
    auto [subscripts, root] = subscripts_of(e);
    e = root->IgnoreParenImpCasts();
    auto const* const a = unit_.array(e);
    clang::QualType type = e->getType();
    if (a) type = unit::declared_type(a->variable);
    if (a && type->isPointerType()) type = type->getPointeeType();
    auto text = unit_.text(e);
    while (!a && subscripts.size() > subscripts_taken(unit_.ast, type) && !section_of(index_of(subscripts.front()))) {
        text = "(" + text + ")[" + unit_.text(index_of(subscripts.front())) + "]"; // a pointer among arrays of pointers
        type = subscripts.front()->getType();
        subscripts.erase(subscripts.begin());
    }
    std::vector<std::string> extents;
    bool const rows = !a && !subscripts.empty() && type->isPointerType() && type->getPointeeType()->isArrayType();
    if (rows) { // of which nobody knows how many there are
        extents.emplace_back("INT64_MAX/64");
        type = type->getPointeeType();
        if (auto const* const first = section_of(index_of(subscripts[0])); first && left_out(unit_, first->getArg(1)))
            unit_.error(first->getBeginLoc(), "the number of elements is missing; write [from:count]");
    }
    for (auto t = type; auto const* const array = unit_.ast.getAsArrayType(t); t = array->getElementType())
        if (auto const* const constant = unit_.ast.getAsConstantArrayType(t))
            extents.push_back(std::to_string(constant->getSize().getZExtValue()));
        else
            extents.emplace_back("-1"); // asked of the object itself, below
    for (std::size_t k = 0; k < extents.size(); ++k) {
        if (extents[k] != "-1") continue;
        std::string object = text;
        for (std::size_t j = 0; j < k; ++j) object = "(" + object + ")[0]";
        extents[k] = "(int64_t)(sizeof(" + object + ")/sizeof((" + object + ")[0]))";
    }
    if (a) extents = this->extents(*a);
    auto const dims = extents.size();
    bool const pointer = !a && type->isPointerType();
    if (subscripts.size() > dims && !(pointer && subscripts.size() == 1)) {
        unit_.error(e->getExprLoc(),
                    "sode cc does not support this expression in a gmove; store its value in a variable first, or name an array");
        return "";
    }
    std::vector<std::string> parts;
    auto const total = dims == 0 ? 1 : dims;
    for (std::size_t k = 0; k < total; ++k) {
        auto const* const section = k < subscripts.size() ? section_of(index_of(subscripts[k])) : nullptr;
        if (k >= subscripts.size()) {
            parts.push_back("{0," + (dims == 0 ? std::string{"1"} : as_int64(extents[k])) + ",1}");
        } else if (section) {
            auto const begin = as_int64(section_part(unit_, section, 0)), by = as_int64(section_part(unit_, section, 2));
            auto const one = left_out(unit_, section->getArg(1)) ? std::string{} : as_int64(unit_.text(section->getArg(1)));
            if (one.empty() && dims == 0) {
                unit_.error(section->getBeginLoc(), "the number of elements is missing; write [from:count]");
                return "";
            }
            auto const all = dims == 0 ? std::string{} : as_int64(extents[k]);
            auto const end = left_out(unit_, section->getArg(2)) ? all : "((" + by + ")<0?1:" + all + ")";
            parts.push_back("{" + begin + "," + (one.empty() ? end : begin + "+(" + one + "-1)*" + by + "+1") + "," + by + "}");
        } else {
            auto const at = as_int64(unit_.text(index_of(subscripts[k])));
            parts.push_back("{" + at + "," + at + "+1,1}");
        }
    }
    if (dims == 0) {
        extents.assign(1, pointer ? parts.empty() ? "1" : "INT64_MAX/64" : "1");
        if (pointer && !subscripts.empty()) { // as long as what is named of it
            auto const& p = parts.front();
            auto const comma = p.find(',');
            extents.front() = p.substr(comma + 1, p.rfind(',') - comma - 1);
        }
    }
    auto const element = pointer ? type->getPointeeType() : unit_.ast.getBaseElementType(type);
    // Lists of their own: C++ would have forgotten them behind this statement.
    return "int64_t const " + name + "_n[]={" + listed("int64_t", extents) + "};sode_range const " + name + "_p[]={" +
           listed("sode_range", parts) + "};sode_xmp_side const " + name + "={" + (a ? "&" + a->state() : "0") + "," +
           (a ? "0" : std::string{"(void*)"} + (dims > 0 || pointer ? "(" + text + ")" : "&(" + text + ")")) + "," +
           type_code(unit_.ast, element,
                     a         ? this->element(*a)
                     : pointer ? "decltype(*(" + text + "))"
                               : "decltype(" + text + ")") +
           "," + std::to_string(total) + "," + name + "_n," + name + "_p};";
}

void emitter::gmove(directive const& d) {
    auto const assignment = binary_of(d.body);
    if (!assignment || assignment->op != clang::BO_Assign)
        return unit_.error(d.hash, "a gmove must be followed by an assignment, a[..] = b[..];");
    if (!unit_.in_place(assignment->whole->getSourceRange(), "the statement of a gmove")) return;
    auto const *const left = assignment->left, *const right = assignment->right;
    bool const from_array = unit_.array(subscripts_of(right).root) != nullptr;
    bool const one = !has_section(right) && right->IgnoreParenImpCasts()->getType()->isScalarType() &&
                     !right->IgnoreParenImpCasts()->getType()->isPointerType();
    bool const several = has_section(left);
    if (!from_array && !unit_.array(subscripts_of(left).root) && !several && !has_section(right)) // nothing is distributed
        return unit_.replace(d, "");
    auto const to = side("__sode_to", left);
    std::string code;
    auto const is_named = [&](clang::Expr const* e) {
        auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(subscripts_of(e).root->IgnoreParenImpCasts());
        return r && r->getDecl()->getIdentifier() == d.device_side.getIdentifierInfo();
    };
    bool const named = d.device_side.is(clang::tok::identifier);
    if (named && !is_named(left) && !is_named(right))
        return unit_.error(d.device_side.getLocation(),
                           "'" + unit_.directives.spelling(d.device_side) +
                               "' is on neither side of the assignment; name one that is, or write 'acc' alone");
    bool const left_there = on_device(d) && (!named || is_named(left)), right_there = on_device(d) && (!named || is_named(right));
    std::string const face = left_there || right_there ? "sode_acc_gmove" : "sode_xmp_gmove";
    auto const sides = left_there || right_there ? "," + std::to_string((left_there ? 1 : 0) + (right_there ? 2 : 0)) : "";
    if (one && (several || (!from_array && unit_.array(subscripts_of(left).root)))) { // one value for all of them
        auto const* const array = unit_.array(subscripts_of(left).root);
        code = (array ? element(*array) : unit_.spelled(unit_.ast.getBaseElementType(left->getType()))) + " __sode_v;";
        code += from_array ? side("__sode_from", right) +
                                 "int64_t const __sode_one_n[]={1};sode_range const __sode_one_p[]={{0,1,1}};sode_xmp_side const "
                                 "__sode_one={0,&__sode_v,__sode_to.type,1,__sode_one_n,__sode_one_p};" +
                                 (right_there       ? "sode_acc_gmove("
                                  : d.reach == "in" ? "sode_xmp_gmove_in("
                                                    : "sode_xmp_gmove(") +
                                 unit_.place(d) + ",&__sode_one,&__sode_from" + (right_there ? ",2" : "") + ");"
                           : "__sode_v=" + unit_.text(right) + ";";
        reaches_ = reaches_ || (!d.reach.empty() && face == "sode_xmp_gmove");
        code = "{" + to + code +
               (left_there         ? "sode_acc_gmove_fill("
                : d.reach == "out" ? "sode_xmp_gmove_fill_out("
                                   : "sode_xmp_gmove_fill(") +
               unit_.place(d) + ",&__sode_to,&__sode_v);" + (d.async.given() ? "(void)(" + unit_.text(d.async) + ");" : "") +
               "}"; // it is over at once
    } else {
        bool const dependent = left->isTypeDependent() || right->isTypeDependent();
        auto const number = [&](clang::QualType type) {
            return (type->isArithmeticType() || type->isEnumeralType()) && !type_code(unit_.ast, type).starts_with("SODE_BYTES");
        };
        auto const is = left->getType(), becomes = right->IgnoreParenImpCasts()->getType();
        bool const same = dependent || unit_.ast.hasSameUnqualifiedType(is, becomes);
        if (!same && (!number(is) || !number(becomes)))
            return unit_.error(
                assignment->at,
                "the two sides of a gmove have types that do not convert to each other; copy to an array of the other type first");
        bool const reaches = !d.reach.empty() && face == "sode_xmp_gmove";
        bool const goes_on = d.async.given() && !reaches; // what is loaded or stored at once is over
        reaches_ = reaches_ || reaches;
        code = "{" + to + side("__sode_from", right) + face + (reaches ? "_" + d.reach : "") + (goes_on ? "_async(" : "(") +
               unit_.place(d) + ",&__sode_to,&__sode_from" + sides + (goes_on ? "," + unit_.text(d.async) : "") + ");" +
               (reaches && d.async.given() ? "(void)(" + unit_.text(d.async) + ");" : "") + "}";
    }
    unit_.replace(d, "(" + code + ")"); // the statement's semicolon ends it, also before an `else`
    // The statement goes; its lines stay.
    (void)unit_.edit(assignment->whole->getSourceRange(), line_breaks_of(unit_.original(assignment->whole)),
                     "the statement of a gmove");
}

void emitter::coarray(directive const& d) {
    if (!d.has_on) return nothing(d);
    std::string code;
    for (auto const* const v : unit_.arrays_named[d.number])
        if (v)
            code += "sode_xmp_coarray_on(" + unit_.place(d) + ",(void**)&" + unit::scope_of(v->getDeclContext()) + "__sode_c_" +
                    v->getNameAsString() + "," + set(d, d.on, unit_.on_of(d)) + ");";
    declare(d, "", code);
}

// The call behind it is one statement with it, also below an `if` without braces.
void emitter::image(directive const& d) {
    auto const once = "__sode_o" + std::to_string(d.number);
    unit_.replace(d, "for(int " + once + "=sode_xmp_image_among(" + unit_.place(d) + "," + set(d, d.on, unit_.on_of(d)) + ");" +
                         once + ";" + once + "=0)");
}

void emitter::local_view(directive const& d) {
    auto const& k = d.kind;
    auto const at = unit_.place(d);
    if (k == "sync_memory") return unit_.replace(d, "sode_xmp_sync_memory();");
    if (k == "lock" || k == "unlock") {
        auto const address = [&](expression const& e) { return e.parsed ? "&(" + written(unit_, e.parsed) + ")" : "0"; };
        return unit_.replace(d, "sode_xmp_" + k + "(" + at + ",&(" + written(unit_, d.items.front().parsed, image_use::atom) +
                                    ").holder," + (k == "lock" ? address(d.acquired) + "," : "") + address(d.status) + ");");
    }
    posts_ = true;
    auto const whom = d.has_on ? set(d, d.on, unit_.on_of(d)) : "0";
    auto const tag = d.items.empty() ? "0" : unit_.text(d.items.front());
    unit_.replace(d, k == "post" ? "sode_xmp_post(" + at + "," + whom + "," + tag + ");"
                                 : "sode_xmp_wait(" + at + "," + whom + "," + (d.items.empty() ? "0" : "1") + "," + tag + ");");
}

} // namespace sode::compiler
