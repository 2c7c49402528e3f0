// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/sode.hpp>

/// A step of a march as nvcc would have it: both it and the body that it makes are classes, as bodies are kernels there, and
/// functions that return what they deduce may make no lambdas for a device.
namespace sode::internal::testing {

template <class Now, class Next, class Source> struct relaxation {
    Now a;
    Next b;
    Source k;
    double rate;
    index_t t;

    SODE_GPU void operator()(index_t i, index_t j) const {
        b(i, j) = 0.2 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)) + rate * k(i, j) + 0.01 * static_cast<double>(t);
    }
};

struct towards_source {
    double rate;

    template <class Now, class Next, class Source>
    relaxation<Now, Next, Source> operator()(Now a, Next b, Source k, index_t t) const {
        return {a, b, k, rate, t};
    }
};

} // namespace sode::internal::testing
