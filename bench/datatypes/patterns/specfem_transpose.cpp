// SPDX-License-Identifier: Apache-2.0
// SPECFEM3D, the transposition of a three-dimensional matrix on its way (mt): the sender has (plane, line, 16 floats) and sends the
// first half of each line, the receiver wants (line, plane, 8 floats). Blocks of 32 bytes in two regular orders.
#include "datatypes/pattern.hpp"

#include <array>

namespace sode::internal::bench {
namespace {

using half_line = std::array<float, 8>;
constexpr std::ptrdiff_t element = sizeof(half_line);

struct extent {
    int planes, lines;
};

class transposed final : public pattern {
public:
    explicit transposed(extent e) : e_(e) {}
    [[nodiscard]] std::size_t memory_bytes() const override { return static_cast<std::size_t>(3 * element * e_.planes * e_.lines); }

    [[nodiscard]] places sent() const override {
        return {{0, element, static_cast<std::int64_t>(e_.planes) * e_.lines, 2 * element}};
    }
    [[nodiscard]] places received() const override {
        places all;
        for (int p = 0; p < e_.planes; ++p) all.push_back({target() + p * element, element, e_.lines, e_.planes * element});
        return all;
    }

    [[nodiscard]] typed send_type() const override { return {vector(e_.planes * e_.lines, 8, 16, MPI_FLOAT)}; }
    [[nodiscard]] typed receive_type() const override {
        auto const plane = vector(e_.lines, 8, 8 * e_.planes, MPI_FLOAT);
        return {hvector(e_.planes, 1, element, plane.get()), target()};
    }

    void pack(char const* memory, char* message) const override {
        auto const* a = array_at<half_line>(memory, 0);
        auto* out = array_at<half_line>(message, 0);
        for (int n = 0; n < e_.planes * e_.lines; ++n) out[n] = a[2 * n];
    }
    void unpack(char const* message, char* memory) const override {
        auto* b = array_at<half_line>(memory, static_cast<std::size_t>(target()));
        auto const* in = array_at<half_line>(message, 0);
        for (int l = 0; l < e_.lines; ++l)
            for (int p = 0; p < e_.planes; ++p) *b++ = in[p * e_.lines + l];
    }

private:
    [[nodiscard]] std::ptrdiff_t target() const { return 2 * element * e_.planes * e_.lines; }

    extent e_;
};

} // namespace

void add_specfem_transpose(std::vector<pattern_case>& all) {
    add_cases<transposed, extent>(all, "specfem_mt", {{10, 12}, {20, 30}, {50, 57}, {100, 114}});
}

} // namespace sode::internal::bench
