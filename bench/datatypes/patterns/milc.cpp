// SPDX-License-Identifier: Apache-2.0
// MILC (lattice QCD): the z face of a field of su3 vectors on the even sites of a four-dimensional lattice, x fastest. One block of
// nx·ny/2 vectors a time slice. Bernard et al., "Studying quarks and gluons on MIMD parallel computers", IJSA 5 (1991).
#include "datatypes/pattern.hpp"

#include <array>

namespace sode::internal::bench {
namespace {

struct su3_vector {
    std::array<double, 6> c; // three complex numbers
};

struct lattice {
    int nx, ny, nz, nt;
};

class milc_z final : public pattern {
public:
    explicit milc_z(lattice l) : plane_(l.nx * l.ny / 2), nz_(l.nz), nt_(l.nt) {}

    [[nodiscard]] std::size_t memory_bytes() const override {
        return sizeof(su3_vector) * static_cast<std::size_t>(plane_ * nz_ * nt_);
    }
    [[nodiscard]] places sent() const override { return layer(nz_ - 2); }
    [[nodiscard]] places received() const override { return layer(0); }
    [[nodiscard]] typed send_type() const override { return type(nz_ - 2); }
    [[nodiscard]] typed receive_type() const override { return type(0); }

    void pack(char const* memory, char* message) const override {
        auto const* sites = array_at<su3_vector>(memory, 0);
        auto* out = array_at<su3_vector>(message, 0);
        for (int t = 0; t < nt_; ++t)
            for (int s = 0; s < plane_; ++s) *out++ = sites[(t * nz_ + nz_ - 2) * plane_ + s];
    }
    void unpack(char const* message, char* memory) const override {
        auto* sites = array_at<su3_vector>(memory, 0);
        auto const* in = array_at<su3_vector>(message, 0);
        for (int t = 0; t < nt_; ++t)
            for (int s = 0; s < plane_; ++s) sites[t * nz_ * plane_ + s] = *in++;
    }

private:
    [[nodiscard]] std::ptrdiff_t at(int z) const { return static_cast<std::ptrdiff_t>(sizeof(su3_vector)) * z * plane_; }
    [[nodiscard]] places layer(int z) const {
        return {{at(z), static_cast<std::int64_t>(sizeof(su3_vector)) * plane_, nt_, at(nz_)}};
    }
    [[nodiscard]] typed type(int z) const {
        auto const site = contiguous(6, MPI_DOUBLE);
        return {vector(nt_, plane_, nz_ * plane_, site.get()), at(z)};
    }

    int plane_, nz_, nt_;
};

} // namespace

void add_milc(std::vector<pattern_case>& all) {
    add_cases<milc_z, lattice>(all, "milc_su3_zd", {{8, 8, 8, 8}, {16, 8, 8, 32}, {16, 16, 16, 64}});
}

} // namespace sode::internal::bench
