// SPDX-License-Identifier: Apache-2.0
// `barrier`, `reduction` and `bcast` of what is on the device.
#include "asynchronous.hpp"
#include "device_array.hpp"
#include "device_patterns.hpp"
#include "dynamic_coarrays.hpp"
#include "process.hpp"
#include "replicas.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace sode::xmp {
namespace {

void not_there(char const* at, std::string const& what) {
    fail(at, what + " with `acc` needs the values on the device, and the values are not on the device",
         "copy the values to the device first: #pragma acc enter data copyin(...)");
}

/// Values of the program as they are on the device, for what moves memory of the host.
class device_values {
public:
    device_values(char const* at, void* host, std::size_t bytes, char const* what, bool needed) : device_(device(at)), host_(host) {
        bool const there = bytes == 0 || device_.present(host, bytes) != 0;
        if (!there && needed) not_there(at, what);
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

sode_pattern pattern_of(sode_acc_side const& s) {
    sode_pattern p{0, static_cast<std::int64_t>(s.bytes), s.dims, {}, {}};
    std::copy_n(s.counts, s.dims, p.counts);
    std::copy_n(s.strides, s.dims, p.strides);
    return p;
}

// Where the device has the first element; null: it does not have them, or shares the host's memory.
char* first_there(char const* at, sode_acc_side const& s) {
    if (shares_memory(at)) return nullptr;
    auto const [first, end] = extent_of(pattern_of(s));
    auto* const host = static_cast<char*>(s.first) + first;
    if (device(at).present(host, static_cast<std::size_t>(end - first)) == 0) return nullptr;
    return static_cast<char*>(device(at).address(host)) - first;
}

/// This rank's elements of an array of which several nodes have copies, packed on the host while they are combined or replaced.
class device_replica {
public:
    device_replica(char const* at, sode_xmp_array const& array, sode_xmp_set const& among, char const* what)
        : copy_(device_copy(at, array)), own_(copy_.owned()), queue_(device(at).now) {
        copy_.require(at, what);
        require_copies(at, *array.state, among);
        lies_.bytes = array.state->type >> 8;
        std::int64_t stride = 1;
        for (auto d = static_cast<std::size_t>(own_.dims); d-- > 0; stride *= own_.upper[d] - own_.lower[d]) {
            lies_.strides[d] = stride;
            before_ += own_.lower[d] * stride;
        }
        values_.resize(own_.empty() ? 0 : count() * lies_.bytes);
        if (!values_.empty()) copy_.move(own_, false, base(), lies_, queue_);
    }
    device_replica(device_replica const&) = delete;
    device_replica& operator=(device_replica const&) = delete;

    [[nodiscard]] void* values() { return values_.data(); }
    [[nodiscard]] std::size_t count() const { return own_.empty() ? 0 : static_cast<std::size_t>(own_.count()); }
    [[nodiscard]] std::size_t bytes() const { return values_.size(); }
    void store() {
        if (!values_.empty()) copy_.move(own_, true, base(), lies_, queue_);
    }

private:
    // Where index 0 of all dimensions would be.
    [[nodiscard]] char* base() { return values_.data() - before_ * static_cast<std::int64_t>(lies_.bytes); }

    on_device& copy_;
    places own_;
    lying lies_;
    int queue_;
    std::int64_t before_ = 0;
    std::vector<char> values_;
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

void sode_acc_reduce_array(char const* at, sode_xmp_set* set, sode_op op, sode_xmp_array* array) {
    auto& among = set ? *set : process::here().executing();
    if (among.mine < 0) return;
    if (shares_memory(at)) return sode_xmp_reduce_array(at, &among, op, array);
    device_replica own{at, *array, among, "reduction with `acc`"};
    sode_xmp_reduce(at, &among, op, own.values(), own.count(), array->state->type);
    own.store();
}

void sode_acc_bcast_array(char const* at, sode_xmp_set* set, sode_xmp_set* from, sode_xmp_array* array) {
    auto& among = set ? *set : process::here().executing();
    if (among.mine < 0) return;
    if (shares_memory(at)) return sode_xmp_bcast_array(at, &among, from, array);
    device_replica own{at, *array, among, "bcast with `acc`"};
    sode_xmp_bcast(at, &among, from, own.values(), own.bytes());
    own.store();
}

void* sode_acc_packed(char const* at, sode_acc_side const* what, size_t* bytes, int needed) {
    auto const pattern = pattern_of(*what);
    *bytes = static_cast<std::size_t>(bytes_of(pattern));
    auto* const packed = static_cast<char*>(sode_xmp_room(*bytes));
    auto* const there = *bytes == 0 ? nullptr : first_there(at, *what);
    if (there)
        move_pattern(device(at), there, pattern, packed, false);
    else if (*bytes > 0 && needed != 0 && !shares_memory(at))
        not_there(at, "a variable of a directive");
    else
        move_pattern(static_cast<char*>(what->first), pattern, packed, false);
    return packed;
}

void sode_acc_unpacked(char const* at, sode_acc_side const* what, void* packed) {
    auto const pattern = pattern_of(*what);
    if (auto* const there = bytes_of(pattern) == 0 ? nullptr : first_there(at, *what))
        move_pattern(device(at), there, pattern, static_cast<char*>(packed), true);
    else
        move_pattern(static_cast<char*>(what->first), pattern, static_cast<char*>(packed), true);
    sode_xmp_room_free(packed);
}

} // extern "C"
