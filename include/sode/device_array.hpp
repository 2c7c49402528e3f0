// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>

#include <sode/array.hpp>
#include <sode/buffered.hpp>
#include <sode/memory.hpp>
#include <sode/stream.hpp>

#include <utility>

namespace sode {

/// A distributed array in device memory: each rank's block is in the memory of the rank's own device. Distribution, alignment,
/// shadow and layout are as for arrays in host memory. Kernels and loops on streams can access the elements. The host must not
/// access the elements. download() copies the elements to an array in host memory, and upload() copies the elements back to the
/// device.
///
///     sode::array<float, 3, sode::device> v{g, sode::shadow{1}, 1.f};
///     sode::stream s{rt};
///     auto halo = sode::reflect_init(v);
///     halo.enqueue(s);                                                            // then, on the device:
///     sode::loop(s, g.inner(), [v = v.view()] SODE_GPU (auto k, auto j, auto i) { … });
///     sode::download(s, v, on_host);
///     s.synchronize();
///
/// SODE_DEVICE selects the device. reflect_init() plans halo exchanges for arrays in device memory. Boundaries of arrays in device
/// memory may be periodic, but cannot have other boundary conditions. copy(), collect(), reverse() and files require arrays in host
/// memory. SODE_CHECK=halo does not check loops on devices.
template <class T, int N> class array<T, N, device> : public distributed<N> {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                  "elements are copied as bytes: their type must be trivially copyable");

public:
    using value_type = T;

    /// The parameters are the same as for arrays in host memory. Throws an environment error if there is no device, or if the
    /// device does not have enough memory. Throws a usage error for a full shadow. The errors of the constructor for host memory
    /// are also possible.
    explicit array(alignment<N> const& where, shadow const& widths = {}, T const& initial = T{}, std::string name = {})
        : distributed<N>(detail::field{
              where.mapping(), widths, {.bytes = sizeof(T), .code = detail::code_of<T>(), .on_device = true}, std::move(name)}) {
        this->field_.fill(0, 0, initial);
    }

    /// Returns a view of this rank's block and its shadow, addressed by global indices, for code that runs on the device. Throws a
    /// usage error if a dimension is cyclic.
    [[nodiscard]] sode::view<T, N> view() { return this->field_.template view_of<T, N>(0); }
    [[nodiscard]] sode::view<T const, N> view() const { return this->field_.template view_of<T const, N>(0); }
};

/// Double buffering in device memory: two arrays of the same shape, now() and next().
template <class T, int N> class buffered<T, N, device> : public two_halves<T, N> {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                  "elements are copied as bytes: their type must be trivially copyable");

public:
    /// The parameters are the same as for array::array(). `initial` is the initial value of all elements in now() and next().
    explicit buffered(alignment<N> const& where, shadow const& widths = {}, T const& initial = T{}, std::string name = {})
        : two_halves<T, N>(detail::field{where.mapping(),
                                         widths,
                                         {.bytes = sizeof(T), .halves = 2, .code = detail::code_of<T>(), .on_device = true},
                                         std::move(name)}) {
        for (int half : {0, 1}) this->field_.fill(half, 0, initial);
    }
};

namespace detail {
/// Copies one block between host and device. If `in` is null, the copy is complete when the function returns.
SODE_API void copy_block(sode::stream* in, halo_source const& to, halo_source const& from);
} // namespace detail

/// Copies this rank's block to or from an array in host memory. The shadow is also copied if both arrays have the same shadow. For
/// a `buffered` array, the current buffer now() is copied. The copy is not collective. With a stream, the copy starts after all
/// earlier work in the stream. Until the stream is synchronised, the program must not access or destroy the array in host memory.
/// Without a stream, the copy is complete when the function returns. Throws a usage error if the two arrays have different
/// distributions or belong to different runtimes.
template <class T, int N, template <class, int, class> class From, template <class, int, class> class To>
void download(From<T, N, device> const& from, To<T, N, host>& to) {
    detail::copy_block(nullptr, to.halo(), from.halo());
}
template <class T, int N, template <class, int, class> class From, template <class, int, class> class To>
void download(sode::stream& s, From<T, N, device> const& from, To<T, N, host>& to) {
    detail::copy_block(&s, to.halo(), from.halo());
}
template <class T, int N, template <class, int, class> class From, template <class, int, class> class To>
void upload(From<T, N, host> const& from, To<T, N, device>& to) {
    detail::copy_block(nullptr, to.halo(), from.halo());
}
template <class T, int N, template <class, int, class> class From, template <class, int, class> class To>
void upload(sode::stream& s, From<T, N, host> const& from, To<T, N, device>& to) {
    detail::copy_block(&s, to.halo(), from.halo());
}

} // namespace sode
