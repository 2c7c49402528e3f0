// SPDX-License-Identifier: Apache-2.0
#ifndef SODE_DIRECTIVES_HPP
#define SODE_DIRECTIVES_HPP
// Declarations that `sode c++` needs for directives in C++, in addition to <sode/directives.h>. Programs must not use these
// declarations directly. This header requires only C++11.
#include <sode/directives.h>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sode {
namespace xmp {

/// The type of an expression, with references removed.
template <class T> using type_of = typename std::remove_reference<T>::type;

/// A view of a distributed array with strides that are known only at run time. u[i][j] takes global indices, as for C arrays. An
/// access costs as much as an access through a pointer to array rows. A lambda captures a view by value.
template <class T, int Dims> class view {
public:
    /// `base` is the address at which element (0, 0, …) would be. `pitch` is the number of allocated elements in each dimension
    /// except the first.
    view(void* base, int64_t const* pitch) : base_(static_cast<T*>(base)) {
        int64_t stride = 1;
        for (int d = Dims - 1; d > 0; --d) stride_[d - 1] = stride *= pitch[d];
    }
    template <class Index> view<T, Dims - 1> operator[](Index i) const {
        return view<T, Dims - 1>(base_ + static_cast<int64_t>(i) * stride_[0], stride_ + 1, 0);
    }
    view(T* base, int64_t const* stride, int) : base_(base) {
        for (int d = 0; d < Dims - 1; ++d) stride_[d] = stride[d];
    }

private:
    T* base_;
    int64_t stride_[static_cast<std::size_t>(Dims - 1)]; // elements from one index to the next in each dimension; the last stride
                                                         // is 1
};

template <class T> class view<T, 1> {
public:
    view(void* base, int64_t const*) : base_(static_cast<T*>(base)) {}
    view(T* base, int64_t const*, int) : base_(base) {}
    template <class Index> T& operator[](Index i) const { return base_[static_cast<int64_t>(i)]; }
    operator T*() const { return base_; } // a row of an array of arrays

private:
    T* base_;
};

/// The type code of T. C++ templates need the type code, because `sode c++` does not know the types in templates.
template <class T, class = void> struct type_code {
    static_assert(std::is_trivially_copyable<T>::value, "directives move bytes: this type is not trivially copyable");
    static constexpr sode_type value = std::is_same<T, float>::value         ? SODE_FLOAT
                                       : std::is_same<T, double>::value      ? SODE_DOUBLE
                                       : std::is_same<T, long double>::value ? SODE_LONG_DOUBLE
                                       : std::is_same<T, bool>::value        ? SODE_BOOL
                                       : !std::is_integral<T>::value         ? SODE_BYTES(sizeof(T))
                                       : std::is_signed<T>::value            ? sizeof(T) == 1   ? SODE_INT8
                                                                               : sizeof(T) == 2 ? SODE_INT16
                                                                               : sizeof(T) == 4 ? SODE_INT32
                                                                                                : SODE_INT64
                                       : sizeof(T) == 1                      ? SODE_UINT8
                                       : sizeof(T) == 2                      ? SODE_UINT16
                                       : sizeof(T) == 4                      ? SODE_UINT32
                                                                             : SODE_UINT64;
};
/// Recognises std::complex without including `<complex>`.
template <class T>
struct type_code<T, typename std::enable_if<std::is_floating_point<decltype(std::declval<T const&>().imag())>::value &&
                                            sizeof(T) == 2 * sizeof(typename T::value_type)>::type> {
    static constexpr sode_type value = std::is_same<typename T::value_type, double>::value  ? SODE_DOUBLE_COMPLEX
                                       : std::is_same<typename T::value_type, float>::value ? SODE_FLOAT_COMPLEX
                                                                                            : SODE_BYTES(sizeof(T));
};
/// The type code of the elements, if T is an array.
template <class T>
struct element_code
    : type_code<typename std::remove_cv<typename std::remove_all_extents<typename std::remove_reference<T>::type>::type>::type> {};

} // namespace xmp
} // namespace sode

#endif
