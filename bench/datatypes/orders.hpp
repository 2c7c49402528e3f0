// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/mpi_world.hpp"

#include <cstdio>
#include <memory>
#include <string>

namespace sode::internal::bench {

/// What to do next, told by the program that compares several MPIs: it has a job of each, gives one after the other something to
/// measure, and all others sleep meanwhile. Lines come and go by two named pipes of rank 0.
class orders {
public:
    /// Collective. Throws std::runtime_error where a pipe cannot be opened.
    orders(mpi_world const& world, std::string const& from, std::string const& to);

    /// The next line, on every rank, which sleeps until then; empty: there are no more.
    [[nodiscard]] std::string next();
    /// Rank 0 tells; the others' lines are dropped.
    void answer(std::string const& line);

private:
    struct letter;
    struct closes {
        void operator()(std::FILE* f) const noexcept { std::fclose(f); }
    };
    using file = std::unique_ptr<std::FILE, closes>;

    [[nodiscard]] letter& of(int rank) const;
    [[nodiscard]] std::string read();

    mpi_world const& world_;
    shared_window letters_; // one a rank
    file from_, to_;
};

} // namespace sode::internal::bench
