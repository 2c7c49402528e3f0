// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/gmpi.hpp>
#include <sode/sode.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace bench {

using sode::index_t;

/// Whoever makes the exchange.
enum class maker {
    host,   ///< start() and wait() of the host, one after another
    stream, ///< enqueued on a stream, all ahead
    kernel  ///< threads of a kernel, all blocks of the grid
};

struct exchange_way {
    std::string name;
    maker by;
    char const* channel;
};

inline std::vector<exchange_way> exchange_ways() {
    return {{"stores, kernel", maker::kernel, "device-push"},  {"loads, kernel", maker::kernel, "device-pull"},
            {"stores, stream", maker::stream, "device-push"},  {"loads, stream", maker::stream, "device-pull"},
            {"staged, stream", maker::stream, "device-stage"}, {"staged, host", maker::host, "device-stage"}};
}

SODE_GPU inline index_t cube_value(index_t i, index_t j, index_t k, index_t round) {
    return (i * 7 + j * 13 + k * 29 + round * 3) % 4093; // exact in a float
}

template <class T> struct set_block {
    sode::view<T, 3> v;
    index_t round;
    SODE_GPU void operator()(index_t i, index_t j, index_t k) const { v(i, j, k) = static_cast<T>(cube_value(i, j, k, round)); }
};

/// Looks at all elements around a block, but those beside an edge of it if there are no corners.
struct look_around {
    bool corners;
    index_t extents[3];

    template <class Thread, class T>
    SODE_GPU void operator()(Thread const& t, sode::view<T, 3> v, sode::box<3> own, index_t round, int* wrong) const {
        auto const block = t.block();
        auto const outside = [&](index_t at, std::size_t d) { return at < own.lower[d] || at >= own.upper[d] ? 1 : 0; };
        auto const wrapped = [&](index_t at, std::size_t d) { return (at + extents[d]) % extents[d]; };
        for (index_t i = v.lower(0) + t.block_rank(); i < v.upper(0); i += t.blocks())
            for (index_t j = v.lower(1); j < v.upper(1); ++j)
                for (index_t k = v.lower(2) + block.thread_rank(); k < v.upper(2); k += block.size()) {
                    int const away = outside(i, 0) + outside(j, 1) + outside(k, 2);
                    if (away == 0 || (away > 1 && !corners)) continue;
                    if (v(i, j, k) != static_cast<T>(cube_value(wrapped(i, 0), wrapped(j, 1), wrapped(k, 2), round))) *wrong = 1;
                }
    }
};

struct exchange_often {
    int times;

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, gmpi::halo_handle halo, int* wrong) const {
        for (int n = 1; n <= times; ++n)
            if (gmpi::exchange(t, ctx, halo, static_cast<gmpi::word>(n)) != gmpi::code::ok) *wrong = 1;
    }
};

/// A periodic array of one block for each rank in the memory of devices, whose halo is exchanged in all ways.
template <class T> class cube_exchange {
public:
    using grid = sode::grid<3>;

    cube_exchange(sode::runtime& rt, sode::index<3> const& extents, typename grid::options const& nodes, sode::shadow const& widths,
                  bool corners)
        : rt_(rt), g_{rt, extents, nodes}, u_{g_, widths, T{}, "u"}, s_{rt}, look_{corners, {extents[0], extents[1], extents[2]}},
          ctx_{std::make_unique<gmpi::context>(rt)}, wrong_(ctx_->allocate_mapped<int>(1)),
          shape_(s_.emulated() ? gmpi::launch_shape{2, 2} : gmpi::launch_shape{32, 256}) {}

    /// Microseconds of one exchange: the median of `repeats` runs of `times`. The block is set anew before each run, and the halo
    /// looked at after it. Collective.
    double measure(exchange_way const& way, int times, int repeats) {
        auto& halo = *halos_.emplace_back(std::make_unique<sode::reflection>(
            sode::reflect_init({.corners = look_.corners, .periodic = true, .channel = way.channel}, u_)));
        std::vector<double> all;
        for (int r = 0; r < repeats; ++r) {
            ++round_;
            sode::loop(s_, g_.all(), set_block<T>{u_.view(), round_});
            s_.synchronize();
            rt_.barrier();
            auto const began = std::chrono::steady_clock::now();
            run(way.by, halo, times);
            rt_.barrier();
            all.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count() / times);
            gmpi::launch(*ctx_, shape_, look_, u_.view(), g_.all().part(), round_, wrong_.get()).wait();
        }
        std::sort(all.begin(), all.end());
        return all[all.size() / 2];
    }
    [[nodiscard]] bool right() const { return wrong_[0] == 0; }
    [[nodiscard]] std::string device() const { return s_.device_name(); }

private:
    void run(maker by, sode::reflection& halo, int times) {
        if (by == maker::kernel) {
            gmpi::launch(*ctx_, shape_, exchange_often{times}, ctx_->device_handle(), ctx_->device_handle(halo), wrong_.get())
                .wait();
            return;
        }
        for (int n = 0; n < times; ++n)
            if (by == maker::stream)
                halo.enqueue(s_);
            else
                halo();
        s_.synchronize();
    }

    sode::runtime& rt_;
    grid g_;
    sode::array<T, 3, sode::device> u_;
    sode::stream s_;
    std::vector<std::unique_ptr<sode::reflection>> halos_; // longer than the context
    look_around look_;
    std::unique_ptr<gmpi::context> ctx_;
    std::shared_ptr<int[]> wrong_;
    gmpi::launch_shape shape_;
    index_t round_ = 0;
};

} // namespace bench
