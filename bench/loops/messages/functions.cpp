// SPDX-License-Identifier: Apache-2.0
#include "functions.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace sode::bench {

functions functions::of_library(std::string const& path) {
    void* const library = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) throw std::runtime_error{path + " is not loaded (this program is linked with another library)"};
    auto const find = [&](char const* name) {
        void* const address = ::dlsym(library, name);
        if (address == nullptr) throw std::runtime_error{path + " has no " + name};
        return address;
    };
    functions f;
#define SODE_FIND(NAME) f.NAME = reinterpret_cast<decltype(f.NAME)>(find("PMPI_" #NAME)); // NOLINT: the function of that name
    SODE_FOR_EACH_FUNCTION(SODE_FIND)
#undef SODE_FIND
    return f;
}

} // namespace sode::bench
