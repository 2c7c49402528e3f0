// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/emitter/emitter.hpp"

namespace sode::compiler {

/// Warns of references that leave the shadow of their array because of `expand`, `margin` or `peel_and_wait`, where widths, shadow
/// and distance are constants: `a[i + 1]` under `expand(1)` needs a shadow of 2 above.
class loop_reach {
public:
    loop_reach(emitter const& e, directive const& d) : emitter_(e), unit_(e.unit_), d_(d) {}
    /// The loop over `v` goes along dimension `k` of the template.
    void check(clang::VarDecl const* v, std::size_t k);

private:
    // What a loop executes in any case: not what is behind a condition, which may keep it from the ends.
    void walk(clang::Stmt const* s);
    void judge(clang::ArraySubscriptExpr const* s) const;
    void complain(clang::ArraySubscriptExpr const* s, aligned_array const& a, std::int64_t needs, std::int64_t has,
                  char const* side) const;

    emitter const& emitter_;
    unit& unit_;
    directive const& d_;
    clang::VarDecl const* variable_ = nullptr;
    std::size_t dim_ = 0;
    std::int64_t here_ = 0;                     // `on t[i + here]`
    std::optional<std::int64_t> below_, above_; // by how much the loop is wider
};

} // namespace sode::compiler
