// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/emitter/emitter.hpp"

#include <map>
#include <string>
#include <vector>

namespace sode::compiler {

/// `loop`: the user's loops over global indices, from where this rank's part begins to where it ends.
class loop_writer {
public:
    loop_writer(emitter& e, directive const& d) : emitter_(e), unit_(e.unit_), d_(d) {}
    void run();

    /// In a compute construct: the head, which stands before the construct.
    [[nodiscard]] std::string run_in_region();
    /// Which of its loops this rank can count through: the references there depend on it.
    void count();

private:
    [[nodiscard]] bool on_device() const;
    void head();
    void before_reductions(std::string const& sharing);
    // Whether the nodes of an iteration are no simple function of its indices: `t[2*i]`, `t[i][i]`, `p[lo[i]:n[i]]`.
    [[nodiscard]] bool asks_each() const;
    // The loop stays, and each iteration asks whether it is this rank's.
    void each_iteration(std::string const& name, bool is_nodes);
    void no_loop(clang::Token const& index) const;
    // The compute construct that the loop stands in, unless the loop is the construct's own.
    [[nodiscard]] directive const* region() const;
    // A loop that threads share, over a dimension of format cyclic(n): over the numbers of this rank's iterations.
    void numbered(clang::ForStmt const* f, clang::VarDecl const* v, bool down, std::string const& id, std::string const& share,
                  std::string const& begin, std::string const& end);
    // A pragma of OpenMP stands above it.
    [[nodiscard]] bool shared_by_threads(clang::ForStmt const* f) const;
    // The clause `threads`: each node's part is shared among threads.
    [[nodiscard]] std::string threads();
    // The name of what threads combine in place of a coarray; of everything else its own.
    [[nodiscard]] std::string copy_of(std::string const& name);
    [[nodiscard]] std::string copy_name(std::string const& name) const {
        return "__sode_r" + std::to_string(d_.number) + "_" + name;
    }
    // A pragma of OpenMP with these names in `reduction`.
    [[nodiscard]] std::string with_copies(std::string const& pragma);
    // Looks for coarrays in the pragmas above the loop.
    void copies_of_pragmas(clang::ForStmt const* f);
    void declare_copies(clang::ForStmt const* f);
    // A pragma of OpenMP or OpenACC for the same loop, in the line above, must stand before the `for`: the two lines change places.
    [[nodiscard]] std::string behind_other_pragma(std::string const& code);
    [[nodiscard]] clang::Token const* index_in(dimension const& dim) const;
    // A variable in `e` that gets its value in `body`, except for those of the loops that are split.
    [[nodiscard]] clang::ValueDecl const* set_in(clang::Stmt const* e, clang::Stmt const* body) const;
    // The distribution of dimension k of the template is cyclic without a width, or with 1.
    [[nodiscard]] bool deals_single(std::size_t k) const;
    // Dimension k is not split, and another one that is keeps out ranks that have nothing.
    [[nodiscard]] bool is_whole(std::size_t k) const;
    [[nodiscard]] bool mentions_any(clang::Expr const* e) const;
    // How far a window reaches beyond what a rank owns, in dimension k.
    [[nodiscard]] std::string below(std::size_t k) const { return "(" + unit_.text(d_.width[k].lower) + ")"; }
    [[nodiscard]] std::string above(std::size_t k) const;
    void windowed(std::size_t k, std::string const& share);
    // The loop over what is in the middle (0) and the slabs of the rim around it, two for each dimension.
    [[nodiscard]] std::string windows() const;
    void split(clang::Token const& index, std::size_t k, std::string const& share, bool jumps, bool one_based);

    struct split_loop {
        clang::ForStmt const* loop;
        std::string name;
        bool down;
        std::string next;     // what its step becomes; empty: it stays
        bool steady = true;   // it is the same for all iterations
        std::string before{}; // what is done before it
    };
    // The loops from `s` to `inner`, from the outside. False: it is not there.
    [[nodiscard]] bool nest_to(clang::Stmt const* s, clang::ForStmt const* inner, std::vector<split_loop>& nest) const;
    // The steps of loops, and what they do besides: of equal values firstmax, lastmin, ... want the first or the last
    // iteration's, so it is remembered where each value was found. Upward over blocks of one dimension, ranks are in the order
    // of iterations.
    void locations();

    emitter& emitter_;
    unit& unit_;
    directive const& d_;
    clang::Stmt const* iteration_ = nullptr; // which asks whether it is this rank's
    std::string outer_head_, outer_guard_;   // whether this rank has any iteration
    std::string before_, head_, guard_, set_, searches_;
    std::string asked_, share_;                           // of the dimension at hand: what is asked, and what declares the answer
    std::string names_;                                   // variables of the head that the loop itself reads, each behind a comma
    bool device_ = false;                                 // the loop runs on the device
    std::map<std::string, clang::VarDecl const*> copies_; // of coarrays, by their names
    std::string stored_;                                  // what brings them back
    bool laid_ = false;                                   // `layout` names an index that is split
    std::vector<split_loop> splits_;
    int windows_ = 0;
    unsigned dims_ = 0;
};

} // namespace sode::compiler
