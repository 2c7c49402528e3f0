// SPDX-License-Identifier: Apache-2.0
// Several devices of one rank: `devices`, `on_device`, `layout`.
#include "device_array.hpp"

#include "process.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace sode::xmp {
namespace {

// What programs have put something onto.
std::set<int>& used() {
    static std::set<int> all;
    return all;
}
int own = -1;

void require_set(char const* at, on_device const& copy, sode_acc_devices const& devices) {
    copy.require(at, "`on_device`");
    auto const& l = copy.layout();
    bool const there = l ? l->first == devices.first && l->count == devices.count
                         : shares_memory(at) || (devices.count == 1 && devices.first == device(at).which());
    if (there) return;
    fail(at, "array \"" + copy.name() + "\" is not on devices " + devices.name,
         std::string{"copy the array to the devices with on_device("} + devices.name + ") in the data directive");
}

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

sode_acc_devices sode_acc_devices_of(char const* at, char const* name, int64_t count, int64_t first, int64_t length, int there) {
    auto const asked = length >= 0 ? length : count;
    if (device(at).count() == 0 && count == 0 && first == 0 && length < 0) return {name, 1, 0}; // the host
    auto const have = std::max<std::int64_t>(0, there - first);
    if (first < 0 || have == 0 || asked > have)
        fail(at,
             "devices " + std::string{name} + " do not exist (this rank has " + std::to_string(there) + " devices of that kind)",
             std::string{"declare all existing devices: #pragma acc devices "} + name + "[*]");
    if (count < 0 || length == 0 || (length > 0 && count > 0 && length != count))
        fail(at,
             "devices " + std::string{name} + " are declared with two different numbers (" + std::to_string(count) + " and " +
                 std::to_string(length) + ")",
             "write the number once, with [*] on the left side");
    return {name, static_cast<int>(asked > 0 ? asked : have), static_cast<int>(first)};
}

sode_acc_devices sode_acc_devices_among(char const* at, char const* name, int64_t count, int64_t first, int64_t length,
                                        sode_acc_devices const* all) {
    if (device(at).count() == 0 && first == 0 && count <= 1 && length <= 1) return {name, 1, 0}; // the host
    auto some = sode_acc_devices_of(at, name, count, first, length, all->count);
    some.first += all->first;
    return some;
}

sode_acc_devices* sode_acc_default_devices(void) {
    static sode_acc_devices all{"default", 0, 0};
    if (all.count == 0) all = sode_acc_devices_of("on_device", "default", 0, 0, -1, device("on_device").count());
    return &all;
}

sode_acc_devices* sode_acc_some_devices(char const* at, sode_acc_devices const* all, int64_t first, int64_t length) {
    static auto* const made = new std::map<std::tuple<sode_acc_devices const*, std::int64_t, std::int64_t>, sode_acc_devices>;
    auto const [found, is_new] = made->try_emplace({all, first, length});
    if (is_new) found->second = sode_acc_devices_among(at, all->name, 0, first, length, all);
    return &found->second;
}

void sode_acc_use(sode_acc_devices const* devices, int which) {
    auto const& d = device("on_device");
    if (d.count() == 0) return;
    if (which >= 0) {
        if (own < 0) own = d.which();
        used().insert(devices->first + which);
        return d.use(devices->first + which);
    }
    if (own >= 0) d.use(own);
    own = -1;
}

void sode_acc_wait_devices(sode_acc_devices const* devices, int queue, int all) {
    auto const& d = device("wait");
    auto const wait = [&](int number) {
        other_device const now{d, number};
        all ? d.wait_all() : d.wait(queue);
    };
    if (d.count() == 0) return wait(-1);
    for (int k = 0; devices && k < devices->count; ++k) wait(devices->first + k);
    if (devices) return;
    wait(-1);
    for (int const number : used()) wait(number);
}

void sode_acc_lay_out(char const* at, sode_xmp_array* array, sode_acc_devices const* devices, int dim, int64_t below,
                      int64_t above) {
    auto& copy = device_copy(at, *array);
    device_layout wanted{.first = devices->first, .count = devices->count, .dim = dim};
    if (dim >= 0) {
        auto const d = static_cast<std::size_t>(dim);
        wanted.below = below < 0 ? copy.shadow(d, 0) : below;
        wanted.above = above < 0 ? copy.shadow(d, 1) : above;
    }
    for (int k = 0; k < devices->count; ++k) used().insert(devices->first + k);
    copy.lay_out(at, wanted);
}

sode_xmp_share sode_acc_share(char const* at, sode_xmp_share share, sode_xmp_array* array, sode_acc_devices const* devices,
                              int which, int dim, int64_t shift) {
    auto const& copy = device_copy(at, *array);
    require_set(at, copy, *devices);
    auto const& l = copy.layout();
    if (!l) return share;
    if (l->dim != dim)
        fail(at,
             "array \"" + copy.name() + "\" is not laid out along dimension " + std::to_string(dim) +
                 ", which `layout` of this loop names",
             l->dim < 0 ? "add `layout` to the directive that copies the array to the devices"
                        : "name the loop's index in dimension " + std::to_string(l->dim));
    auto const d = static_cast<std::size_t>(dim);
    if (shift != copy.offset(d))
        fail(at, "`layout` and `on` of this loop name different elements of array \"" + copy.name() + "\"",
             "give `layout` the element that `on` is aligned with");
    auto const& parts = copy.parts();
    auto const& own = parts[static_cast<std::size_t>(which)].own;
    bool const some = own.upper[d] > own.lower[d] && !own.empty();
    bool const last = static_cast<std::size_t>(which) + 1 == parts.size() || parts[static_cast<std::size_t>(which) + 1].own.empty();
    if (!some && which > 0) share.upper = share.lower;
    if (!some) return share;
    if (which > 0) share.lower = std::max(share.lower, own.lower[d] + shift);
    if (!last) share.upper = std::min(share.upper, own.upper[d] + shift);
    share.upper = std::max(share.lower, share.upper);
    return share;
}

void* sode_acc_base_on(char const* at, sode_xmp_array* array, sode_acc_devices const* devices, int which, int split) {
    auto const& copy = device_copy(at, *array);
    require_set(at, copy, *devices);
    auto const& l = copy.layout();
    if (l && l->dim >= 0 && l->count > 1 && !split)
        fail(at, "array \"" + copy.name() + "\" is split over devices, and each device executes all iterations of this construct",
             "add layout(" + copy.name() + "[...]) to the loop");
    auto const& part = copy.parts()[l ? static_cast<std::size_t>(which) : 0];
    auto* const there = copy.address(part);
    return there ? there + copy.shift(part) : array->base;
}

void sode_acc_on_devices(char const* at, sode_xmp_array* array, sode_acc_devices const* devices, int if_there) {
    auto const& copy = device_copy(at, *array);
    if (!if_there || copy.there()) require_set(at, copy, *devices);
}

void sode_acc_reduced(char const* at, sode_acc_devices const* devices, char const* name, void* value, size_t bytes) {
    auto const& d = device(at);
    if (shares_memory(at) || devices->count < 2) return;
    for (int k = 0; k < devices->count; ++k) {
        other_device const now{d, devices->first + k};
        if (d.present(value, bytes) != 0)
            fail(at, std::string{name} + " is on a device, and several devices combine it on the host",
                 std::string{"remove "} + name + " from data clauses: the construct copies the variable");
    }
}

void sode_acc_reflect_devices(char const* at, sode_xmp_array* array) {
    device_copy(at, *array).reflect_between(at);
}

} // extern "C"
