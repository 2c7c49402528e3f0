// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "latency/swap.hpp"

#include <sode/sode.hpp>

#include <memory>
#include <vector>

namespace sode::bench {

/// Each of two ranks owns one element of an array with a shadow of one. As two arrays by turns an exchange needs no
/// acknowledgement; as one array it has to wait until its element has been read.
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

class array_swap final : public swap {
public:
    explicit array_swap(runtime& rt) : swap("array"), u_(grid<1>{rt, {2}}, shadow{1}), halo_(reflect_init(u_)), rank_(rt.rank()) {}
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

[[nodiscard]] inline std::vector<std::unique_ptr<swap>> our_swaps(runtime& rt) {
    std::vector<std::unique_ptr<swap>> all;
    all.push_back(std::make_unique<buffered_swap>(rt));
    all.push_back(std::make_unique<array_swap>(rt));
    return all;
}

} // namespace sode::bench
