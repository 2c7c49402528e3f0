// SPDX-License-Identifier: Apache-2.0
// What a unit as a whole gets, and who writes what in place of each directive.
#include "compiler/emitter/emitter.hpp"

#include <clang/Lex/Lexer.h>

namespace sode::compiler {

bool emitter::integer(expression const& e, long& value) const {
    auto const known = unit_.constant(e);
    if (known) value = static_cast<long>(*known);
    return known.has_value();
}

// `declaration` here; `action` here, too, or when the program begins.
void emitter::declare(directive const& d, std::string const& declaration, std::string const& action) {
    if (d.function) return unit_.replace(d, declaration + " " + action);
    auto const name = "__sode_p" + std::to_string(d.number);
    parts_.push_back(d.scope + name);
    unit_.replace(d, declaration + " static void " + name + "(void){" + action + "}");
}

// main()'s first act, then what functions know of arrays.
void emitter::local_views() {
    for (auto const* const d : unit_.ast.getTranslationUnitDecl()->decls())
        if (auto const* const f = clang::dyn_cast<clang::FunctionDecl>(d); f && f->isMain() && f->doesThisDeclarationHaveABody())
            unit_.insert_in(f->getBody()->getBeginLoc(), "sode_xmp_begin();");
    for (auto const& [function, arrays] : unit_.uses) {
        std::string code;
        for (auto const& [v, name] : arrays)
            if (!unit_.array(v)->pointer) code += view(*unit_.array(v), name);
        auto const* const body = function->getBody();
        if (body) unit_.insert_in(body->getBeginLoc(), code);
    }
}

// The list of what the unit makes.
void emitter::finish() {
    if (posts_) coarrays_ += "sode_xmp_posts();";
    if (meets_) coarrays_ += "sode_xmp_meetings();";
    bool const has_images = meets_ || !unit_.coarrays.empty() || !unit_.directives.image_references.empty();
    bool const local_view = !coarrays_.empty() || reaches_;
    if (parts_.empty() && coarrays_.empty() && !unit_.checked && !unit_.serial && !reaches_ && !has_images) return;
    if (!coarrays_.empty()) {
        parts_.insert(parts_.begin(), "__sode_coarrays");
        coarrays_ = "\nstatic void __sode_coarrays(void){" + coarrays_ + "}";
    }
    auto const main = unit_.files.getMainFileID();
    std::string all = coarrays_ + "\nstatic void (*const __sode_parts[])(void)={";
    for (auto const& part : parts_) all += part + ",";
    all += std::string{"0};__attribute__((constructor)) static void __sode_unit(void){"} +
           (unit_.checked ? "sode_xmp_check();" : "") + (unit_.serial ? "sode_xmp_serial();" : "") +
           (local_view ? "sode_xmp_local_view();" : "") + (has_images ? "sode_xmp_images();" : "") +
           (reaches_ ? "sode_xmp_reach();" : "") + "sode_xmp_unit(__sode_parts);}\n";
    unit_.edits.insert_last(unit_.files.getLocForEndOfFile(main), all);
}

// Whose text goes: what others say is all of it.
void emitter::nothing(directive const& d) {
    unit_.replace(d, "");
}

void emitter::run() {
    count_loops();
    share_loops();
    if (unit_.failed()) return;
    references(); // first: what they say of functions is needed
    if (unit_.failed()) return;
    declarators();
    local_views();
    static std::map<std::string, void (emitter::*)(directive const&)> const kinds{{"nodes", &emitter::nodes},
                                                                                  {"template", &emitter::index_space},
                                                                                  {"distribute", &emitter::distribute},
                                                                                  {"align", &emitter::align},
                                                                                  {"template_fix", &emitter::fix},
                                                                                  {"shadow", &emitter::shadow},
                                                                                  {"static_desc", &emitter::nothing},
                                                                                  {"coarray", &emitter::coarray},
                                                                                  {"loop", &emitter::loop},
                                                                                  {"array", &emitter::nothing},
                                                                                  {"task", &emitter::task},
                                                                                  {"tasks", &emitter::tasks},
                                                                                  {"barrier", &emitter::barrier},
                                                                                  {"reflect", &emitter::reflect},
                                                                                  {"reflect_init", &emitter::reflect},
                                                                                  {"reflect_do", &emitter::reflect},
                                                                                  {"reduce_shadow", &emitter::reflect},
                                                                                  {"reduction", &emitter::reduction},
                                                                                  {"bcast", &emitter::bcast},
                                                                                  {"gmove", &emitter::gmove},
                                                                                  {"wait_async", &emitter::wait_async},
                                                                                  {"post", &emitter::local_view},
                                                                                  {"wait", &emitter::local_view},
                                                                                  {"lock", &emitter::local_view},
                                                                                  {"unlock", &emitter::local_view},
                                                                                  {"image", &emitter::image},
                                                                                  {"sync_memory", &emitter::local_view}};
    for (auto const& d : unit_.directives.directives)
        if (d->openacc) {
            accelerator(*d);
            for (auto const* const part : d->parts) accelerator(*part);
        } else if (!d->wrong && !d->rides) {
            (this->*kinds.at(d->kind))(*d);
            for (auto const* const part : d->parts) (this->*kinds.at(part->kind))(*part);
        }
    finish();
}

} // namespace sode::compiler
