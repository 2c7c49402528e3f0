// SPDX-License-Identifier: Apache-2.0
// Copies of distributed arrays on the device.
#include "device_array.hpp"

#include "asynchronous.hpp"
#include "moves.hpp"
#include "process.hpp"

#include <algorithm>

namespace sode::xmp {
namespace {

// More pieces than this are packed on the device and moved as one.
constexpr std::int64_t most_pieces = 16;

void look_at(char const* at, sode_array* array, sode_runtime* job, void*& base, lying& how, places& all) {
    check(at, sode_array_view(array, &base, how.strides.data(), all.lower.data(), all.upper.data()), job);
}

} // namespace

on_device::on_device(char const* at, sode_xmp_array const& array) : device_(device(at)), array_(array) {
    auto const& s = *array.state;
    all_.dims = s.dims;
    lies_.bytes = s.type >> 8;
    look_at(at, s.array, s.job, base_, lies_, all_);
    cut(std::nullopt);
}

void on_device::cut(std::optional<device_layout> const& layout) {
    layout_ = layout;
    parts_ = parts_of(all_, base_ && !all_.empty() ? owned() : all_, layout);
    for (auto& p : parts_) {
        if (!base_ || p.has.empty()) continue;
        std::int64_t first = 0, last = 0;
        for (std::size_t d = 0; d < static_cast<std::size_t>(all_.dims); ++d) {
            first += p.has.lower[d] * lies_.strides[d];
            last += (p.has.upper[d] - 1) * lies_.strides[d];
        }
        p.first = static_cast<char*>(base_) + first * static_cast<std::int64_t>(lies_.bytes);
        p.bytes = static_cast<std::size_t>(last - first + 1) * lies_.bytes;
    }
}

void on_device::release(device_halo& h) {
    for (auto* const list : {&h.rims, &h.halos, &h.between})
        for (auto& piece : *list) {
            other_device const device{device_, parts_[piece.part].device};
            if (piece.packed) device_.release(piece.packed);
            if (!piece.there) continue;
            other_device const to{device_, parts_[piece.to].device};
            device_.release(piece.there);
        }
}

on_device::~on_device() {
    if (entered_ > 0 && !foreign_ && there())
        for (auto const& p : parts_) {
            other_device const device{device_, p.device};
            if (p.bytes > 0) device_.remove(p.first, p.bytes);
        }
    for (auto& [kind, h] : halos_) release(h);
    if (!stage_state_) return;
    forget(stage_state_.get());
    forget_moves(*stage_state_);
    for (auto& [kind, exchange] : stage_state_->exchanges) sode_exchange_destroy(exchange);
    sode_array_destroy(stage_state_->array);
}

bool on_device::there() const {
    return std::ranges::all_of(parts_, [&](device_part const& p) {
        other_device const device{device_, p.device};
        return p.bytes == 0 || device_.present(p.first, p.bytes) != 0;
    });
}

char* on_device::address(device_part const& p) const {
    other_device const device{device_, p.device};
    return p.bytes == 0 ? p.first : static_cast<char*>(device_.address(p.first));
}

std::int64_t on_device::shadow(std::size_t dim, std::size_t side) const {
    auto const width = array_.state->shadow[2 * dim + side];
    return width < 0 ? array_.state->extents[dim] : width;
}

void on_device::require(char const* at, char const* what) const {
    if (!there())
        fail(at, "array \"" + array_.state->name + "\" is not on the device (" + what + " needs the array there)",
             "copy the array to the device first: #pragma acc enter data copyin(" + array_.state->name + ")");
}

device_part const& on_device::only(char const* at, char const* what) const {
    if (parts_.size() > 1)
        fail(at,
             std::string{what} + " supports one device, and array \"" + name() + "\" is on " + std::to_string(parts_.size()) +
                 " devices",
             "add on_device(...) to the directive, or copy the array to one device");
    return parts_.front();
}

void on_device::lay_out(char const* at, device_layout const& wanted) {
    laid_out_ = true;
    if (layout_ == wanted) return;
    bool const same_devices = layout_ && layout_->first == wanted.first && layout_->count == wanted.count;
    if (entered_ > 0 && same_devices && wanted.dim < 0) return; // as it lies already
    if (entered_ > 0)
        fail(at, "array \"" + name() + "\" is already on devices, with another layout",
             "remove the array from the devices first (#pragma acc exit data), or omit `layout`");
    cut_anew(shares_memory(at) ? std::nullopt : std::optional{wanted});
}

void on_device::cut_anew(std::optional<device_layout> const& layout) {
    forget(array_.state);
    for (auto& [kind, h] : halos_) release(h);
    halos_.clear();
    initialised = nullptr;
    cut(layout);
}

void on_device::enter(char const* at, int how, sode_range const* part, int queue) {
    if (entered_ == 0 && layout_ && !laid_out_) cut_anew(std::nullopt);
    laid_out_ = false;
    if ((how & sode_acc_no_create) != 0) return;
    if ((how & sode_acc_present) != 0) require(at, "`present`");
    if (entered_++ > 0 || all_.empty() || !base_) return;
    foreign_ = there() || shares_memory(at);
    if (foreign_) return;
    for (auto const& p : parts_) {
        other_device const device{device_, p.device};
        if (p.bytes > 0) device_.create(p.first, p.bytes);
    }
    if ((how & sode_acc_copyin) != 0) move(held(part), true, host(), lies_, queue);
}

void on_device::leave(int how, sode_range const* part, int queue) {
    if ((how & sode_acc_no_create) != 0 || entered_ == 0) return;
    bool const last = entered_ == 1 || (how & sode_acc_finalize) != 0;
    entered_ = last ? 0 : entered_ - 1;
    if (!last || foreign_ || all_.empty() || !base_) return;
    if (queue != device_.now) // the memory goes
        for (auto const& p : parts_) {
            other_device const device{device_, p.device};
            device_.wait(queue);
        }
    if ((how & sode_acc_copyout) != 0) move(held(part), false, host(), lies_, device_.now);
    for (auto const& p : parts_) {
        other_device const device{device_, p.device};
        if (p.bytes > 0) device_.remove(p.first, p.bytes);
    }
}

void on_device::move(places const& what, bool to_device, char* host, lying const& host_lies, int queue) const {
    for (auto const& p : parts_) {
        other_device const device{device_, p.device};
        move(p, common(what, to_device ? p.has : p.answers), to_device, host, host_lies, queue);
    }
}

void on_device::move(device_part const& part, places const& what, bool to_device, char* host, lying const& host_lies,
                     int queue) const {
    if (what.empty() || part.bytes == 0) return;
    auto* const there = address(part);
    if (!there || there == part.first) return;
    auto* const device_base = there + shift(part);
    auto const box = box_of(what, lies_, 0), host_box = box_of(what, host_lies, 0);
    bool const alike = std::ranges::equal(box.counts, host_box.counts);
    if (alike && runs_of(box) <= most_pieces) {
        std::vector<std::int64_t> places_here;
        for_each_run(host_box, [&](std::int64_t at, std::int64_t, std::size_t) { places_here.push_back(at); });
        std::size_t k = 0;
        for_each_run(box, [&](std::int64_t at, std::int64_t, std::size_t bytes) {
            if (to_device)
                device_.to_device(device_base + at, host + places_here[k++], bytes, queue);
            else
                device_.from_device(host + places_here[k++], device_base + at, bytes, queue);
        });
        return;
    }
    if (queue != device_.now) device_.wait(queue);
    std::vector<char> packed(static_cast<std::size_t>(what.count()) * lies_.bytes);
    auto* const packed_there = device_.allocate(packed.size());
    if (to_device) {
        for_each_run(host_box,
                     [&](std::int64_t at, std::int64_t in, std::size_t n) { std::copy_n(host + at, n, packed.data() + in); });
        device_.to_device(packed_there, packed.data(), packed.size(), device_.now);
        device_.unpack(device_base, packed_there, &box);
    } else {
        device_.pack(packed_there, device_base, &box);
        device_.from_device(packed.data(), packed_there, packed.size(), device_.now);
        for_each_run(host_box,
                     [&](std::int64_t at, std::int64_t in, std::size_t n) { std::copy_n(packed.data() + in, n, host + at); });
    }
    device_.release(packed_there);
}

// Where an index lies in this rank's memory, or where the next one that it has does.
std::int64_t on_device::place_of(std::size_t d, std::int64_t index) const {
    auto const& c = array_.cyclic[d];
    if (c.period == 1) return index;
    sode_dimension is{};
    check("", sode_grid_dimension(array_.state->grid, static_cast<int>(d), &is), array_.state->job);
    auto const at = std::clamp<std::int64_t>(index, 0, is.extent) + c.phase;
    return at / c.period * c.chunk + std::clamp<std::int64_t>(at % c.period - is.coordinate * c.chunk, 0, c.chunk) - c.before;
}

places on_device::held(sode_range const* part) const {
    auto result = all_;
    for (std::size_t d = 0; part && d < static_cast<std::size_t>(all_.dims); ++d) {
        result.lower[d] = std::max(all_.lower[d], place_of(d, part[d].lower));
        result.upper[d] = std::min(all_.upper[d], place_of(d, part[d].upper));
    }
    return result;
}

places on_device::owned() const {
    auto result = all_;
    auto const& s = *array_.state;
    std::array<std::int64_t, 7> lower{}, upper{};
    bool whole = false;
    for (std::size_t d = 0; d < static_cast<std::size_t>(all_.dims); ++d) {
        whole = whole || s.shadow[2 * d] < 0;
        if (s.shadow[2 * d] < 0) continue;
        result.lower[d] += s.shadow[2 * d];
        result.upper[d] -= s.shadow[2 * d + 1];
    }
    if (!whole) return result;
    check("", sode_grid_owned(s.grid, lower.data(), upper.data()), s.job);
    for (std::size_t d = 0; d < static_cast<std::size_t>(all_.dims); ++d)
        if (s.shadow[2 * d] < 0) {
            result.lower[d] = lower[d];
            result.upper[d] = upper[d];
        }
    return result;
}

sode_xmp_array& on_device::stage(char const* at) {
    if (stage_state_) return stage_;
    auto const& s = *array_.state;
    stage_state_ = std::make_unique<sode_xmp_array_state>();
    auto& made = *stage_state_;
    made.name = s.name;
    made.along = s.along;
    made.job = s.job;
    made.grid = s.grid;
    made.type = s.type;
    made.dims = s.dims;
    made.extents = s.extents;
    made.offsets = s.offsets;
    made.targets = s.targets;
    made.shadow = s.shadow;
    check(at, sode_array_create(s.grid, s.type, s.shadow.data(), (s.name + ", on the device").c_str(), &made.array), s.job);
    stage_ = array_;
    stage_.state = stage_state_.get();
    stage_lies_.bytes = lies_.bytes;
    places where;
    look_at(at, made.array, s.job, stage_.base, stage_lies_, where);
    return stage_;
}

on_device& device_copy(char const* at, sode_xmp_array const& array) {
    if (!array.state || !array.state->array) fail(at, "an array without memory cannot be on the device", "call xmp_malloc() first");
    auto& copy = array.state->device;
    if (!copy) copy = std::make_shared<on_device>(at, array);
    return *copy;
}

} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void sode_acc_enter(char const* at, sode_xmp_array* array, int how, sode_range const* part, int queue) {
    device_copy(at, *array).enter(at, how, part, queue);
}

void sode_acc_exit(char const* at, sode_xmp_array* array, int how, sode_range const* part, int queue) {
    device_copy(at, *array).leave(how, part, queue);
}

void sode_acc_update(char const* at, sode_xmp_array* array, int to_device, sode_range const* part, int queue, int if_present) {
    auto const& copy = device_copy(at, *array);
    if (if_present && !copy.there()) return;
    copy.require(at, "`update`");
    copy.move(copy.held(part), to_device != 0, copy.host(), copy.lies(), queue);
}

void* sode_acc_base(char const* at, sode_xmp_array* array, int needed) {
    auto const& copy = device_copy(at, *array);
    if (needed) copy.require(at, "`use_device`");
    auto const& part = copy.only(at, needed ? "`use_device`" : "this construct");
    auto* const there = copy.address(part);
    return there ? there + copy.shift(part) : array->base;
}

void* sode_acc_local(char const* at, sode_xmp_array* array) {
    auto const& copy = device_copy(at, *array);
    copy.require(at, "`use_device`");
    return copy.address(copy.only(at, "`use_device`"));
}

void sode_acc_declared_leave(sode_acc_declared* declared) {
    if (declared->array && declared->array->state && declared->array->state->device)
        declared->array->state->device->leave(declared->how, nullptr, device("declare").now);
}

} // extern "C"
