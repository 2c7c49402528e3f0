// SPDX-License-Identifier: Apache-2.0
#include "datatypes/copies/fft_blocks.hpp"
#include "datatypes/transpose.hpp"

#include <algorithm>
#include <complex>

namespace sode::internal::bench {
namespace {

using number = std::complex<double>;
constexpr std::ptrdiff_t element = sizeof(number);

/// The right half of the matrix that rank 0 has goes, transposed, to the left half of that of rank 1.
class fft_block final : public pattern {
public:
    explicit fft_block(int n) : n_(n), half_(n / 2) {}
    [[nodiscard]] std::size_t memory_bytes() const override { return 2 * static_cast<std::size_t>(matrix()); }
    [[nodiscard]] places sent() const override {
        places all;
        for (int c = 0; c < half_; ++c) all.push_back({element * (half_ + c), element, half_, element * n_});
        return all;
    }
    [[nodiscard]] places received() const override { return {{matrix(), element * half_, half_, element * n_}}; }
    [[nodiscard]] typed send_type() const override {
        auto types = make_transpose_types(n_, 2);
        return {std::move(types.column), element * half_, types.columns};
    }
    [[nodiscard]] typed receive_type() const override { return {std::move(make_transpose_types(n_, 2).block), matrix()}; }

    void pack(char const* memory, char* message) const override {
        constexpr int tile = 8;
        auto const* a = array_at<number>(memory, 0) + half_;
        auto* out = array_at<number>(message, 0);
        for (int i0 = 0; i0 < half_; i0 += tile)
            for (int j0 = 0; j0 < half_; j0 += tile)
                for (int j = j0; j < std::min(j0 + tile, half_); ++j)
                    for (int i = i0; i < std::min(i0 + tile, half_); ++i)
                        out[std::ptrdiff_t{j} * half_ + i] = a[std::ptrdiff_t{i} * n_ + j];
    }
    void unpack(char const* message, char* memory) const override {
        auto const* in = array_at<number>(message, 0);
        auto* b = array_at<number>(memory, static_cast<std::size_t>(matrix()));
        for (int j = 0; j < half_; ++j, in += half_) std::copy_n(in, half_, b + std::ptrdiff_t{j} * n_);
    }

private:
    [[nodiscard]] std::ptrdiff_t matrix() const { return element * n_ * half_; }

    int n_, half_;
};

} // namespace

std::vector<pattern_case> fft_blocks() {
    std::vector<pattern_case> all;
    add_cases<fft_block, int>(all, "fft_block", {256, 768, 1536, 4096});
    return all;
}

} // namespace sode::internal::bench
