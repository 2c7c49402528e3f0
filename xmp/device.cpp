// SPDX-License-Identifier: Apache-2.0
// Which device this rank has.
#include "device.hpp"

#include "process.hpp"

#include <cstdlib>

namespace sode::xmp {
namespace {

sode_acc_device const* known = nullptr;

// Several ranks of a machine share its devices evenly: they have neighbouring numbers.
void choose_device() {
    int const all = known->count();
    if (all > 1 && !std::getenv("ACC_DEVICE_NUM")) known->use(sode_rank(process::here().world().job) % all);
}

void (*const parts[])(void) = {choose_device, nullptr};

} // namespace

sode_acc_device const& device(char const* at) {
    if (!known)
        fail(at, "no data is on a device (no file of this program was compiled with -acc)",
             "compile the program with sode cc -acc");
    return *known;
}

bool shares_memory(char const* at) {
    static bool const shared = [at] {
        auto const& d = device(at);
        if (d.count() == 0) return true;
        static char probe[64];
        d.create(probe, sizeof probe);
        bool const same = d.address(probe) == probe;
        d.remove(probe, sizeof probe);
        return same;
    }();
    return shared;
}

} // namespace sode::xmp

using namespace sode::xmp;

extern "C" void sode_acc_unit(sode_acc_device const* device) {
    if (!known) process::here().unit(parts);
    known = device;
}
