// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "latency/swap.hpp"

#include <sode/sode.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace sode::internal::bench {

/// Each of two ranks owns one element of two arrays that change roles, with a shadow of one.
class buffered_swap final : public swap {
public:
    explicit buffered_swap(runtime& rt)
        : swap("buffered"), u_(grid<1>{rt, {2}}, shadow{1}), halo_(reflect_init(u_)), rank_(rt.rank()) {}
    double operator()(double value) override {
        u_.flip();
        auto const u = u_.now();
        u(rank_) = value;
        halo_();
        return u(1 - rank_);
    }

private:
    buffered<double, 1> u_;
    reflection halo_;
    int rank_;
};

/// The same with one array.
class array_swap final : public swap {
public:
    array_swap(std::string name, runtime& rt, reflect_options const& options)
        : swap(std::move(name)), u_(grid<1>{rt, {2}}, shadow{1}), halo_(reflect_init(options, u_)), rank_(rt.rank()) {}
    double operator()(double value) override {
        auto const u = u_.view();
        u(rank_) = value;
        halo_();
        return u(1 - rank_);
    }

private:
    array<double, 1> u_;
    reflection halo_;
    int rank_;
};

/// As Sode chooses by itself, and as it must where every read has to be acknowledged.
[[nodiscard]] inline std::vector<std::unique_ptr<swap>> our_swaps(runtime& rt) {
    reflect_options acknowledged;
    acknowledged.channel = "pull";
    acknowledged.credits = true;
    std::vector<std::unique_ptr<swap>> all;
    all.push_back(std::make_unique<buffered_swap>(rt));
    all.push_back(std::make_unique<array_swap>("array", rt, reflect_options{}));
    all.push_back(std::make_unique<array_swap>("credits", rt, acknowledged));
    return all;
}

} // namespace sode::internal::bench
