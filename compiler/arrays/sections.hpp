// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/arrays/coarrays.hpp"
#include "compiler/emitter/emitter.hpp"
#include "compiler/unit/operators.hpp"

namespace sode::compiler {

/// The call that stands for x[a:b:c]; null: this index is no section.
[[nodiscard]] clang::CallExpr const* section_of(clang::Expr const* index);
/// Says that this section stands where none can. `above`: what it stands in, from the outside.
void refuse_section(unit& u, clang::CallExpr const* section, std::vector<clang::Stmt const*> const& above);
/// Whether there is a section anywhere in it.
[[nodiscard]] bool has_section(clang::Stmt const* s);
/// What was left out of a section: its text is the bracket's.
[[nodiscard]] bool left_out(unit const& u, clang::Expr const* part);

/// Where a section begins (k 0) or its step (k 2), also if that was left out.
[[nodiscard]] std::string section_part(unit const& u, clang::CallExpr const* section, unsigned k);
/// x[a][b]: its subscripts from the left, and x.
struct subscripted {
    std::vector<clang::ArraySubscriptExpr const*> subscripts;
    clang::Expr const* root = nullptr;
};
[[nodiscard]] subscripted subscripts_of(clang::Expr const* e);

/// `a[0:n] = b[1:n] + 1` as loops. With `on` (the directive `array`) each rank has the part of the left side that it owns.
class section_assignment {
public:
    section_assignment(emitter& e, unit& u, binary const& statement, directive const* on)
        : emitter_(e), unit_(u), statement_(statement), on_(on) {}
    /// Replaces the statement's text.
    void write();

private:
    [[nodiscard]] subscripted subscripts_in(clang::Expr const* e, bool images = false) const;
    [[nodiscard]] std::size_t sections_in(clang::Expr const* e) const;
    void left();
    void collect(clang::Stmt const* s, std::vector<piece>& pieces);
    void chain(clang::ArraySubscriptExpr const* last, std::vector<piece>& pieces);
    void stores_in_sections(clang::CallExpr const& call, std::vector<piece>& pieces) const;
    bool other_images(clang::Stmt const* s, std::vector<piece>& pieces);
    [[nodiscard]] std::string rendered(clang::Expr const* e);
    [[nodiscard]] std::string part(clang::CallExpr const* section, unsigned k) const { return section_part(unit_, section, k); }
    [[nodiscard]] std::string length(clang::ArraySubscriptExpr const* s, clang::CallExpr const* section, aligned_array const* a,
                                     std::size_t dim) const;
    void check_numbers(clang::CallExpr const& section) const;
    void check_range(clang::ArraySubscriptExpr const& s, clang::CallExpr const& section) const;
    [[nodiscard]] std::optional<std::int64_t> constant_part(clang::CallExpr const& section, unsigned k,
                                                            std::int64_t otherwise) const;
    [[nodiscard]] std::optional<std::int64_t> constant_length(clang::ArraySubscriptExpr const& s,
                                                              clang::CallExpr const& section) const;

    emitter& emitter_;
    unit& unit_;
    binary statement_;
    directive const* on_;
    int use_ = 1;            // what is done with elements, as use_of() says
    std::size_t loops_ = 0;  // sections of the left side
    std::size_t behind_ = 0; // sections behind the x[..]:[k] that is rendered
    std::string head_, nest_, guard_;
    bool left_side_ = false; // which is rendered
    bool maybe_ = false;     // what is rendered need not be evaluated
    std::size_t wanted_ = 0; // values of other images that are got before
    std::string rooms_, want_, forget_,
        image_wanted_; // memory for them; how they are asked for, for each element; and when they are over
    std::vector<std::optional<std::int64_t>> lengths_; // of the left side's sections, where they are known
    std::vector<std::string> steps_;                   // what element of a section the loops are at
};

} // namespace sode::compiler
