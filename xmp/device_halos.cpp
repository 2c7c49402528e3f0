// SPDX-License-Identifier: Apache-2.0
// `reflect` of what is on the device. Only what neighbours need leaves it: kernels pack it into one piece, which goes to an array
// on the host; that one's exchange is planned as any other, and what it brings goes back in one piece.
#include "device_array.hpp"

#include "asynchronous.hpp"
#include "process.hpp"

#include <algorithm>
#include <utility>

namespace sode::xmp {
namespace {

// What of `parts` is in `room`, one behind the other; nothing is left out.
device_piece piece_of(std::size_t part, std::size_t to, std::vector<places> const& parts, places const& room, lying const& how,
                      lying const* stage) {
    device_piece piece;
    piece.part = part;
    piece.to = to;
    std::int64_t packed = 0;
    for (auto const& each : parts) {
        auto const what = common(each, room);
        if (what.empty()) continue;
        piece.boxes.push_back(box_of(what, how, packed));
        if (stage) piece.stage.push_back(box_of(what, *stage, packed));
        packed += what.count();
    }
    piece.bytes = static_cast<std::size_t>(packed) * how.bytes;
    piece.here.resize(piece.bytes);
    return piece;
}

} // namespace

device_halo& on_device::halo(char const* at, exchange_kind const& kind) {
    auto& h = halos_[kind];
    if (h.exchange) return h;
    auto& staged = stage(at);
    h.exchange = exchange_of(at, *staged.state, kind);
    if (all_.empty() || !base_) return h;
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
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        auto const& p = parts_[k];
        h.rims.push_back(piece_of(k, k, rim, p.own, lies_, &stage_lies_));
        h.halos.push_back(piece_of(k, k, halo, p.has, lies_, &stage_lies_));
    }
    h.between = between_parts();
    for (auto* const list : {&h.rims, &h.halos}) allocate(*list);
    return h;
}

// What devices of this rank have in their shadows of each other's elements.
std::vector<device_piece> on_device::between_parts() {
    std::vector<device_piece> pieces;
    if (!layout_ || layout_->dim < 0) return pieces;
    for (std::size_t to = 0; to < parts_.size(); ++to)
        for (std::size_t from = 0; from < parts_.size(); ++from)
            if (to != from) pieces.push_back(piece_of(from, to, {parts_[to].has}, parts_[from].own, lies_, nullptr));
    allocate(pieces);
    return pieces;
}

void on_device::allocate(std::vector<device_piece>& pieces) const {
    std::erase_if(pieces, [](device_piece const& p) { return p.bytes == 0; });
    for (auto& piece : pieces) {
        {
            other_device const device{device_, parts_[piece.part].device};
            piece.packed = device_.allocate(piece.bytes);
        }
        if (piece.to == piece.part) continue;
        other_device const device{device_, parts_[piece.to].device};
        piece.there = device_.allocate(piece.bytes);
    }
}

void on_device::exchange_between(std::vector<device_piece>& pieces) const {
    for (auto& piece : pieces) {
        {
            other_device const device{device_, parts_[piece.part].device};
            pack(piece);
        }
        other_device const device{device_, parts_[piece.to].device};
        device_.to_device(piece.there, piece.here.data(), piece.bytes, device_.now);
        for (auto const& box : piece.boxes) device_.unpack(base_there(piece.to), piece.there, &box);
    }
}

void on_device::pack(device_piece& piece) const {
    for (auto const& box : piece.boxes) device_.pack(piece.packed, base_there(piece.part), &box);
    device_.from_device(piece.here.data(), piece.packed, piece.bytes, device_.now);
}

void on_device::take_rims(device_halo& h) {
    for (auto& piece : h.rims) {
        other_device const device{device_, parts_[piece.part].device};
        pack(piece);
        for (auto const& box : piece.stage)
            for_each_run(box, [&](std::int64_t place, std::int64_t in, std::size_t n) {
                std::copy_n(piece.here.data() + in, n, stage_base() + place);
            });
    }
}

void on_device::give_halos(device_halo& h) {
    for (auto& piece : h.halos) {
        other_device const device{device_, parts_[piece.part].device};
        for (auto const& box : piece.stage)
            for_each_run(box, [&](std::int64_t place, std::int64_t in, std::size_t n) {
                std::copy_n(stage_base() + place, n, piece.here.data() + in);
            });
        device_.to_device(piece.packed, piece.here.data(), piece.bytes, device_.now);
        for (auto const& box : piece.boxes) device_.unpack(base_there(piece.part), piece.packed, &box);
    }
}

void on_device::reflect_between(char const* at) {
    require(at, "`acc reflect`");
    auto pieces = between_parts();
    exchange_between(pieces);
    device_halo h;
    h.between = std::move(pieces);
    release(h);
}

namespace {

class device_exchange {
public:
    device_exchange(on_device& copy, device_halo& h, sode_runtime* job) : copy_(copy), halo_(h), job_(job) {}

    void start(char const* at) {
        copy_.require(at, "reflect with `acc`");
        copy_.take_rims(halo_);
        copy_.exchange_between(halo_.between);
        check(at, sode_exchange_start(halo_.exchange), job_);
    }
    bool over(char const* at) {
        int done = 0;
        check(at, sode_exchange_test(halo_.exchange, &done), job_);
        return done != 0;
    }
    void finish(char const* at) {
        check(at, sode_exchange_wait(halo_.exchange), job_);
        copy_.give_halos(halo_);
    }

private:
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
