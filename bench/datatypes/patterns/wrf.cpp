// SPDX-License-Identifier: Apache-2.0
// WRF (weather): the faces of many fields at once, of two, three and four dimensions, in single precision. The east-west index i is
// the fastest, then the level k, then the south-north index j, then the species; a patch has three layers of halo around i and j.
// Skamarock et al., "A description of the advanced research WRF model", NCAR/TN-556 (2019).
#include "datatypes/pattern.hpp"

#include <array>

namespace sode::internal::bench {
namespace {

constexpr int halo = 3, levels = 28, species = 3;
constexpr int flat_fields = 4, deep_fields = 3, species_fields = 2;
constexpr int deep_and_species = deep_fields + species_fields * species; // a field of species is that many deep ones

/// Which i and j of every field.
struct face {
    int i, wide, j, high;
};

/// Fields of one patch of ni × nj columns, one after the other.
struct patch {
    int ni, nj;

    [[nodiscard]] int pitch_i() const { return ni + 2 * halo; }
    [[nodiscard]] int pitch_j() const { return nj + 2 * halo; }
    [[nodiscard]] std::size_t flat_bytes() const { return sizeof(float) * static_cast<std::size_t>(pitch_i() * pitch_j()); }
    [[nodiscard]] std::size_t deep_bytes() const { return flat_bytes() * levels; }
    [[nodiscard]] std::size_t flat(int f) const { return flat_bytes() * static_cast<std::size_t>(f); }
    [[nodiscard]] std::size_t deep(int f) const { return flat(flat_fields) + deep_bytes() * static_cast<std::size_t>(f); }
    [[nodiscard]] std::size_t with_species(int f) const { return deep(deep_fields + f * species); }
    [[nodiscard]] std::size_t bytes() const { return with_species(species_fields); }
};

enum class how { vectors, subarrays };

class wrf : public pattern {
public:
    wrf(patch p, face sent, face received, how types) : patch_(p), sent_(sent), received_(received), types_(types) {}

    [[nodiscard]] std::size_t memory_bytes() const override { return patch_.bytes(); }
    [[nodiscard]] places sent() const override { return of(sent_); }
    [[nodiscard]] places received() const override { return of(received_); }
    [[nodiscard]] typed send_type() const override { return type(sent_); }
    [[nodiscard]] typed receive_type() const override { return type(received_); }

    void pack(char const* memory, char* message) const override {
        auto* out = reinterpret_cast<float*>(message);
        each_row(memory, sent_, [&out](float const* row, int wide) {
            for (int i = 0; i < wide; ++i) *out++ = row[i];
        });
    }
    void unpack(char const* message, char* memory) const override {
        auto const* in = reinterpret_cast<float const*>(message);
        each_row(memory, received_, [&in](float* row, int wide) {
            for (int i = 0; i < wide; ++i) row[i] = *in++;
        });
    }

private:
    template <typename Byte, typename Row> void each_row(Byte* memory, face const& f, Row row) const {
        int const pi = patch_.pitch_i();
        for (int a = 0; a < flat_fields; ++a) {
            auto* const field = array_at<float>(memory, patch_.flat(a));
            for (int j = f.j; j < f.j + f.high; ++j) row(field + j * pi + f.i, f.wide);
        }
        for (int a = 0; a < deep_and_species; ++a) {
            auto* const field = array_at<float>(memory, patch_.deep(a));
            for (int j = f.j; j < f.j + f.high; ++j)
                for (int k = 0; k < levels; ++k) row(field + (j * levels + k) * pi + f.i, f.wide);
        }
    }

    [[nodiscard]] places of(face const& f) const {
        places all;
        auto const row = static_cast<std::ptrdiff_t>(sizeof(float)) * patch_.pitch_i();
        auto const wide = static_cast<std::int64_t>(sizeof(float)) * f.wide;
        auto const first = static_cast<std::ptrdiff_t>(sizeof(float)) * f.i;
        for (int a = 0; a < flat_fields; ++a)
            all.push_back({static_cast<std::ptrdiff_t>(patch_.flat(a)) + f.j * row + first, wide, f.high, row});
        // The levels of consecutive j follow each other at the distance of a row.
        for (int a = 0; a < deep_and_species; ++a)
            all.push_back({static_cast<std::ptrdiff_t>(patch_.deep(a)) + f.j * levels * row + first, wide,
                           static_cast<std::int64_t>(f.high) * levels, row});
        return all;
    }

    [[nodiscard]] typed type(face const& f) const { return {types_ == how::vectors ? by_vectors(f) : by_subarrays(f)}; }

    [[nodiscard]] derived by_vectors(face const& f) const {
        int const pi = patch_.pitch_i();
        auto const row = static_cast<std::ptrdiff_t>(sizeof(float)) * pi;
        auto const flat = vector(f.high, f.wide, pi, MPI_FLOAT);
        auto const column = vector(levels, f.wide, pi, MPI_FLOAT);
        auto const deep = hvector(f.high, 1, levels * row, column.get());
        auto const all_species = hvector(species, 1, static_cast<std::ptrdiff_t>(patch_.deep_bytes()), deep.get());
        auto const first = static_cast<std::ptrdiff_t>(sizeof(float)) * f.i;
        std::vector<part> parts;
        for (int a = 0; a < flat_fields; ++a)
            parts.push_back({static_cast<std::ptrdiff_t>(patch_.flat(a)) + f.j * row + first, flat.get()});
        for (int a = 0; a < deep_fields; ++a)
            parts.push_back({static_cast<std::ptrdiff_t>(patch_.deep(a)) + f.j * levels * row + first, deep.get()});
        for (int a = 0; a < species_fields; ++a)
            parts.push_back({static_cast<std::ptrdiff_t>(patch_.with_species(a)) + f.j * levels * row + first, all_species.get()});
        return structure(parts);
    }

    [[nodiscard]] derived by_subarrays(face const& f) const {
        int const pi = patch_.pitch_i(), pj = patch_.pitch_j();
        auto const flat = subarray(std::array{pj, pi}, std::array{f.high, f.wide}, std::array{f.j, f.i}, MPI_FLOAT);
        auto const deep =
            subarray(std::array{pj, levels, pi}, std::array{f.high, levels, f.wide}, std::array{f.j, 0, f.i}, MPI_FLOAT);
        auto const all_species = subarray(std::array{species, pj, levels, pi}, std::array{species, f.high, levels, f.wide},
                                          std::array{0, f.j, 0, f.i}, MPI_FLOAT);
        std::vector<part> parts;
        for (int a = 0; a < flat_fields; ++a) parts.push_back({static_cast<std::ptrdiff_t>(patch_.flat(a)), flat.get()});
        for (int a = 0; a < deep_fields; ++a) parts.push_back({static_cast<std::ptrdiff_t>(patch_.deep(a)), deep.get()});
        for (int a = 0; a < species_fields; ++a)
            parts.push_back({static_cast<std::ptrdiff_t>(patch_.with_species(a)), all_species.get()});
        return structure(parts);
    }

    patch patch_;
    face sent_, received_;
    how types_;
};

/// To the east: the last interior columns go to the neighbour's first halo columns. Blocks of 12 bytes.
template <how Types> class east final : public wrf {
public:
    explicit east(patch p) : wrf(p, {p.ni, halo, halo, p.nj}, {0, halo, halo, p.nj}, Types) {}
};

/// To the north: whole rows.
template <how Types> class north final : public wrf {
public:
    explicit north(patch p) : wrf(p, {halo, p.ni, p.nj, halo}, {halo, p.ni, 0, halo}, Types) {}
};

} // namespace

void add_wrf(std::vector<pattern_case>& all) {
    add_cases<east<how::vectors>, patch>(all, "wrf_x_vec", {{20, 6}, {40, 20}, {60, 56}, {100, 200}});
    add_cases<east<how::subarrays>, patch>(all, "wrf_x_sa", {{40, 20}, {60, 56}});
    add_cases<north<how::vectors>, patch>(all, "wrf_y_vec", {{12, 20}, {30, 30}, {100, 100}, {400, 60}});
    add_cases<north<how::subarrays>, patch>(all, "wrf_y_sa", {{30, 30}, {100, 100}});
}

} // namespace sode::internal::bench
