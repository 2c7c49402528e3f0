// SPDX-License-Identifier: Apache-2.0
#include "halo/fields.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace sode::internal::bench {
namespace {

constexpr double poisoned = -1;

/// The values of a box in one field and round: linear in the indices, because a box lies in one direction and wraps around as a
/// whole or not at all. All of them are multiples of 0.25 that doubles hold exactly.
class values {
public:
    values(rank_block const& b, box const& where, int field, std::uint64_t round) {
        auto const& c = b.shape();
        auto const g = b.global(where.from);
        std::int64_t const row = c.n[2] * c.grid[2], plane = c.n[1] * c.grid[1] * row;
        first_ = static_cast<double>((g[0] * plane + g[1] * row + g[2]) * c.fields + field) + static_cast<double>(round) * 0.25;
        step_ = {static_cast<double>(plane * c.fields), static_cast<double>(row * c.fields), static_cast<double>(c.fields)};
    }
    /// Of the first element of a row; the next ones are step() apart.
    [[nodiscard]] double row(std::int64_t x, std::int64_t y) const noexcept {
        return first_ + step_[0] * static_cast<double>(x) + step_[1] * static_cast<double>(y);
    }
    [[nodiscard]] double step() const noexcept { return step_[2]; }

private:
    double first_;
    std::array<double, 3> step_;
};

template <class F> void for_each_row(box const& b, F f) {
    for (std::int64_t x = 0; x < b.size[0]; ++x)
        for (std::int64_t y = 0; y < b.size[1]; ++y) f(x, y);
}

} // namespace

fields::fields(rank_block const& b, std::vector<double*> base, extent3 const& strides)
    : block_(&b), base_(std::move(base)), strides_(strides) {
    for (auto const& d : directions()) {
        if (!b.neighbour(d)) continue;
        halos_.push_back(b.halo(d));
        // A face holds the edges and corners that the diagonal directions send.
        if (std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]) == 1) edges_.push_back(b.edge(d));
    }
}

double* fields::row(int field, std::int64_t x, std::int64_t y) const noexcept {
    return base(field) + x * strides_[0] + y * strides_[1];
}

void fields::write(box const& b, std::uint64_t round) {
    for (int f = 0; f < count(); ++f) {
        values const all{*block_, b, f, round};
        for_each_row(b, [&](std::int64_t x, std::int64_t y) {
            double* const to = row(f, b.from[0] + x, b.from[1] + y) + b.from[2];
            for (std::int64_t z = 0; z < b.size[2]; ++z) to[z] = all.row(x, y) + all.step() * static_cast<double>(z);
        });
    }
}

void fields::rewrite(std::uint64_t round, bool everything) {
    if (everything)
        write(block_->interior(), round);
    else
        for (auto const& b : edges_) write(b, round);
}

void fields::poison() {
    for (auto const& b : halos_)
        for (int f = 0; f < count(); ++f)
            for_each_row(b, [&](std::int64_t x, std::int64_t y) {
                double* const to = row(f, b.from[0] + x, b.from[1] + y) + b.from[2];
                for (std::int64_t z = 0; z < b.size[2]; ++z) to[z] = poisoned;
            });
}

long fields::mismatches(std::uint64_t round) const {
    long bad = 0;
    for (auto const& b : halos_)
        for (int f = 0; f < count(); ++f) {
            values const all{*block_, b, f, round};
            for_each_row(b, [&](std::int64_t x, std::int64_t y) {
                double const* const from = row(f, b.from[0] + x, b.from[1] + y) + b.from[2];
                for (std::int64_t z = 0; z < b.size[2]; ++z) bad += from[z] != all.row(x, y) + all.step() * static_cast<double>(z);
            });
        }
    return bad;
}

field_memory::field_memory(rank_block const& b) noexcept : block_(&b) {
    constexpr std::ptrdiff_t page = 4096, stagger = 320;
    auto const bytes = static_cast<std::ptrdiff_t>(b.elements()) * static_cast<std::ptrdiff_t>(sizeof(double));
    pitch_ = (bytes + page - 1) / page * page + page + stagger;
}

std::size_t field_memory::bytes() const noexcept {
    return static_cast<std::size_t>(pitch_ * block_->shape().fields);
}

fields field_memory::in(void* memory) const {
    std::vector<double*> base;
    for (int f = 0; f < block_->shape().fields; ++f)
        base.push_back(reinterpret_cast<double*>(static_cast<char*>(memory) + pitch_ * f));
    auto const& n = block_->allocated();
    return fields{*block_, std::move(base), {n[1] * n[2], n[2], 1}};
}

void free_aligned::operator()(void* p) const noexcept {
    std::free(p);
}

std::unique_ptr<void, free_aligned> private_memory(std::size_t bytes) {
    constexpr std::size_t page = 4096;
    bytes = (bytes + page - 1) / page * page;
    std::unique_ptr<void, free_aligned> memory{std::aligned_alloc(page, bytes)};
    if (!memory) throw std::bad_alloc{};
    std::memset(memory.get(), 0, bytes);
    return memory;
}

} // namespace sode::internal::bench
