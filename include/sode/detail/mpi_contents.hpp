// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/mpi_envelope.hpp>
#include <sode/error.hpp>
#include <sode/types.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace sode::detail {

/// The constructor call of a datatype (MPI-4.0, section 5.1.13). The arguments of large (`_c`) constructors are converted to those
/// of small constructors. An mpi_contents holds references to the datatypes in the arguments, and its destructor frees these
/// references.
///
/// The class calls only the profiling names (PMPI_…) of MPI functions, so a library that intercepts MPI can also use the class.
class mpi_contents {
public:
    /// Throws a usage error for a handle that MPI does not know.
    explicit mpi_contents(MPI_Datatype type) {
        mpi_envelope const e{type};
        check(e.code);
        combiner_ = e.combiner;
        if (!basic()) read(type, e);
    }
    ~mpi_contents() {
        for (MPI_Datatype& t : types_)
            if (t != MPI_DATATYPE_NULL && !mpi_envelope{t}.basic()) PMPI_Type_free(&t);
    }
    mpi_contents(mpi_contents const&) = delete;
    mpi_contents& operator=(mpi_contents const&) = delete;
    mpi_contents(mpi_contents&&) = delete;
    mpi_contents& operator=(mpi_contents&&) = delete;

    [[nodiscard]] int combiner() const noexcept { return combiner_; }
    /// See mpi_envelope::is_basic().
    [[nodiscard]] bool basic() const noexcept { return mpi_envelope::is_basic(combiner_); }
    /// The properties of a type that do not require its arguments. (Some MPI libraries copy the arguments.) Throws the same errors
    /// as the constructor.
    struct outline {
        bool basic = false;
        index_t numbers = 0;
        index_t types = 0;
    };
    [[nodiscard]] static outline outline_of(MPI_Datatype type) {
        mpi_envelope const e{type};
        check(e.code);
        return {e.basic(), e.numbers(), static_cast<index_t>(e.types)};
    }
    [[nodiscard]] index_t integer(index_t i) const {
        return large_.empty() ? integers_.at(static_cast<std::size_t>(i)) : large_.at(static_cast<std::size_t>(i));
    }
    /// Calls use(p), where p points to the integers (int or index_t). There must be at least `wanted` integers.
    template <class Use> auto with_integers(index_t wanted, Use use) const {
        static_cast<void>(integer(wanted - 1));
        return large_.empty() ? use(integers_.data()) : use(large_.data());
    }
    [[nodiscard]] index_t address(index_t i) const { return addresses_.at(static_cast<std::size_t>(i)); }
    [[nodiscard]] MPI_Datatype type(index_t i) const { return types_.at(static_cast<std::size_t>(i)); }
    [[nodiscard]] std::vector<MPI_Datatype> const& types() const noexcept { return types_; }
    /// Number of integers and addresses.
    [[nodiscard]] index_t numbers() const noexcept {
        return static_cast<index_t>((large_.empty() ? integers_.size() : large_.size()) + addresses_.size());
    }
    /// The number of integers and addresses, then the integers and addresses.
    void append_numbers(std::vector<index_t>& to) const {
        to.push_back(numbers());
        to.insert(to.end(), integers_.begin(), large_.empty() ? integers_.end() : integers_.begin());
        to.insert(to.end(), large_.begin(), large_.end());
        to.insert(to.end(), addresses_.begin(), addresses_.end());
    }

private:
    static void check(int code) {
        if (code != MPI_SUCCESS)
            throw error{error_kind::usage, "a datatype cannot be read", "MPI does not say how it was made",
                        "pass a handle that MPI returned and that was not freed"};
    }

#if MPI_VERSION >= 4
    void read(MPI_Datatype type, mpi_envelope const& e) {
        integers_.resize(static_cast<std::size_t>(e.integers));
        addresses_.resize(static_cast<std::size_t>(e.addresses));
        std::vector<MPI_Count> large(static_cast<std::size_t>(e.large));
        types_.assign(static_cast<std::size_t>(e.types), MPI_DATATYPE_NULL);
        check(PMPI_Type_get_contents_c(type, e.integers, e.addresses, e.large, e.types, integers_.data(), addresses_.data(),
                                       large.data(), types_.data()));
        if (!large.empty()) sort_large_counts(large);
    }

    /// The large constructors keep all counts and displacements in one array. This function moves the counts and displacements to
    /// their places in the small form (MPI-4.0, table 5.1).
    void sort_large_counts(std::vector<MPI_Count> const& large) {
        auto const to_addresses = [&](std::size_t from) {
            large_.assign(large.begin(), large.begin() + static_cast<std::ptrdiff_t>(from));
            addresses_.assign(large.begin() + static_cast<std::ptrdiff_t>(from), large.end());
        };
        auto const entries = static_cast<std::size_t>(large.front());
        switch (combiner_) {
        case MPI_COMBINER_RESIZED: return to_addresses(0);
        case MPI_COMBINER_HVECTOR:
        case MPI_COMBINER_HINDEXED_BLOCK: return to_addresses(2);
        case MPI_COMBINER_HINDEXED:
        case MPI_COMBINER_STRUCT: return to_addresses(1 + entries);
        case MPI_COMBINER_SUBARRAY:
            large_.assign(1, integers_.at(0));
            large_.insert(large_.end(), large.begin(), large.end());
            large_.push_back(integers_.at(1));
            return;
        case MPI_COMBINER_DARRAY:
            large_.assign(integers_.begin(), integers_.begin() + 3);
            large_.insert(large_.end(), large.begin(), large.end());
            large_.insert(large_.end(), integers_.begin() + 3, integers_.end());
            return;
        default: large_.assign(large.begin(), large.end());
        }
    }
#else
    void read(MPI_Datatype type, mpi_envelope const& e) {
        integers_.resize(static_cast<std::size_t>(e.integers));
        addresses_.resize(static_cast<std::size_t>(e.addresses));
        types_.assign(static_cast<std::size_t>(e.types), MPI_DATATYPE_NULL);
        check(PMPI_Type_get_contents(type, e.integers, e.addresses, e.types, integers_.data(), addresses_.data(), types_.data()));
    }
#endif

    int combiner_ = MPI_COMBINER_NAMED;
    std::vector<int> integers_;
    std::vector<index_t> large_; ///< used instead of the integers, if a large constructor made the type
    std::vector<MPI_Aint> addresses_;
    std::vector<MPI_Datatype> types_;
};

} // namespace sode::detail
