// SPDX-License-Identifier: Apache-2.0
#include "halo/fields.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace sode::bench {
namespace {

constexpr double poisoned = -1;

double value(rank_block const& b, extent3 const& g, int field, std::uint64_t round) {
    auto const& c = b.shape();
    auto const linear = (g[0] * c.n[1] * c.grid[1] + g[1]) * c.n[2] * c.grid[2] + g[2];
    return static_cast<double>(linear * c.fields + field) + static_cast<double>(round) * 0.25;
}

template <class F> void for_each_row(box const& b, F f) {
    for (std::int64_t x = 0; x < b.size[0]; ++x)
        for (std::int64_t y = 0; y < b.size[1]; ++y) f(b.from[0] + x, b.from[1] + y);
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
    for (int f = 0; f < count(); ++f)
        for_each_row(b, [&](std::int64_t x, std::int64_t y) {
            double* const to = row(f, x, y) + b.from[2];
            // Owned elements never wrap around, so a row's values are an arithmetic progression.
            double const first = value(*block_, block_->global({x, y, b.from[2]}), f, round);
            double const step = block_->shape().fields;
            for (std::int64_t z = 0; z < b.size[2]; ++z) to[z] = first + step * static_cast<double>(z);
        });
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
                double* const to = row(f, x, y) + b.from[2];
                for (std::int64_t z = 0; z < b.size[2]; ++z) to[z] = poisoned;
            });
}

long fields::mismatches(std::uint64_t round) const {
    long bad = 0;
    for (auto const& b : halos_)
        for (int f = 0; f < count(); ++f)
            for_each_row(b, [&](std::int64_t x, std::int64_t y) {
                double const* const from = row(f, x, y);
                for (std::int64_t z = b.from[2]; z < b.from[2] + b.size[2]; ++z)
                    if (from[z] != value(*block_, block_->global({x, y, z}), f, round)) ++bad;
            });
    return bad;
}

void fields::read() {
    double sum = 0;
    for (auto const& b : halos_)
        for (int f = 0; f < count(); ++f)
            for_each_row(b, [&](std::int64_t x, std::int64_t y) {
                double const* const from = row(f, x, y) + b.from[2];
                for (std::int64_t z = 0; z < b.size[2]; ++z) sum += from[z];
            });
    sink_ = sum;
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

} // namespace sode::bench
