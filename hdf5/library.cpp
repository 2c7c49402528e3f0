// SPDX-License-Identifier: Apache-2.0
#include "hdf5/library.hpp"

#include <string>

namespace sode::internal::files {
namespace {

// HDF5 is one for the whole process, and only some builds of it may be called by two threads at once; ranks may be threads. So its
// lock is one for the process, too.
std::mutex& door() {
    static std::mutex m;
    return m;
}

// Errors come innermost first, and that one is the reason.
herr_t take_first(unsigned, H5E_error2_t const* e, void* text) {
    if (e->desc != nullptr) *static_cast<std::string*>(text) = e->desc;
    return 1; // enough
}

std::string reason() {
    std::string text;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &text);
    // Of a failed system call: "…, errno = 2, error message = 'No such file or directory', …".
    constexpr std::string_view mark = "error message = '";
    if (auto const at = text.find(mark); at != std::string::npos) {
        auto const first = at + mark.size();
        text = text.substr(first, text.find('\'', first) - first);
    }
    return text.empty() ? "HDF5 gives no reason" : text;
}

} // namespace

library_use::library_use() : lock_(door()) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

library_use::~library_use() {
    // What a thread leaves in its stack of errors when it ends keeps the library from closing.
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, print_, print_data_);
}

error hdf5_error(std::string_view problem, std::string_view suggestion) {
    return error{error_kind::environment, problem, reason(), suggestion};
}

} // namespace sode::internal::files
