// SPDX-License-Identifier: Apache-2.0
#include "datatypes/apps/application.hpp"

namespace sode::internal::bench {
namespace {

constexpr std::int64_t complex_bytes = 16, point_bytes = 40;

template <int N> std::unique_ptr<application> fft2d_of(method m, mpi_world const& world) {
    return make_fft2d(N, m, world);
}
template <int Ni, int Nj, int Nk> std::unique_ptr<application> wavefront_of(method m, mpi_world const& world) {
    return make_wavefront(Ni, Nj, Nk, m, world);
}

template <int N, int Iterations> std::unique_ptr<application> cg_of(method m, mpi_world const& world) {
    return make_cg(N, Iterations, m, world);
}

template <int N, int Steps> std::unique_ptr<application> slab_of(method /*bytes*/, mpi_world const& world) {
    return make_slab(N, Steps, world);
}

application_case named(std::string const& family, std::int64_t bytes,
                       std::unique_ptr<application> (*make)(method m, mpi_world const& world)) {
    return {family + "_" + std::to_string(bytes), bytes, {method::datatypes, method::packing}, make};
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
    all.push_back(named("app_cg", sizeof(double) * 16 * 16 * 16, cg_of<16, 50>));
    all.push_back(named("app_cg", sizeof(double) * 64 * 64 * 64, cg_of<64, 50>));
    all.push_back(
        {"app_slab_" + std::to_string(sizeof(double) * 64 * 64), sizeof(double) * 64 * 64, {method::bytes}, slab_of<64, 500>});
    all.push_back(
        {"app_slab_" + std::to_string(sizeof(double) * 256 * 256), sizeof(double) * 256 * 256, {method::bytes}, slab_of<256, 100>});
    return all;
}

} // namespace sode::internal::bench
