// SPDX-License-Identifier: Apache-2.0
// SPECFEM3D_GLOBE (seismic waves): the points that two slices of the mesh share. In the fluid outer core (oc) a point has one
// number, in the solid crust and mantle and the inner core (cm) it has three. Points are numbered element by element, so those of a
// face lie apart. Komatitsch and Tromp, "Spectral-element simulations of global seismic wave propagation", Geophys. J. Int. 149
// (2002).
#include "datatypes/pattern.hpp"

#include <algorithm>
#include <array>
#include <random>

namespace sode::internal::bench {
namespace {

/// How far apart the numbers of neighbouring points of a face are.
struct gaps {
    int least, most;
};

std::vector<int> scattered(int count, gaps g, unsigned seed) {
    std::minstd_rand random{seed};
    std::uniform_int_distribution<int> gap{g.least, g.most};
    std::vector<int> all;
    for (int at = gap(random); static_cast<int>(all.size()) < count; at += gap(random)) all.push_back(at);
    return all;
}

/// A field with `Point` at every point, twice: what is sent is read from the first, what arrives is written to the second. The
/// partner numbers the same points differently.
template <typename Point> class region {
public:
    region(int points, gaps g, unsigned seed, std::size_t start)
        : mine_(scattered(points, g, seed)), theirs_(scattered(points, g, seed + 1)), out_(start),
          in_(start + sizeof(Point) * static_cast<std::size_t>(std::max(mine_.back(), theirs_.back()) + 1)) {}

    [[nodiscard]] std::size_t end() const { return 2 * in_ - out_; }
    void add_sent(places& all) const { add(all, mine_, out_); }
    void add_received(places& all) const { add(all, theirs_, in_); }
    [[nodiscard]] derived send_type(MPI_Datatype point) const { return indexed_blocks(1, mine_, point); }
    [[nodiscard]] derived receive_type(MPI_Datatype point) const { return indexed_blocks(1, theirs_, point); }
    [[nodiscard]] std::ptrdiff_t out() const { return static_cast<std::ptrdiff_t>(out_); }
    [[nodiscard]] std::ptrdiff_t in() const { return static_cast<std::ptrdiff_t>(in_); }

    Point* pack(char const* memory, Point* message) const {
        auto const* field = array_at<Point>(memory, out_);
        for (int const p : mine_) *message++ = field[p];
        return message;
    }
    Point const* unpack(Point const* message, char* memory) const {
        auto* field = array_at<Point>(memory, in_);
        for (int const p : theirs_) field[p] = *message++;
        return message;
    }

private:
    static void add(places& all, std::vector<int> const& list, std::size_t start) {
        for (int const p : list)
            all.push_back({static_cast<std::ptrdiff_t>(start + sizeof(Point) * static_cast<std::size_t>(p)), sizeof(Point)});
    }

    std::vector<int> mine_, theirs_;
    std::size_t out_, in_;
};

class outer_core final : public pattern {
public:
    explicit outer_core(int points) : fluid_(points, {6, 28}, 1, 0) {}
    [[nodiscard]] std::size_t memory_bytes() const override { return fluid_.end(); }
    [[nodiscard]] places sent() const override {
        places all;
        fluid_.add_sent(all);
        return all;
    }
    [[nodiscard]] places received() const override {
        places all;
        fluid_.add_received(all);
        return all;
    }
    [[nodiscard]] typed send_type() const override { return {fluid_.send_type(MPI_FLOAT), fluid_.out()}; }
    [[nodiscard]] typed receive_type() const override { return {fluid_.receive_type(MPI_FLOAT), fluid_.in()}; }
    void pack(char const* memory, char* message) const override { fluid_.pack(memory, array_at<float>(message, 0)); }
    void unpack(char const* message, char* memory) const override { fluid_.unpack(array_at<float>(message, 0), memory); }

private:
    region<float> fluid_;
};

using acceleration = std::array<float, 3>;

/// Both solid regions in one message; nine tenths of the points are in the crust and mantle.
class crust_mantle final : public pattern {
public:
    explicit crust_mantle(int points)
        : mantle_(points * 9 / 10, {2, 10}, 3, 0), inner_(points - points * 9 / 10, {2, 10}, 5, mantle_.end()) {}
    [[nodiscard]] std::size_t memory_bytes() const override { return inner_.end(); }
    [[nodiscard]] places sent() const override {
        places all;
        mantle_.add_sent(all);
        inner_.add_sent(all);
        return all;
    }
    [[nodiscard]] places received() const override {
        places all;
        mantle_.add_received(all);
        inner_.add_received(all);
        return all;
    }
    [[nodiscard]] typed send_type() const override {
        auto const point = contiguous(3, MPI_FLOAT);
        auto const outer = mantle_.send_type(point.get()), core = inner_.send_type(point.get());
        return {structure(std::array{part{mantle_.out(), outer.get()}, part{inner_.out(), core.get()}})};
    }
    [[nodiscard]] typed receive_type() const override {
        auto const point = contiguous(3, MPI_FLOAT);
        auto const outer = mantle_.receive_type(point.get()), core = inner_.receive_type(point.get());
        return {structure(std::array{part{mantle_.in(), outer.get()}, part{inner_.in(), core.get()}})};
    }
    void pack(char const* memory, char* message) const override {
        inner_.pack(memory, mantle_.pack(memory, array_at<acceleration>(message, 0)));
    }
    void unpack(char const* message, char* memory) const override {
        inner_.unpack(mantle_.unpack(array_at<acceleration>(message, 0), memory), memory);
    }

private:
    region<acceleration> mantle_, inner_;
};

} // namespace

void add_specfem(std::vector<pattern_case>& all) {
    add_cases<outer_core, int>(all, "specfem_oc", {493, 1225, 3225, 12900, 51600});
    add_cases<crust_mantle, int>(all, "specfem_cm", {2202, 8854, 14806, 59224});
}

} // namespace sode::internal::bench
