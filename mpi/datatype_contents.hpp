// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

#include <mpi.h>
#include <vector>

namespace sode {

/// How a datatype was made (MPI-4.0, section 5.1.13), in one form for the small and the large (`_c`) constructors: what the small
/// one would have been given. The types that it was made of are references of ours, given back at the end.
class datatype_contents {
public:
    /// Errors: usage, for a handle that MPI does not know.
    explicit datatype_contents(MPI_Datatype type);
    ~datatype_contents();
    datatype_contents(datatype_contents const&) = delete;
    datatype_contents& operator=(datatype_contents const&) = delete;
    datatype_contents(datatype_contents&&) = delete;
    datatype_contents& operator=(datatype_contents&&) = delete;

    [[nodiscard]] int combiner() const noexcept { return combiner_; }
    /// Predefined, or a Fortran type by precision and range: made of no other type.
    [[nodiscard]] bool basic() const noexcept { return is_basic(combiner_); }
    [[nodiscard]] index_t integer(index_t i) const {
        return large_.empty() ? integers_.at(static_cast<std::size_t>(i)) : large_.at(static_cast<std::size_t>(i));
    }
    [[nodiscard]] index_t address(index_t i) const { return addresses_.at(static_cast<std::size_t>(i)); }
    [[nodiscard]] MPI_Datatype type(index_t i) const { return types_.at(static_cast<std::size_t>(i)); }
    [[nodiscard]] std::vector<MPI_Datatype> const& types() const noexcept { return types_; }
    /// How many integers and addresses there are.
    [[nodiscard]] index_t numbers() const noexcept {
        return static_cast<index_t>((large_.empty() ? integers_.size() : large_.size()) + addresses_.size());
    }

private:
    [[nodiscard]] static bool is_basic(int combiner) noexcept {
        return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX ||
               combiner == MPI_COMBINER_F90_INTEGER;
    }
    [[nodiscard]] static int combiner_of(MPI_Datatype type);
    void read(MPI_Datatype type);
#if MPI_VERSION >= 4
    void sort_large_counts(std::vector<MPI_Count> const& large);
#endif

    int combiner_;
    std::vector<int> integers_;
    std::vector<index_t> large_; ///< in place of the integers, if a large constructor made the type
    std::vector<MPI_Aint> addresses_;
    std::vector<MPI_Datatype> types_;
};

/// How many numbers describe a type, those of the types that it is made of included: what a layout of it costs to make grows with
/// them. Errors: as datatype_contents. Cost: some nanoseconds a number.
[[nodiscard]] index_t numbers_of(MPI_Datatype type);

/// Whether a type is predefined, or one of Fortran's by precision and range: such a type is never freed.
[[nodiscard]] bool datatype_is_basic(MPI_Datatype type);

} // namespace sode
