// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <clang/AST/Expr.h>
#include <clang/Lex/Token.h>
#include <memory>
#include <string>
#include <vector>

namespace sode::compiler {

using tokens = std::vector<clang::Token>;

/// An expression of a clause: what the user wrote, and what Clang understood.
struct expression {
    tokens words;
    clang::Expr const* parsed = nullptr;

    [[nodiscard]] bool given() const { return !words.empty(); }
};

/// One dimension behind a name: `a`, `a:b`, `a:b:c`, `*`, `:`; or a format with its argument, `cyclic(a)`.
struct dimension {
    expression lower, upper, step;
    std::string format;
    bool star = false;
    bool colon = false;
    clang::SourceLocation star_at;
};

/// `name[..][..]` or `name(.., ..)`. The dimensions are in the order of C in any case.
struct reference {
    clang::Token name{};
    tokens members; ///< `.m` behind the name, of what align and shadow are about
    bool square = false;
    bool given = false;
    int stars = 0; ///< no name: 1: `*`, the executing nodes; 2: `**`, all of them
    std::vector<dimension> dims;
};

/// How an item of a reduction is combined.
struct reduction {
    char const* operation;
    bool last;     ///< of equal values the last one's location
    int locations; ///< how many of the next items say where the value is; those are not combined
};

/// What follows the first name of `nodes` or `template` behind a comma.
struct declaration {
    reference name, of;
    bool has_of = false;
    int executing = 0; ///< as of a directive
};

/// `copyin(a[0:n], b)`, of an OpenACC directive.
struct openacc_clause {
    std::string name;
    clang::Token where;
    bool brackets = false;
    std::vector<expression> arguments;
    tokens raw; ///< what is in the brackets and is no expression; of a reduction its operation and the colon
};

/// `#pragma xmp ...`, `#pragma acc ...`
struct directive {
    unsigned number = 0;
    clang::SourceLocation hash, end;
    clang::SourceLocation body_of; ///< of what stands between a function's head and its body: the bracket behind it
    tokens words;
    std::string kind;
    bool wrong = false;

    std::vector<reference> names; ///< what it declares, or what it is about
    reference on;                 ///< `on`, `onto`, `with`; for `nodes q = p` p
    reference from;               ///< of bcast
    bool has_on = false, has_from = false;
    std::vector<clang::Token> indices; ///< of a loop
    std::vector<reduction> operations; ///< of a reduction, for each item
    expression async;
    std::vector<tokens> codimensions; ///< of coarray; empty: *
    std::vector<expression> items;    ///< variables of reduction, bcast, reflect
    expression acquired, status;      ///< of a lock
    std::vector<dimension> width;
    std::vector<bool> periodic; ///< or unbound, of a loop
    std::string reach;          ///< of gmove: in, out
    std::string window;         ///< of a loop: expand, margin, peel_and_wait
    bool orthogonal = false, alone = false;
    bool threads = false; ///< of a loop, with clauses of OpenMP
    tokens thread_clauses;
    bool kept = false;             ///< a static_desc names it
    int executing = 0;             ///< 1: nodes = *; 2: nodes = **
    std::string mapping;           ///< of nodes: auto (or nothing), order, or `costs`
    std::vector<dimension> costs;  ///< what faces across each dimension cost between machines
    std::vector<declaration> more; ///< of which each becomes a directive of its own
    std::vector<directive*> riders;
    std::vector<directive*> parts; ///< of a combined directive, the others
    bool part = false;             ///< of a combined directive, whose text it shares with the others
    bool rides = false;            ///< the directive is one of another one's `more`

    bool openacc = false;       ///< of OpenACC
    bool accelerated = false;   ///< `acc`: about what is on the device
    clang::Token device_side{}; ///< of gmove: acc(variable)
    std::vector<openacc_clause> clauses;
    directive* region = nullptr; ///< the compute construct that it stands in

    std::vector<expression*> slots; ///< all expressions, by the numbers that they have in the token stream
    clang::Stmt const* body = nullptr;
    clang::FunctionDecl const* function = nullptr; ///< null: at file scope, or that of a namespace
    std::string scope;                             ///< the namespaces around it, `a::b::`
};

} // namespace sode::compiler
