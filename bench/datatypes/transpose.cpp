// SPDX-License-Identifier: Apache-2.0
#include "datatypes/transpose.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <optional>
#include <stdexcept>

namespace sode::internal::bench {
namespace {

using number = std::complex<double>;
constexpr std::ptrdiff_t element = sizeof(number);

/// One matrix that is sent and one that is received.
class transposition : public communication {
public:
    transposition(std::string name, int n, pair_world const& w)
        : name_(std::move(name)), n_(n), world_(w), rows_(n / w.mpi.size()), from_(elements()), to_(elements()) {
        if (n % w.mpi.size() != 0) throw std::invalid_argument{"the rows must be a multiple of the ranks"};
        for (int r = 0; r < w.mpi.size(); ++r) {
            places sent, received;
            // What goes to rank r, in the order of its columns, and what comes from it.
            for (int c = 0; c < rows_; ++c)
                sent.push_back({element * (std::ptrdiff_t{r} * rows_ + c), element, rows_, element * n_});
            received.push_back({element * (std::ptrdiff_t{r} * rows_), element * rows_, rows_, element * n_});
            sent_.push_back(std::move(sent));
            received_.push_back(std::move(received));
        }
    }

    [[nodiscard]] std::string const& name() const noexcept final { return name_; }
    void rewrite(std::uint64_t round, bool /*everything*/) final {
        if (world_.data == send_data::kept) poison();
        if (world_.data == send_data::kept && written_) return;
        for (int r = 0; r < size(); ++r) stamp(bytes(from_), sent_[static_cast<std::size_t>(r)], seed(round, world_.mpi.rank(), r));
        written_ = true;
    }
    void poison() final {
        for (auto const& where : received_) wipe(bytes(to_), where);
    }
    [[nodiscard]] long mismatches(std::uint64_t round) final {
        long wrong = 0;
        for (int r = 0; r < size(); ++r)
            wrong += wrong_words(bytes(to_), received_[static_cast<std::size_t>(r)], seed(round, r, world_.mpi.rank()));
        return wrong;
    }
    // Every element is sent, and every element is received.
    [[nodiscard]] long spilled() final {
        auto const before = from_;
        MPI_Barrier(world_.mpi.communicator());
        exchange();
        // As bytes: numbers that are none are not equal to themselves.
        return std::memcmp(before.data(), from_.data(), sizeof(number) * before.size()) == 0 ? 0 : 1;
    }
    void renew() override {}

protected:
    [[nodiscard]] int n() const { return n_; }
    [[nodiscard]] int size() const { return world_.mpi.size(); }
    [[nodiscard]] MPI_Comm communicator() const { return world_.mpi.communicator(); }
    [[nodiscard]] int numbers_for_each() const { return rows_ * rows_; }
    [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(n_) * static_cast<std::size_t>(rows_); }
    [[nodiscard]] double* from() { return reinterpret_cast<double*>(from_.data()); }
    [[nodiscard]] double* to() { return reinterpret_cast<double*>(to_.data()); }

private:
    [[nodiscard]] static char* bytes(std::vector<number>& matrix) { return reinterpret_cast<char*>(matrix.data()); }
    [[nodiscard]] std::uint32_t seed(std::uint64_t round, int sender, int receiver) const {
        auto const changing = world_.data == send_data::rewritten ? static_cast<std::uint32_t>(round) : 1U;
        return changing * 0x85ebca6bU + static_cast<std::uint32_t>(sender * size() + receiver) * 0xc2b2ae35U;
    }

    std::string name_;
    int n_;
    pair_world world_;
    int rows_;
    std::vector<number> from_, to_;
    std::vector<places> sent_, received_; // by rank
    bool written_ = false;
};

class typed_transposition final : public transposition {
public:
    typed_transposition(int matrix, pair_world const& w) : transposition("datatypes", matrix, w) {
        typed_transposition::renew();
        typed_transposition::commit();
    }
    void renew() override { types_.emplace(make_transpose_types(n(), size())); }
    void commit() override {
        types_->column.commit();
        types_->block.commit();
    }
    void exchange() override {
        MPI_Alltoall(from(), types_->columns, types_->column.get(), to(), 1, types_->block.get(), communicator());
    }

private:
    std::optional<transpose_types> types_;
};

class packed_transposition final : public transposition {
public:
    packed_transposition(int matrix, pair_world const& w)
        : transposition("packing", matrix, w), out_(2 * elements()), in_(2 * elements()) {}
    void exchange() override {
        pack_transposed(from(), out_.data(), n(), size());
        MPI_Alltoall(out_.data(), 2 * numbers_for_each(), MPI_DOUBLE, in_.data(), 2 * numbers_for_each(), MPI_DOUBLE,
                     communicator());
        unpack_transposed(in_.data(), to(), n(), size());
    }

private:
    std::vector<double> out_, in_;
};

} // namespace

transpose_types make_transpose_types(int n, int ranks) {
    int const rows = n / ranks;
    auto const number_type = contiguous(2, MPI_DOUBLE);
    auto const column = vector(rows, 1, n, number_type.get());
    auto const block = vector(rows, rows, n, number_type.get());
    // Columns follow each other at the distance of an element, blocks at that of a block's width.
    return {resized(element, column.get()), resized(element * rows, block.get()), rows};
}

places transposed_block(int n, int ranks) {
    int const rows = n / ranks;
    return {{0, element * rows, rows, element * n}};
}

void pack_transposed(double const* matrix, double* message, int n, int ranks) {
    int const rows = n / ranks;
    constexpr int tile = 8; // a cache line of the one side is two elements of the other
    auto const* a = reinterpret_cast<number const*>(matrix);
    auto* out = reinterpret_cast<number*>(message);
    for (int r = 0; r < ranks; ++r, out += std::ptrdiff_t{rows} * rows)
        for (int i0 = 0; i0 < rows; i0 += tile)
            for (int j0 = 0; j0 < rows; j0 += tile)
                for (int j = j0; j < std::min(j0 + tile, rows); ++j)
                    for (int i = i0; i < std::min(i0 + tile, rows); ++i)
                        out[std::ptrdiff_t{j} * rows + i] = a[std::ptrdiff_t{i} * n + std::ptrdiff_t{r} * rows + j];
}

void unpack_transposed(double const* message, double* matrix, int n, int ranks) {
    int const rows = n / ranks;
    auto const* in = reinterpret_cast<number const*>(message);
    auto* b = reinterpret_cast<number*>(matrix);
    for (int r = 0; r < ranks; ++r)
        for (int j = 0; j < rows; ++j, in += rows) std::copy_n(in, rows, b + std::ptrdiff_t{j} * n + std::ptrdiff_t{r} * rows);
}

std::unique_ptr<communication> transpose_by_datatypes(int n, pair_world const& w) {
    return std::make_unique<typed_transposition>(n, w);
}

std::unique_ptr<communication> transpose_by_packing(int n, pair_world const& w) {
    return std::make_unique<packed_transposition>(n, w);
}

} // namespace sode::internal::bench
