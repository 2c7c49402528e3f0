// SPDX-License-Identifier: Apache-2.0
// `reflect` of what is on the device. Only what neighbours need leaves it: kernels pack it into one piece, which goes to an array
// on the host; that one's exchange is planned as any other, and what it brings goes back in one piece.
#include "device_array.hpp"

#include "asynchronous.hpp"
#include "process.hpp"

#include <algorithm>

namespace sode::xmp {
namespace {

// In the boxes of `parts`, one behind the other; how many bytes they have.
std::size_t pack_list(std::vector<places> const& parts, lying const& how, std::vector<sode_acc_box>& boxes) {
    std::int64_t packed = 0;
    for (auto const& part : parts) {
        boxes.push_back(box_of(part, how, packed));
        packed += part.count();
    }
    return static_cast<std::size_t>(packed) * how.bytes;
}

} // namespace

device_halo& on_device::halo(char const* at, exchange_kind const& kind) {
    auto& h = halos_[kind];
    if (h.exchange) return h;
    auto& staged = stage(at);
    h.exchange = exchange_of(at, *staged.state, kind);
    if (bytes_ == 0) return h;
    auto const mine = owned();
    auto middle = mine, around = mine;
    for (std::size_t d = 0; d < static_cast<std::size_t>(all_.dims); ++d) {
        auto const extent = array_.state->extents[d];
        // Layers that are fetched below are the last ones of the neighbour there.
        auto const below = kind.width[2 * d] < 0 ? extent : kind.width[2 * d],
                   above = kind.width[2 * d + 1] < 0 ? extent : kind.width[2 * d + 1];
        middle.lower[d] += above;
        middle.upper[d] -= below;
        around.lower[d] = std::max(all_.lower[d], mine.lower[d] - below);
        around.upper[d] = std::min(all_.upper[d], mine.upper[d] + above);
        if (kind.periodic[d] != 0 || (below == 0 && above == 0)) continue;
        around.lower[d] = std::max<std::int64_t>(around.lower[d], 0); // nobody is beyond
        around.upper[d] = std::min(around.upper[d], extent);
    }
    auto const rim = shell(mine, middle, true), halo = shell(around, mine, !kind.orthogonal);
    h.rim_bytes = pack_list(rim, lies_, h.rim);
    h.halo_bytes = pack_list(halo, lies_, h.halo);
    (void)pack_list(rim, stage_lies_, h.stage_rim);
    (void)pack_list(halo, stage_lies_, h.stage_halo);
    h.here.resize(std::max(h.rim_bytes, h.halo_bytes));
    if (!h.here.empty()) h.packed = device_.allocate(h.here.size());
    return h;
}

namespace {

class device_exchange {
public:
    device_exchange(on_device& copy, device_halo& h, sode_runtime* job) : copy_(copy), halo_(h), job_(job) {}

    void start(char const* at) {
        copy_.require(at, "reflect with `acc`");
        auto const& d = device(at);
        if (halo_.rim_bytes > 0) {
            for (auto const& box : halo_.rim) d.pack(halo_.packed, base(), &box);
            d.from_device(halo_.here.data(), halo_.packed, halo_.rim_bytes, d.now);
            for (auto const& box : halo_.stage_rim)
                for_each_run(box, [&](std::int64_t place, std::int64_t in, std::size_t n) {
                    std::copy_n(halo_.here.data() + in, n, copy_.stage_base() + place);
                });
        }
        check(at, sode_exchange_start(halo_.exchange), job_);
    }
    bool over(char const* at) {
        int done = 0;
        check(at, sode_exchange_test(halo_.exchange, &done), job_);
        return done != 0;
    }
    void finish(char const* at) {
        check(at, sode_exchange_wait(halo_.exchange), job_);
        if (halo_.halo_bytes == 0) return;
        auto const& d = device(at);
        for (auto const& box : halo_.stage_halo)
            for_each_run(box, [&](std::int64_t place, std::int64_t in, std::size_t n) {
                std::copy_n(copy_.stage_base() + place, n, halo_.here.data() + in);
            });
        d.to_device(halo_.packed, halo_.here.data(), halo_.halo_bytes, d.now);
        for (auto const& box : halo_.halo) d.unpack(base(), halo_.packed, &box);
    }

private:
    [[nodiscard]] char* base() const { return copy_.address() + copy_.shift(); }

    on_device& copy_;
    device_halo& halo_;
    sode_runtime* job_;
};

void go_on(char const* at, sode_xmp_array const& array, device_halo& h, int number) {
    auto const x = std::make_shared<device_exchange>(*array.state->device, h, array.state->job);
    x->start(at);
    keep({.number = number,
          .owner = array.state,
          .over = [x](char const* where) { return x->over(where); },
          .finish = [x](char const* where) { x->finish(where); }});
}

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void sode_acc_reflect_init(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic, int orthogonal) {
    auto& copy = device_copy(at, *array);
    auto const kind = kind_of(at, *array, width, periodic, orthogonal);
    copy.require(at, "reflect with `acc`");
    copy.direct = shares_memory(at);
    if (copy.direct)
        sode_xmp_reflect_init(at, array, width, periodic, orthogonal);
    else
        copy.initialised = &copy.halo(at, kind);
}

void sode_acc_reflect_do(char const* at, sode_xmp_array* array) {
    auto& copy = device_copy(at, *array);
    if (copy.direct) return sode_xmp_reflect_do(at, array);
    if (!copy.initialised)
        fail(at, "reflect_do with `acc` comes before reflect_init with `acc` of array \"" + array->state->name + "\"",
             "execute reflect_init (" + array->state->name + ") acc first");
    device_exchange x{copy, *copy.initialised, array->state->job};
    x.start(at);
    x.finish(at);
}

void sode_acc_reflect_do_async(char const* at, sode_xmp_array* array, int number) {
    auto& copy = device_copy(at, *array);
    if (copy.direct) return sode_xmp_reflect_do_async(at, array, number);
    if (!copy.initialised)
        fail(at, "reflect_do with `acc` comes before reflect_init with `acc` of array \"" + array->state->name + "\"",
             "execute reflect_init (" + array->state->name + ") acc first");
    go_on(at, *array, *copy.initialised, number);
}

void sode_acc_reflect(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic, int orthogonal) {
    auto& copy = device_copy(at, *array);
    auto const kind = kind_of(at, *array, width, periodic, orthogonal);
    copy.require(at, "reflect with `acc`");
    if (shares_memory(at)) return sode_xmp_reflect(at, array, width, periodic, orthogonal);
    device_exchange x{copy, copy.halo(at, kind), array->state->job};
    x.start(at);
    x.finish(at);
}

void sode_acc_reflect_async(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic, int orthogonal,
                            int number) {
    auto& copy = device_copy(at, *array);
    auto const kind = kind_of(at, *array, width, periodic, orthogonal);
    copy.require(at, "reflect with `acc`");
    if (shares_memory(at)) return sode_xmp_reflect_async(at, array, width, periodic, orthogonal, number);
    go_on(at, *array, copy.halo(at, kind), number);
}

} // extern "C"
