// SPDX-License-Identifier: Apache-2.0
#include "datatypes/apps/application.hpp"

namespace sode::bench {
namespace {

constexpr std::int64_t complex_bytes = 16, point_bytes = 40;

template <int N> std::unique_ptr<application> fft2d_of(method m, mpi_world const& world) {
    return make_fft2d(N, m, world);
}
template <int Ni, int Nj, int Nk> std::unique_ptr<application> wavefront_of(method m, mpi_world const& world) {
    return make_wavefront(Ni, Nj, Nk, m, world);
}

application_case named(std::string const& family, std::int64_t bytes,
                       std::unique_ptr<application> (*make)(method m, mpi_world const& world)) {
    return {family + "_" + std::to_string(bytes), bytes, make};
}

} // namespace

std::vector<application_case> all_applications() {
    std::vector<application_case> all;
#ifdef SODE_BENCH_FFTW
    all.push_back(named("app_fft2d", complex_bytes * 512 * 512, fft2d_of<512>));
    all.push_back(named("app_fft2d", complex_bytes * 4096 * 4096, fft2d_of<4096>));
#endif
    all.push_back(named("app_wavefront", point_bytes * 16 * 128 * 16, wavefront_of<16, 128, 16>));
    all.push_back(named("app_wavefront", point_bytes * 16 * 512 * 64, wavefront_of<16, 512, 64>));
    return all;
}

} // namespace sode::bench
