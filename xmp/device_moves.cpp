// SPDX-License-Identifier: Apache-2.0
// `gmove` whose sides are on the device: the part that moves goes through memory of the host.
#include "device_array.hpp"

#include "asynchronous.hpp"
#include "process.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace sode::xmp {
namespace {

/// One side of a gmove, as it is on the host while it moves.
class device_side {
public:
    device_side(char const* at, sode_xmp_side const& side) : device_(device(at)), side_(side) {
        if (shares_memory(at)) return;
        if (side.array)
            load_array(at);
        else
            load_local(at);
    }
    device_side(device_side const&) = delete;
    device_side& operator=(device_side const&) = delete;

    [[nodiscard]] sode_xmp_side const& side() const { return side_; }
    void store() {
        if (array_) {
            array_->move(box_, true, array_->stage_base(), array_->stage_lies(), device_.now);
        } else if (there_) {
            device_.to_device(there_, copy_.data(), copy_.size(), device_.now);
        }
    }

private:
    // The part and what lies between its elements: that is as it was when it comes back.
    void load_array(char const* at) {
        auto& copy = device_copy(at, *side_.array);
        copy.require(at, "gmove with `acc`");
        std::vector<sode_range> around(side_.part, side_.part + side_.dims);
        for (auto& r : around)
            if (r.step < 0) r = {r.upper - 1, r.lower + 1, 1};
        auto const mine = copy.owned();
        side_.array = &copy.stage(at);
        array_ = &copy;
        box_ = copy.held(around.data());
        for (std::size_t d = 0; d < static_cast<std::size_t>(box_.dims); ++d) {
            box_.lower[d] = std::max(box_.lower[d], mine.lower[d]);
            box_.upper[d] = std::min(box_.upper[d], mine.upper[d]);
        }
        copy.move(box_, false, copy.stage_base(), copy.stage_lies(), device_.now);
    }
    void load_local(char const* at) {
        std::int64_t stride = 1, first = 0, last = 0;
        for (auto d = static_cast<std::size_t>(side_.dims); d-- > 0;) {
            auto const& r = side_.part[d];
            auto const low = r.step < 0 ? r.upper - 1 : r.lower, high = r.step < 0 ? r.lower : r.upper - 1;
            if (high < low) return;
            first += low * stride;
            last += high * stride;
            stride *= side_.extents[d];
        }
        auto const size = static_cast<std::int64_t>(side_.type >> 8);
        auto* const host = static_cast<char*>(side_.local) + first * size;
        auto const bytes = static_cast<std::size_t>((last - first + 1) * size);
        if (device_.present(host, bytes) == 0)
            fail(at, "gmove with `acc` needs both arrays on the device, and one array is not on the device",
                 "copy the array to the device first (#pragma acc enter data copyin(...)), or name the other side: acc(variable)");
        there_ = static_cast<char*>(device_.address(host));
        copy_.resize(bytes);
        device_.from_device(copy_.data(), there_, bytes, device_.now);
        side_.local = copy_.data() - first * size;
    }

    sode_acc_device const& device_;
    sode_xmp_side side_;
    on_device* array_ = nullptr;
    places box_;
    std::vector<char> copy_;
    char* there_ = nullptr;
};

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void sode_acc_gmove(char const* at, sode_xmp_side const* to, sode_xmp_side const* from, int sides) {
    std::unique_ptr<device_side> source, target;
    if ((sides & 2) != 0) source = std::make_unique<device_side>(at, *from);
    if ((sides & 1) != 0) target = std::make_unique<device_side>(at, *to);
    sode_xmp_gmove(at, target ? &target->side() : to, source ? &source->side() : from);
    if (target) target->store();
}

void sode_acc_gmove_async(char const* at, sode_xmp_side const* to, sode_xmp_side const* from, int sides, int number) {
    std::shared_ptr<device_side> source, target;
    if ((sides & 2) != 0) source = std::make_shared<device_side>(at, *from);
    if ((sides & 1) != 0) target = std::make_shared<device_side>(at, *to);
    sode_xmp_gmove_async(at, target ? &target->side() : to, source ? &source->side() : from, number);
    keep({.number = number,
          .owner = to->array ? static_cast<void const*>(to->array->state) : nullptr,
          .over = [](char const*) { return true; },
          .finish =
              [source, target](char const*) {
                  if (target) target->store();
              }});
}

void sode_acc_gmove_fill(char const* at, sode_xmp_side const* to, void const* value) {
    device_side target{at, *to};
    sode_xmp_gmove_fill(at, &target.side(), value);
    target.store();
}

} // extern "C"
