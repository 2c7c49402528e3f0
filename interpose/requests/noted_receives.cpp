// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/noted_receives.hpp"

namespace sode::internal::interpose {

noted_receive* noted_receives::add_elsewhere(MPI_Request handle) noexcept {
    if (noted_receive* const r = find(handle)) drop(*r); // completed behind our back
    for (std::size_t n = 0; n < near; ++n) {
        noted_receive& r = all_[(first(handle) + n) % places];
        if (r.handle != no_request()) continue;
        r.handle = handle;
        ++count_;
        elsewhere_ += n == 0 ? 0 : 1;
        return &r;
    }
    return nullptr;
}

noted_receive* noted_receives::find_elsewhere(MPI_Request handle) noexcept {
    for (std::size_t n = 1; n < near; ++n)
        if (noted_receive& r = all_[(first(handle) + n) % places]; r.handle == handle) return &r;
    return nullptr;
}

void noted_receives::bring_back(noted_receive& r, MPI_Request handle) noexcept {
    if (r.handle != no_request()) return;
    r.handle = handle;
    ++count_;
    if (r.now.is_long) ++long_;
    if (&r != &all_[first(handle)]) ++elsewhere_;
}

} // namespace sode::internal::interpose
