// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sode::internal::tools {

/// One thing of this machine that decides how fast Sode is on it.
struct finding {
    std::string what;   ///< "frequency governor"
    std::string seen;   ///< "powersave on 2 of 2 processors"
    std::string remedy; ///< what to change, a command where there is one; empty: it is as it should be
};

} // namespace sode::internal::tools
