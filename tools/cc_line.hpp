// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>
#include <string>
#include <vector>

namespace sode::internal::tools {

/// The command line of `sode cc` or `sode c++`, sorted by who must see it.
struct cc_line {
    std::string compiler;
    bool named = false;        ///< the compiler is the user's choice
    bool accelerators = false; ///< -acc
    bool stand_in = false;     ///< --device=stand-in
    int devices = 1;           ///< --device=stand-in:COUNT
    bool show = false, emit = false, links = true;
    bool dependencies = false;        ///< a list of them is written besides
    bool only_lists = false;          ///< -M, -MM: nothing is compiled
    std::string output, list;         ///< -o, -MF
    std::vector<std::string> words;   ///< the compiler's, sources among them
    std::set<std::size_t> sources;    ///< which of the words these are
    std::set<std::size_t> as_c;       ///< those whose names do not say that they are C: `-x c`
    std::set<std::size_t> as_cxx;     ///< those that are C++
    std::vector<std::string> reading; ///< what says how sources are read
};

/// Understands the words behind `sode cc`, or `sode c++`, those in response files (`@file`) too. Errors: usage.
cc_line sorted(bool cxx, std::vector<std::string> const& given);

} // namespace sode::internal::tools
