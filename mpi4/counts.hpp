// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/persistent_arguments.hpp"
#include "mpi4/held.hpp"

#include <limits>
#include <type_traits>
#include <vector>

namespace sode::internal::mpi4 {

#if MPI_VERSION >= 4
/// What MPI's own functions take where a user gives an `N`: the same.
template <class N> using carried = N;
/// … and for the places that go with it.
template <class N> using carried_place = std::conditional_t<std::is_same_v<N, int>, int, MPI_Aint>;

/// MPI's function for such counts: it has two of each.
template <class N, class Small, class Large> constexpr auto either(Small small, Large large) {
    if constexpr (std::is_same_v<N, int>)
        return small;
    else
        return large;
}
#define SODE_MPI4_OF(N, function) either<N>(function, function##_c)
#else
template <class N> using carried = int;
template <class N> using carried_place = int;
#define SODE_MPI4_OF(N, function) function
#endif

/// A list of MPI's, as the layer wants it; nothing, where it means nothing.
template <class T, class N> [[nodiscard]] std::vector<T> listed(std::shared_ptr<N[]> const& list, int n) {
    return list ? std::vector<T>(list.get(), list.get() + n) : std::vector<T>{};
}

/// … of the forms with v and w.
template <class N, class P>
[[nodiscard]] interpose::persistent_lists listed_parts(std::shared_ptr<N[]> const& counts, std::shared_ptr<P[]> const& places,
                                                       int n, std::shared_ptr<MPI_Datatype[]> const& types = nullptr) {
    return {listed<MPI_Count>(counts, n), listed<MPI_Aint>(places, n), listed<MPI_Datatype>(types, n)};
}

/// Counts and places of a call, as MPI takes them. Where it has only small ones, a large one is an error: MPI_ERR_COUNT.
class counts {
public:
    explicit counts(MPI_Comm communicator) noexcept : communicator_(communicator) {}

    template <class N> [[nodiscard]] carried<N> operator()(N n) {
        if constexpr (!std::is_same_v<N, carried<N>>)
            if (n > N{std::numeric_limits<carried<N>>::max()} || n < N{std::numeric_limits<carried<N>>::min()}) too_large_ = true;
        return static_cast<carried<N>>(n);
    }
    template <class N> [[nodiscard]] std::shared_ptr<carried<N>[]> operator()(N const* of_user, int n, bool means = true) {
        if constexpr (std::is_same_v<N, carried<N>>) {
            return list(of_user, n, means);
        } else {
            if (!means) return nullptr;
            std::shared_ptr<carried<N>[]> copy { new carried<N>[ static_cast<std::size_t>(n) + 1 ] };
            for (int i = 0; i < n; ++i) copy[i] = (*this)(of_user[i]);
            return copy;
        }
    }
    /// Whether all could be carried; else the communicator's error handler hears of it.
    [[nodiscard]] int error() const {
        if (too_large_) PMPI_Comm_call_errhandler(communicator_, MPI_ERR_COUNT);
        return too_large_ ? MPI_ERR_COUNT : MPI_SUCCESS;
    }

private:
    MPI_Comm communicator_;
    bool too_large_ = false;
};

} // namespace sode::internal::mpi4
