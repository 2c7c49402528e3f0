// SPDX-License-Identifier: Apache-2.0
// `barrier`, `reduction` and `bcast` of what is on the device.
#include "asynchronous.hpp"
#include "device.hpp"
#include "process.hpp"

#include <cstring>
#include <memory>
#include <vector>

namespace sode::xmp {
namespace {

/// Values of the program as they are on the device, for what moves memory of the host.
class device_values {
public:
    device_values(char const* at, void* host, std::size_t bytes, char const* what, bool needed) : device_(device(at)), host_(host) {
        bool const there = bytes == 0 || device_.present(host, bytes) != 0;
        if (!there && needed)
            fail(at, std::string{what} + " with `acc` needs its values on the device, and they are not there",
                 "copy them to the device first: #pragma acc enter data copyin(...)");
        there_ = there ? static_cast<char*>(device_.address(host)) : nullptr;
        if (!there_ || there_ == host) return;
        copy_.resize(bytes);
        device_.from_device(copy_.data(), there_, bytes, device_.now);
    }
    device_values(device_values const&) = delete;
    device_values& operator=(device_values const&) = delete;

    [[nodiscard]] void* data() { return copy_.empty() ? host_ : copy_.data(); }
    void store() {
        if (!copy_.empty()) device_.to_device(there_, copy_.data(), copy_.size(), device_.now);
    }

private:
    sode_acc_device const& device_;
    void* host_;
    char* there_ = nullptr;
    std::vector<char> copy_;
};

// What was begun with this number ends before: then the device gets it.
void store_after(int number, std::shared_ptr<device_values> const& values) {
    keep({.number = number,
          .owner = nullptr,
          .over = [](char const*) { return true; },
          .finish = [values](char const*) { values->store(); }});
}

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void sode_acc_barrier(char const* at, sode_xmp_set* set) {
    device(at).wait_all();
    sode_xmp_barrier(at, set);
}

void sode_acc_reduce_begin(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type) {
    device_values there{at, values, count * (type >> 8), "reduction", false};
    sode_xmp_reduce_begin(at, set, op, there.data(), count, type);
    there.store();
}

void sode_acc_reduce(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type, int needed) {
    device_values there{at, values, count * (type >> 8), "reduction", needed != 0};
    sode_xmp_reduce(at, set, op, there.data(), count, type);
    there.store();
}

void sode_acc_reduce_async(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type, int number) {
    auto const there = std::make_shared<device_values>(at, values, count * (type >> 8), "reduction", true);
    sode_xmp_reduce_async(at, set, op, there->data(), count, type, number);
    store_after(number, there);
}

void sode_acc_bcast(char const* at, sode_xmp_set* set, sode_xmp_set* from, void* data, size_t bytes) {
    device_values there{at, data, bytes, "bcast", true};
    sode_xmp_bcast(at, set, from, there.data(), bytes);
    there.store();
}

void sode_acc_bcast_async(char const* at, sode_xmp_set* set, sode_xmp_set* from, void* data, size_t bytes, int number) {
    auto const there = std::make_shared<device_values>(at, data, bytes, "bcast", true);
    sode_xmp_bcast_async(at, set, from, there->data(), bytes, number);
    store_after(number, there);
}

} // extern "C"
