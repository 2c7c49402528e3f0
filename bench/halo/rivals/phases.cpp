// SPDX-License-Identifier: Apache-2.0
#include "halo/rivals/phases.hpp"

#include <array>

namespace sode::internal::bench {
namespace {

// Several fields share one message, unless they are long enough to be sent in place one by one.
constexpr std::int64_t in_place_from = 16384;

void grow(box& b, std::size_t along, std::array<bool, 3> const& done, extent3 const& allocated) {
    for (std::size_t d = 0; d < 3; ++d)
        if (d != along && done[d]) b.from[d] = 0, b.size[d] = allocated[d];
}

void add_face(phase& p, fields const& f, box const& to, box const& from, int peer, int side) {
    int const send_tag = side > 0 ? 1 : 0, receive_tag = side < 0 ? 1 : 0;
    auto const face = bytes(from);
    bool const contiguous = box_copy{place::packed(nullptr, from.size), place::in(f, 0, from), from.size}.contiguous();
    if (contiguous && (f.count() == 1 || face >= in_place_from)) {
        for (int field = 0; field < f.count(); ++field) {
            p.sends.push_back({place::in(f, field, from).origin, static_cast<int>(face), peer, send_tag + 2 * field});
            p.receives.push_back({place::in(f, field, to).origin, static_cast<int>(face), peer, receive_tag + 2 * field});
        }
        return;
    }
    auto const all = face * f.count();
    char* const out = p.buffers.emplace_back(static_cast<std::size_t>(all)).data();
    char* const in = p.buffers.emplace_back(static_cast<std::size_t>(all)).data();
    for (int field = 0; field < f.count(); ++field) {
        p.pack.emplace_back(place::packed(out + face * field, from.size), place::in(f, field, from), from.size);
        p.unpack.emplace_back(place::in(f, field, to), place::packed(in + face * field, to.size), to.size);
    }
    p.sends.push_back({out, static_cast<int>(all), peer, send_tag});
    p.receives.push_back({in, static_cast<int>(all), peer, receive_tag});
}

} // namespace

std::vector<phase> dimension_by_dimension(fields const& f) {
    std::vector<phase> phases;
    auto const& b = f.where();
    std::array<bool, 3> done{};
    for (std::size_t along : {2U, 1U, 0U}) {
        if (b.shape().width[along] == 0) continue;
        phase p;
        bool any = false;
        for (int side : {-1, 1}) {
            direction d{};
            d[along] = side;
            auto const peer = b.neighbour(d);
            if (!peer) continue;
            any = true;
            box to = b.halo(d), out = b.edge(d), same = b.edge(opposite(d));
            for (box* x : {&to, &out, &same}) grow(*x, along, done, b.allocated());
            if (*peer == b.rank())
                for (int field = 0; field < f.count(); ++field)
                    p.self.emplace_back(place::in(f, field, to), place::in(f, field, same), to.size);
            else
                add_face(p, f, to, out, *peer, side);
        }
        done[along] = true;
        if (any) phases.push_back(std::move(p));
    }
    return phases;
}

} // namespace sode::internal::bench
