// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/unit/unit.hpp"

#include <string>

namespace sode::compiler {

/// `on_device(d) layout(...) shadow(...)` of a directive of OpenACC.
struct device_set {
    std::string name;   ///< d
    std::string object; ///< what the rewritten program calls it
    // of data
    bool laid_out = false;
    std::size_t dims = 0; ///< of `layout`
    int dim = -1;         ///< which is cut into blocks
    std::string below = "-1", above = "-1";
    // of a loop
    aligned_array const* array = nullptr; ///< in `layout`
    clang::IdentifierInfo const* index = nullptr;
    std::string element; ///< its expression there
};

/// A loop that several devices share.
struct shared_loop {
    directive const* construct = nullptr;
    device_set set;
    std::string counter; ///< which device of the set
    bool opens = false;  ///< the directive `loop` stands above the construct
    std::string before, behind;
};

} // namespace sode::compiler
