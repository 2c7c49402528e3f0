// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/sode.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

namespace examples {

/// Writes all elements of `a` to `file`, in row-major order and this machine's format, a slab of the first dimension at a time,
/// from rank 0. Collective. Errors: std::runtime_error on rank 0, if the file cannot be written.
template <class Array> void dump(sode::runtime const& rt, Array const& a, std::string const& file) {
    struct closer {
        void operator()(std::FILE* f) const { std::fclose(f); }
    };
    auto const check = [&](bool good) {
        if (!good) throw std::runtime_error{"cannot write " + file + " (" + std::strerror(errno) + ")"};
    };
    std::unique_ptr<std::FILE, closer> out;
    if (rt.root()) {
        out.reset(std::fopen(file.c_str(), "wb"));
        check(out != nullptr);
    }
    auto const whole = a.all().global;
    for (auto slab = whole; slab.lower[0] < whole.upper[0]; ++slab.lower[0]) {
        slab.upper[0] = slab.lower[0] + 1;
        auto const values = sode::collect(a, slab);
        if (rt.root()) check(std::fwrite(values.data(), sizeof values[0], values.size(), out.get()) == values.size());
    }
    if (rt.root()) check(std::fclose(out.release()) == 0);
}

} // namespace examples
