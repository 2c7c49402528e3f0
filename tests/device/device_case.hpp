// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/drawn_halo.hpp"
#include "model/job.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

/// One random exchange of arrays in the memory of devices, started or enqueued, by every channel: compared byte for byte with the
/// same exchange of arrays of the host by the reference channel.
namespace sode::internal::testing {

struct three_bytes {
    char x, y, z;
};

template <class T, int N> class device_case {
public:
    device_case(runtime& rt, generator& g) : rt_(rt), g_(g), drawn_(rt, g, N <= 2 ? 3 : 2), s_(rt) {}

    void run(std::string const& label) {
        if (chance(g_, 50))
            run_with<buffered>(label + ", buffered");
        else
            run_with<array>(label + ", arrays");
    }

private:
    template <template <class, int, class> class Array> void run_with(std::string const& label) {
        auto const layers = drawn_.layers(), fetched = drawn_.fetched();
        alignment<N> const where{drawn_.shape().map};
        auto options = drawn_.options();
        options.credits = chance(g_, 30);
        int const fields = static_cast<int>(pick(g_, 1, 2));
        constexpr std::size_t epochs = 3;
        // By field; the last ones by epoch, as the host looks at all of them at the end.
        std::vector<array<T, N>> given, wanted, got;
        std::vector<Array<T, N, sode::device>> there;
        for (int f = 0; f < fields; ++f) {
            there.emplace_back(where, layers, T{}, "u" + std::to_string(f));
            for (std::size_t e = 0; e < epochs; ++e) {
                given.emplace_back(where, layers);
                wanted.emplace_back(where, layers);
                got.emplace_back(where, layers);
            }
        }
        auto const at = [&](int f, std::size_t e) { return static_cast<std::size_t>(f) * epochs + e; };
        auto const plan = [&](auto& arrays, char const* channel, auto first, auto second) {
            options.channel = channel;
            return fields == 1 ? reflect_init(options, width(arrays[first], fetched))
                               : reflect_init(options, width(arrays[first], fetched), width(arrays[second], fetched));
        };
        std::vector<char const*> channels{"", "device-push", "device-pull", "device-stage", "device-segments", "stage"};
        if (rt_.job().boot->messages()) channels.push_back("mpi");
        for (char const* channel : channels) {
            auto halo = plan(there, channel, 0U, 1U);
            bool const enqueued = chance(g_, 70);
            for (std::size_t e = 0; e < epochs; ++e) {
                ++epoch_;
                for (int f = 0; f < fields; ++f) {
                    fill(*given[at(f, e)], static_cast<unsigned>(f));
                    fill(*wanted[at(f, e)], static_cast<unsigned>(f));
                    upload(s_, given[at(f, e)], there[static_cast<std::size_t>(f)]);
                }
                if (enqueued) {
                    halo.enqueue(s_);
                } else {
                    s_.synchronize();
                    halo();
                }
                for (int f = 0; f < fields; ++f) download(s_, there[static_cast<std::size_t>(f)], got[at(f, e)]);
                if constexpr (requires { there[0].flip(); })
                    for (auto& u : there) u.flip();
            }
            s_.synchronize();
            for (std::size_t e = 0; e < epochs; ++e) {
                plan(wanted, "reference", at(0, e), at(1, e))();
                for (int f = 0; f < fields; ++f)
                    compare(*wanted[at(f, e)], *got[at(f, e)],
                            label + ", channel " + (*channel ? channel : "chosen") + (enqueued ? ", enqueued" : ", started"));
            }
            if (::testing::Test::HasFailure()) return;
        }
    }

    static box<N> whole(view<T, N> const& v) {
        box<N> b;
        for (std::size_t d = 0; d < N; ++d) b.lower[d] = v.lower(d), b.upper[d] = v.upper(d);
        return b;
    }
    void fill(view<T, N> v, unsigned id) {
        if (!v.data_handle()) return;
        auto const mine = drawn_.owned();
        for (auto const& i : whole(v)) element(v, i) = mine.contains(i) ? value_at<T, N>(i, id, epoch_) : poison<T>(epoch_);
    }
    void compare(view<T, N> wanted, view<T, N> got, std::string const& label) {
        if (!wanted.data_handle()) return;
        for (auto const& i : whole(wanted)) {
            if (std::memcmp(&element(wanted, i), &element(got, i), sizeof(T)) == 0) continue;
            ADD_FAILURE() << label << ", rank " << rt_.rank() << ": at " << text_of(i);
            return;
        }
    }

    runtime& rt_;
    generator& g_;
    drawn_halo<N> drawn_;
    unsigned epoch_ = 0;
    sode::stream s_;
};

/// Case `c` of a series: everything about it follows from the seed, on every rank.
inline void run_device_case(runtime& rt, std::uint64_t seed, int c) {
    auto g = series(seed, c);
    int const dims = static_cast<int>(pick(g, 1, 4));
    auto const label = label_of(c, dims, dims);
    switch (dims) {
    case 1: return device_case<char, 1>{rt, g}.run(label);
    case 2: return device_case<double, 2>{rt, g}.run(label);
    case 3: return device_case<float, 3>{rt, g}.run(label);
    default: return device_case<three_bytes, 4>{rt, g}.run(label);
    }
}

} // namespace sode::internal::testing
