// SPDX-License-Identifier: Apache-2.0
// Directives of OpenACC. What they say of distributed arrays becomes calls, which know where a rank's elements lie; the rest goes
// to the compiler as it stands. In a compute construct an array's name is a pointer of the device.
#include "compiler/accelerators/device_assignments.hpp"
#include "compiler/arrays/sections.hpp"
#include "compiler/directives/openacc.hpp"
#include "compiler/unit/quoted.hpp"

namespace sode::compiler {

class accelerator_writer {
public:
    accelerator_writer(emitter& e, directive const& d) : emitter_(e), unit_(e.unit_), d_(d), number_(std::to_string(d.number)) {}

    void run() {
        if (d_.kind == "acc devices") return emitter_.devices(d_);
        sort();
        if (unit_.failed()) return;
        if (set_ && !is_compute(d_) && d_.kind != "acc wait" && d_.kind != "acc barrier_device" && items_.empty() && !moves_others_)
            return unit_.error(d_.hash, "'" + d_.kind + "' does not name a variable that could be on '" + set_->name +
                                            "'; name an array in one of its clauses");
        if (d_.kind == "acc loop")
            loop();
        else if (is_compute(d_))
            compute();
        else if (d_.kind == "acc data")
            data();
        else if (d_.kind == "acc host_data")
            host_data();
        else if (d_.kind == "acc declare")
            declare();
        else if (d_.kind == "acc barrier_device")
            unit_.replace(d_, "sode_acc_wait_devices(" + (set_ ? "&" + set_->object : "0") + ",0,1);");
        else if (d_.kind == "acc wait")
            wait();
        else if (d_.kind == "acc reflect")
            reflect();
        else
            standalone();
    }

private:
    struct item {
        aligned_array const* array;
        std::string clause, part;
        std::string how() const { return data_clause(clause); }
    };

    // Distributed arrays, and the text of what remains.
    void sort() {
        set_ = emitter_.device_set_of(d_);
        if (unit_.failed()) return;
        for (auto const& c : d_.clauses) {
            if (c.name == "on_device" || c.name == "layout" || c.name == "shadow") continue;
            if (c.name == "if" && !c.arguments.empty()) condition_ = unit_.text(c.arguments.front());
            if (c.name == "if_present") if_present_ = true;
            if (c.name == "finalize") finalize_ = true;
            if (c.name == "async") queue_ = c.arguments.empty() ? "acc_async_noval" : unit_.text(c.arguments.front());
            if (c.name == "wait") {
                if (c.arguments.empty()) waits_ += "acc_wait_all();";
                for (auto const& argument : c.arguments) waits_ += "acc_wait(" + unit_.text(argument) + ");";
            }
            if (c.name == "default") default_ = c.raw.empty() ? "" : unit_.directives.spelling(c.raw.front());
            std::string others;
            bool taken = false;
            for (auto const& argument : c.arguments) {
                auto const* const a = names_variables(c.name) ? unit_.array(subscripts_of(argument.parsed).root) : nullptr;
                if (a) {
                    items_.push_back({a, c.name, part(*a, argument.parsed)});
                    taken = true;
                } else {
                    others += (others.empty() ? "" : ",") + variable(c, argument);
                }
            }
            if (taken && others.empty()) continue;
            others_ +=
                " " + c.name + (c.brackets ? "(" + words(c.raw) + (c.raw.empty() || others.empty() ? "" : " ") + others + ")" : "");
            moves_others_ = moves_others_ || names_variables(c.name);
            if (names_variables(c.name)) other_data_.emplace_back(c, others);
        }
    }

    // What is not distributed. A coarray is what a pointer points to.
    std::string variable(openacc_clause const& c, expression const& argument) {
        auto const* const coarray = names_variables(c.name) ? coarray_of(unit_, argument.parsed) : nullptr;
        if (!coarray) return words(argument.words);
        renamed_ = true;
        coarrays_.insert(coarray);
        return coarray_in_clause(unit_, c.name, argument.parsed);
    }
    std::string words(tokens const& list) const {
        std::string text;
        for (auto const& t : list) text += (text.empty() ? "" : " ") + unit_.directives.spelling(t);
        return text;
    }

    std::string pragma(std::string const& more) const { return "_Pragma(" + quoted(d_.kind + others_ + more) + ") "; }

    // Global indices; 0: everything.
    std::string part(aligned_array const& a, clang::Expr const* e) const {
        auto const subscripts = subscripts_of(e).subscripts;
        if (subscripts.empty()) return "0";
        std::vector<std::string> ranges;
        for (std::size_t k = 0; k < a.dims; ++k) {
            if (k >= subscripts.size()) {
                ranges.emplace_back("SODE_XMP_ALL");
                continue;
            }
            auto const* const section = section_of(index_of(subscripts[k]));
            auto const from = section ? section_part(unit_, section, 0) : "(" + unit_.text(index_of(subscripts[k])) + ")";
            auto const end = !section                              ? from + "+1"
                             : left_out(unit_, section->getArg(1)) ? "INT64_MAX/4"
                                                                   : from + "+(" + unit_.text(section->getArg(1)) + ")";
            ranges.emplace_back("{").append(from).append(",").append(end).append(",1}");
        }
        return list("sode_range", ranges);
    }

    std::string call(char const* what, item const& i, std::string const& more = "") const {
        return std::string{what} + "(" + unit_.place(d_) + ",&" + i.array->state() + ",sode_acc_" + i.how() + more + "," + i.part +
               "," + queue_ + ");";
    }
    std::string enter(item const& i) const {
        return (i.how() == "present" ? "" : lay_out(i)) + call("sode_acc_enter", i) +
               (i.how() == "present" ? on_set(i, false) : "");
    }
    std::string leave(item const& i, char const* more = "") const { return call("sode_acc_exit", i, more); }
    // On which devices of a set the array comes.
    std::string lay_out(item const& i) const {
        if (!set_) return "";
        auto const& a = *i.array;
        if (set_->laid_out && set_->dims != a.dims) {
            unit_.error(d_.hash, "'layout' has " + std::to_string(set_->dims) + " dimensions, and '" + a.name() + "' has " +
                                     std::to_string(a.dims));
            unit_.note(a.variable->getLocation(), "declared here");
        } else if (set_->dim >= 0 && emitter_.format(a, static_cast<std::size_t>(set_->dim)) == "cyclic") {
            unit_.error(d_.hash, "'layout' needs blocks, and this dimension of '" + a.name() + "' is cyclic; lay out another one");
            unit_.note(a.variable->getLocation(), "declared here");
        }
        auto const dim = is_compute(d_) ? "-1" : std::to_string(set_->dim);
        return "sode_acc_lay_out(" + unit_.place(d_) + ",&" + a.state() + ",&" + set_->object + "," + dim + "," + set_->below +
               "," + set_->above + ");";
    }
    // It is on these devices, and no others.
    std::string on_set(item const& i, bool if_there) const {
        return !set_ ? ""
                     : "sode_acc_on_devices(" + unit_.place(d_) + ",&" + i.array->state() + ",&" + set_->object +
                           (if_there ? ",1);" : ",0);");
    }
    // The same on each device.
    std::string each_device(std::string const& code) const {
        if (!set_) return code;
        auto const k = "__sode_k" + number_;
        return "for(int " + k + "=0;" + k + "<" + set_->object + ".count;" + k + "++){sode_acc_use(&" + set_->object + "," + k +
               ");" + code + ";}sode_acc_use(0,-1);";
    }
    std::string if_wanted(std::string const& code) const {
        return condition_.empty() || code.empty() ? code : "if(__sode_i" + number_ + "){" + code + "}";
    }
    std::string asked() const { return condition_.empty() ? "" : "int const __sode_i" + number_ + "=(" + condition_ + ")!=0;"; }

    // Its name as a pointer to where its elements are on the device.
    std::string view_there(aligned_array const& a, bool needed) const {
        std::string code;
        for (auto const& name : names_of(a)) code += view_there(a, name, needed);
        return code;
    }
    // `a::u` is another name than u.
    static std::vector<std::string> names_of(aligned_array const& a) {
        std::vector<std::string> names{a.name()};
        if (a.scope.empty() || a.pointer) return names;
        names.push_back("__sode_v" + a.scope + a.name());
        std::ranges::replace(names.back(), ':', '_');
        return names;
    }
    std::string view_there(aligned_array const& a, std::string const& name, bool needed) const {
        auto const base = set_ ? "sode_acc_base_on(" + unit_.place(d_) + ",&" + a.state() + ",&" + set_->object + "," +
                                     emitter_.shared_.at(&d_).counter + "," + (set_->array ? "1" : "0") + ")"
                               : "sode_acc_base(" + unit_.place(d_) + ",&" + a.state() + "," + (needed ? "1" : "0") + ")";
        auto const here = a.state() + ".base";
        auto const from = condition_.empty() ? base : "(__sode_i" + number_ + "?" + base + ":(void*)" + here + ")";
        if (a.pointer) {
            auto const type = "__typeof__(" + name + ")";
            return type + " " + name + " __attribute__((unused))=(" + (unit_.is_cxx() ? type : "void*") + ")" + from + ";";
        }
        if (is_object(a))
            return "::sode::xmp::view<" + emitter_.element(a) + "," + std::to_string(a.dims) + "> " + name +
                   " __attribute__((unused))(" + from + "," + a.state() + ".pitch);";
        auto const before = emitter_.element(a) + (a.dims == 1 ? " *" : " (*"),
                   behind = a.dims == 1 ? "" : ")" + emitter_.pitches(a);
        return before + name + behind + " __attribute__((unused))=(" + (unit_.is_cxx() ? before + behind : "void*") + ")" + from +
               ";";
    }
    // In C++ an array whose pitch is known when the program runs is seen through an object.
    bool is_object(aligned_array const& a) const { return unit_.is_cxx() && !a.pointer && !emitter_.constant_pitches(a); }

    directive const* own_loop() const {
        auto const found = d_.body ? unit_.prefixed.find(d_.body) : unit_.prefixed.end();
        return found != unit_.prefixed.end() && found->second->kind == "loop" ? found->second : nullptr;
    }
    // The `loop` of XcalableMP whose statement this directive begins.
    std::string names_above() const {
        for (auto const& d : unit_.directives.directives) {
            auto const found = d->kind == "loop" && d->body ? unit_.prefixed.find(d->body) : unit_.prefixed.end();
            if (found != unit_.prefixed.end() && found->second == &d_) return emitter_.names_before_[d.get()];
        }
        return "";
    }

    // Of `acc loop` and `xmp loop` the compiler wants the first right before its `for`.
    void loop() {
        auto const* const below = own_loop();
        if (!below) return;
        unit_.replace(d_, "");
        emitter_.before_for_[below] = pragma("");
    }

    void compute() {
        for (auto const* const v : unit_.on_device[&d_]) { // what has no clause
            auto const& a = *unit_.array(v);
            bool const said = std::any_of(items_.begin(), items_.end(), [&](item const& i) { return i.array == &a; });
            if (said) continue;
            if (default_ == "none") {
                unit_.error(d_.hash, "'" + a.name() + "' is in no data clause, and 'default(none)' asks for one");
                unit_.note(a.variable->getLocation(), "declared here");
                return;
            }
            items_.push_back({&a, default_ == "present" || set_ ? "present" : "copy", "0"}); // a set's arrays are there before
        }
        if (set_)
            for (auto const& i : items_)
                if (i.how() == "copy" || i.how() == "copyout")
                    return unit_.error(d_.hash, "'" + i.array->name() +
                                                    "' must be on the devices before: " + "#pragma acc data copy(" +
                                                    i.array->name() + ") layout(...) on_device(" + set_->name + ")");
        auto const* const below = own_loop();
        bool const own = below && is_combined(d_);
        if (own) emitter_.before_for_[below] = ""; // it is there from now on
        std::string heads, enters, leaves, views, pointers, objects, names;
        for (auto const& d : unit_.directives.directives)
            if (d->region == &d_ && d->kind == "loop" && d.get() != (own ? below : nullptr)) {
                acc_loop_above(*d);
                heads += emitter_.loop_in_region(*d);
                names += emitter_.names_before_[d.get()];
            }
        for (auto const& i : items_) {
            enters += enter(i);
            leaves += leave(i);
            for (auto const& name : names_of(*i.array)) (is_object(*i.array) ? objects : pointers) += "," + name;
        }
        for (auto const& i : items_) views += view_there(*i.array, false);
        for (auto const* const v : unit_.cyclic_on_device[&d_]) {
            auto const state = unit_.array(v)->state();
            views.append("sode_xmp_array const*const __sode_o").append(state).append("=&").append(state);
            views.append(";sode_xmp_array const ").append(state).append("=*__sode_o").append(state).append(";");
            names.append(",").append(state);
        }
        names += names_above();
        if (default_ != "none") names.clear();
        names += objects;
        if (!pointers.empty()) pointers = " deviceptr(" + pointers.substr(1) + ")";
        if (!names.empty()) names = " copyin(" + names.substr(1) + ")";
        for (auto const* const v : unit_.coarrays_on_device[&d_]) { // arrays are copied if they are not there
            if (coarrays_.contains(v)) continue;
            if (default_ == "none") {
                unit_.error(d_.hash, "'" + v->getNameAsString() + "' is in no data clause, and 'default(none)' asks for one");
                unit_.note(v->getLocation(), "declared here");
                return;
            }
            names += (default_ == "present" ? " present(" : " copy(") + coarray_in_clause(v) + ")";
            renamed_ = true;
        }
        if (items_.empty() && heads.empty() && !own && names.empty() && !set_ && !renamed_) return; // as it stands
        auto const shared = emitter_.shared_.find(&d_);
        bool const opens = shared != emitter_.shared_.end() && !shared->second.opens;
        auto const head = "{" + asked() + (items_.empty() ? "" : waits_) + if_wanted(enters) + reduced() + "{" +
                          (opens ? shared->second.before : "") + views;
        if (shared != emitter_.shared_.end() && emitter_.at_once(d_)) pointers += " async";
        if (own) {
            emitter_.names_wanted_ = default_ == "none";
            emitter_.before_for_[below] = pragma(pointers + names);
            unit_.replace(d_, head + heads);
        } else {
            unit_.replace(d_, head + heads + pragma(pointers + names));
        }
        unit_.insert_behind(d_.body, (opens ? shared->second.behind : "") + "}" + if_wanted(leaves) + "}");
    }
    // Devices combine one after the other, and the host has the value in between.
    std::string reduced() const {
        std::string code;
        for (auto const& c : d_.clauses)
            for (auto const& argument : c.arguments)
                if (set_ && c.name == "reduction")
                    code += "sode_acc_reduced(" + unit_.place(d_) + ",&" + set_->object + ",\"'" + words(argument.words) +
                            "'\",&(" + unit_.text(argument) + "),sizeof(" + unit_.text(argument) + "));";
        return code;
    }
    void wait() {
        for (auto const& c : d_.clauses)
            if (c.name == "queues") others_ = " " + words(c.raw);
        unit_.replace(d_, "{" + each_device(pragma("")) + "}");
    }
    void reflect() {
        std::string code;
        for (auto const& i : items_) code += "sode_acc_reflect_devices(" + unit_.place(d_) + ",&" + i.array->state() + ");";
        unit_.replace(d_, "{" + code + "}");
    }
    // `acc loop` above `xmp loop`: its text is needed before the latter is written.
    void acc_loop_above(directive const& inner) {
        for (auto const& d : unit_.directives.directives)
            if (d->kind == "acc loop" && d->body) {
                auto const found = unit_.prefixed.find(d->body);
                if (found != unit_.prefixed.end() && found->second == &inner) emitter_.accelerator(*d);
            }
    }

    // What is not distributed, on each device of a set: a construct is of one device only.
    bool others_on_each(std::string& enters, std::string& leaves) {
        if (!set_ || !moves_others_) return true;
        std::string in, out;
        for (auto const& [c, text] : other_data_) {
            auto const how = data_clause(c.name);
            if (how != "copy" && how != "copyin" && how != "copyout" && how != "create") {
                unit_.error(c.where.getLocation(), "'" + c.name +
                                                       "' is not supported with 'on_device' in 'acc data'; "
                                                       "remove it, and write `present` in the compute constructs");
                return false;
            }
            in += how.starts_with("copy") && how != "copyout" ? " copyin(" + text + ")" : " create(" + text + ")";
            out += how == "copy" || how == "copyout" ? " copyout(" + text + ")" : " delete(" + text + ")";
        }
        enters += each_device("_Pragma(\"acc enter data" + in + "\")");
        leaves = each_device("_Pragma(\"acc exit data" + out + "\")") + leaves;
        moves_others_ = false;
        return true;
    }

    void data() {
        if (items_.empty() && !set_ && !renamed_) return;
        std::string enters, leaves;
        for (auto const& i : items_) enters += enter(i);
        for (auto i = items_.rbegin(); i != items_.rend(); ++i) leaves += leave(*i);
        if (!others_on_each(enters, leaves)) return;
        unit_.replace(d_, "{" + asked() + if_wanted(enters) + (moves_others_ ? pragma("") : ""));
        unit_.insert_behind(d_.body, if_wanted(leaves) + "}");
    }

    void host_data() {
        if (items_.empty() && !renamed_ && condition_.empty()) return;
        std::string views;
        for (auto const& i : items_) views += view_there(*i.array, !if_present_);
        unit_.replace(d_, "{" + asked() + views + (moves_others_ ? pragma("") : ""));
        unit_.insert_behind(d_.body, "}");
    }

    void declare() {
        if (set_ && moves_others_)
            return unit_.error(
                d_.hash, "'acc declare' with 'on_device' is for distributed arrays only; name other variables in 'acc enter data'");
        std::string entered, rest, code, leaving;
        if (!entered_by_address(entered, rest)) return;
        if (items_.empty() && entered.empty()) return;
        for (std::size_t k = 0; k < items_.size(); ++k) {
            code += enter(items_[k]);
            if (d_.function)
                leaving += "sode_acc_declared __sode_a" + number_ + "_" + std::to_string(k) +
                           " __attribute__((cleanup(sode_acc_declared_leave),unused))={&" + items_[k].array->state() +
                           ",sode_acc_" + items_[k].how() + "};";
        }
        if (!entered.empty()) code += "_Pragma(\"acc enter data" + entered + "\")";
        if (d_.function) return unit_.replace(d_, code + leaving + rest);
        emitter_.declare(d_, rest, code);
    }

    // Coarrays, and what `use_device` names, are put onto the device when the program begins.
    bool entered_by_address(std::string& entered, std::string& rest) {
        bool stays = false;
        for (auto const& c : d_.clauses) {
            std::string in, left;
            for (auto const& argument : c.arguments) {
                if (names_variables(c.name) && unit_.array(subscripts_of(argument.parsed).root)) continue;
                bool const coarray = names_variables(c.name) && coarray_of(unit_, argument.parsed) != nullptr;
                bool const by_address =
                    coarray || (!d_.function && !data_clause(c.name).empty() && used_by_address(unit_, argument.parsed));
                auto& list = by_address ? in : left;
                list += (list.empty() ? "" : ",") +
                        (coarray ? coarray_in_clause(unit_, c.name, argument.parsed) : words(argument.words));
                if (!coarray) continue;
                auto const how = data_clause(c.name);
                if (d_.function || (how != "create" && how != "copyin")) {
                    unit_.error(
                        argument.words.front().getLocation(),
                        d_.function
                            ? "'acc declare' of a coarray must be at file scope, like the coarray; write #pragma acc data here"
                            : "'acc declare' keeps a coarray on the device during the whole program; write create or copyin");
                    return false;
                }
            }
            if (!in.empty()) entered += " " + data_clause(c.name) + "(" + in + ")";
            if (left.empty()) continue;
            stays = stays || names_variables(c.name);
            rest += " " + c.name + "(" + words(c.raw) + left + ")";
        }
        rest = stays ? "_Pragma(\"acc declare" + rest + "\") " : "";
        return true;
    }

    // enter data, exit data, update
    void standalone() {
        if (items_.empty() && !set_ && !renamed_) return;
        std::string code = waits_;
        for (auto const& i : items_) {
            if (d_.kind == "acc enter data")
                code += enter(i);
            else if (d_.kind == "acc exit data")
                code += on_set(i, true) + leave(i, finalize_ ? "|sode_acc_finalize" : "");
            else
                code += on_set(i, if_present_) + "sode_acc_update(" + unit_.place(d_) + ",&" + i.array->state() + "," +
                        (i.clause == "device" ? "1" : "0") + "," + i.part + "," + queue_ + "," + (if_present_ ? "1" : "0") + ");";
        }
        unit_.replace(d_, "{" + asked() + if_wanted(code) + (moves_others_ ? each_device(pragma("")) : "") + "}");
    }

    emitter& emitter_;
    unit& unit_;
    directive const& d_;
    std::string number_;
    std::vector<item> items_;
    std::optional<device_set> set_;
    std::vector<std::pair<openacc_clause, std::string>> other_data_;
    std::string others_; // clauses that go to the compiler
    bool moves_others_ = false;
    std::string condition_, queue_ = "acc_async_sync", waits_, default_;
    bool if_present_ = false, finalize_ = false;
    std::set<clang::VarDecl const*> coarrays_; // that clauses name
    bool renamed_ = false;                     // what goes to the compiler is not what the program says
};

void emitter::accelerator(directive const& d) {
    if (d.wrong || is_left_alone(d) || !written_.insert(&d).second) return;
    accelerator_writer{*this, d}.run();
}

} // namespace sode::compiler
