// SPDX-License-Identifier: Apache-2.0
#include "stencil/mpi/team.hpp"
#include "support/cores.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace sode::internal::bench {

#ifdef _OPENMP

void omp_team::run(std::function<void(int)> const& task) const {
    if (threads_ == 1) return task(0);
#pragma omp parallel num_threads(threads_)
    {
        int const t = omp_get_thread_num();
        // Threads of a new pool start on the core of the one that started them.
        if (t > 0 && static_cast<std::size_t>(t) < cores_.size()) bind_to_core(cores_[static_cast<std::size_t>(t)]);
        task(t);
    }
}

void omp_team::barrier() const noexcept {
    if (threads_ == 1) return;
#pragma omp barrier
}

void omp_team::rest() const noexcept {
    if (threads_ > 1) omp_pause_resource_all(omp_pause_soft);
}

bool omp_team::available() noexcept {
    return true;
}

#else

void omp_team::run(std::function<void(int)> const& task) const {
    task(0);
}
void omp_team::barrier() const noexcept {}
void omp_team::rest() const noexcept {}
bool omp_team::available() noexcept {
    return false;
}

#endif

} // namespace sode::internal::bench
