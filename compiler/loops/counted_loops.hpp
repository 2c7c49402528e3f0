// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/emitter/emitter.hpp"

namespace sode::compiler {

/// A loop over a cyclic dimension that this rank counts through: the elements of its iterations follow each other in its memory, so
/// a position is computed once, before the nest, and no reference of the body divides.
class counted_loop {
public:
    /// The loop `f` over `v` goes along dimension `dim` of the template that `d` names. `single`: cyclic without a width, or
    /// with 1.
    counted_loop(emitter& e, directive const& d, clang::ForStmt const* f, clang::VarDecl const* v, std::size_t dim, bool single);

    /// The loop can be written so: neither OpenMP nor a check is at work on it, and no macro wrote it.
    [[nodiscard]] bool possible() const;
    /// Finds the references of the body, before they are written. `first`: the name of the first iteration's index.
    void find(std::string const& id, std::string const& first);
    /// Edits the loop. Returns what stands before the nest. `share`, `end`, `offset`: names of what is known there.
    std::string write(std::string const& share, std::string const& end, std::string const& offset);
    /// What the loop's step becomes.
    [[nodiscard]] std::string const& step() const { return step_; }

private:
    std::string positions(clang::Stmt const* s);
    std::string position(clang::ArraySubscriptExpr const* s);

    emitter& emitter_;
    unit& unit_;
    directive const& d_;
    clang::ForStmt const* loop_;
    clang::VarDecl const* variable_;
    std::size_t dim_;
    bool single_;
    std::string id_, first_, step_, positions_;
    std::map<std::pair<aligned_array const*, std::pair<std::size_t, std::int64_t>>, std::string> known_;
};

} // namespace sode::compiler
