// SPDX-License-Identifier: Apache-2.0
#include "base/mpi_plugin.hpp"
#include "model/job.hpp"

namespace sode::detail {
using namespace internal;

accelerator& job::need_device() {
    if (whole) return whole->need_device();
    if (!device_)
        device_ = open_device(wished_device(settings.device, settings.device_bytes),
                              {.shared = *memory,
                               .freed = freed,
                               .rank = boot->rank(),
                               .place = ranks->machines().place(boot->rank()),
                               .plugin = find_beside_plugins("libsode-device-cuda.so", settings)});
    return *device_;
}

} // namespace sode::detail
