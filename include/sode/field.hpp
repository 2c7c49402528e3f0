// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/align.hpp>
#include <sode/check.hpp>
#include <sode/cyclic_view.hpp>
#include <sode/detail/api.hpp>
#include <sode/detail/worker_threads.hpp>
#include <sode/halo_source.hpp>
#include <sode/shadow.hpp>
#include <sode/view.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>

namespace sode::detail {

/// Implements array, bundle and buffered: manages one or two blocks of memory with the same shape. A field can be moved. The memory
/// of a field exists until the field and all objects created from the field are destroyed.
class field {
public:
    /// Describes the elements of a field: the type, the number of components, and the kind of memory.
    struct kind {
        std::size_t bytes;                    ///< bytes of one element
        index_t components = 1;               ///< components of a bundle; 1: an array
        int halves = 1;                       ///< 2: buffered
        std::uint8_t code = no_number;        ///< type of the numbers (code_of)
        std::array<index_t, max_dims> room{}; ///< geometry::room
        bool on_device = false;               ///< in the memory of the rank's device
        index_t tiles = 1;                    ///< time steps that march() may take per exchange; 0: march() chooses
    };
    /// Describes memory that the program provides.
    struct memory {
        std::byte* first = nullptr;              ///< the first element of this rank's block, including the shadow
        std::byte* other = nullptr;              ///< the same for the second half, if the array is buffered
        std::array<index_t, max_dims> strides{}; ///< distance between consecutive elements, in elements
        std::array<index_t, max_dims> extents{}; ///< extents of the block with its shadow, if the program passed them
        bool knows_extents = false;              ///< the program passed `extents`
        index_t elements = -1;                   ///< number of elements from `first` on; -1: unknown
    };
    /// Allocates zeroed memory. The constructor is not collective. Throws a usage error if the shadow and the array differ in the
    /// number of dimensions. Throws a usage error if the size in bytes overflows, or if there is no job (a dry run). Throws an
    /// environment error if there is not enough memory.
    SODE_API field(mapping const& where, shadow const& widths, kind elements, std::string name);

    /// Uses memory that the program provides. The memory must outlive the field and all objects created from the field. The
    /// constructor is collective. All ranks throw a usage error if the memory of one rank is smaller than the block of that rank.
    SODE_API field(mapping const& where, shadow const& widths, kind elements, std::string name, memory const& brought);

    [[nodiscard]] sode::detail::place const& place() const noexcept { return place_; }
    [[nodiscard]] geometry const& shape() const { return *made().shape_; }
    /// Returns the block that this rank owns, in global indices. Throws a usage error if a dimension is cyclic.
    [[nodiscard]] geometry::block const& owned() const { return boxed(made().mine_->owned); }
    [[nodiscard]] geometry::block const& allocated() const { return boxed(made().mine_->allocated); }
    /// Like owned(), but along a cyclic dimension, the result contains either all indices or none.
    [[nodiscard]] SODE_API geometry::block reach() const;
    /// Returns the indices in dimension `d` that this rank owns. If the dimension is not cyclic, the returned `turns` object has
    /// chunk 0.
    [[nodiscard]] turns const& turns_along(int d) const { return made().mine_->turn[static_cast<std::size_t>(d)]; }
    [[nodiscard]] SODE_API watch_list* checks() const noexcept;

    [[nodiscard]] int half() const noexcept { return half_ ? *half_ : 0; }
    void flip() {
        auto& half = *made().half_;
        half = 1 - half;
    }

    /// Returns the shape, the memory and the halo of the field for an exchange. By default, an exchange fetches the whole shadow.
    [[nodiscard]] SODE_API halo_source halo() const;

    /// Returns a view of one half of the field. For a bundle, `Rank` is the number of dimensions plus one, because the first index
    /// is the component.
    /// Throws a usage error if a dimension is cyclic.
    template <class T, int Rank> [[nodiscard]] view<T, Rank> view_of(int half) const {
        return look_at<T, Rank>(half, allocated(), watch_[static_cast<std::size_t>(half)].get());
    }
    /// Like view_of(), but supports every distribution, including cyclic dimensions.
    template <class T, int Rank> [[nodiscard]] cyclic_view<T, Rank> cyclic_view_of(int half) const {
        constexpr auto n = static_cast<std::size_t>(Rank);
        auto const leading = n - static_cast<std::size_t>(shape().dims);
        auto places = mine_->allocated;
        std::array<turns, n> mine{};
        for (std::size_t d = 0; d + leading < n; ++d) {
            mine[d + leading] = turns_along(static_cast<int>(d));
            if (mine[d + leading].chunk > 0) places[d] = {0, places[d].size()};
        }
        return {look_at<T, Rank>(half, places, nullptr), mine, watch_[static_cast<std::size_t>(half)].get()};
    }

    /// Returns a read-only view of this rank's elements. SODE_CHECK=halo checks every access through the view. checked_view_of() is
    /// for memory that the program provides.
    template <class T, int Rank> [[nodiscard]] checked_view<T, Rank> checked_view_of(int half) const {
        std::array<index_t, static_cast<std::size_t>(Rank)> strides{};
        index_t first = 0;
        for (std::size_t d = 0; d < strides.size(); ++d) {
            strides[d] = made().mine_->strides[d] / static_cast<index_t>(sizeof(T));
            first += allocated()[d].lower * strides[d];
        }
        auto const* const data = reinterpret_cast<T const*>(memory_[static_cast<std::size_t>(half)].get());
        return {data ? data - first : nullptr, strides, watch_[static_cast<std::size_t>(half)].get()};
    }

    /// See distributed::outside_is_filled().
    void outside_is_filled() {
        for (auto const& w : made().watch_)
            if (w) w->outside_is_programs();
    }

    /// Sets all elements of one component, including the shadow, to `value`.
    template <class T> void fill(int half, index_t component, T const& value) {
        constexpr std::array<std::byte, sizeof(T)> zero{};
        auto* const first = memory_[static_cast<std::size_t>(half)].get();
        if (!first || std::memcmp(&value, zero.data(), sizeof(T)) == 0) return; // new memory is already zeroed
        if (on_device_) return fill_device(half, {reinterpret_cast<std::byte const*>(&value), sizeof(T)});
        if (auto const& w = watch_[static_cast<std::size_t>(half)])
            w->filled_at_first(component, {reinterpret_cast<std::byte const*>(&value), sizeof(T)});
        auto* const elements_of = reinterpret_cast<T*>(first + component * mine_->component_bytes);
        share_out(workers(), box<1>{{0}, {elements()}},
                  [&](box<1> const& piece, int) { std::fill(elements_of + piece.lower[0], elements_of + piece.upper[0], value); });
    }

private:
    template <class T, int Rank>
    [[nodiscard]] view<T, Rank> look_at(int half, geometry::block const& block, halo_watch* watch) const {
        constexpr auto n = static_cast<std::size_t>(Rank);
        constexpr auto element = static_cast<index_t>(sizeof(T));
        auto const leading = n - static_cast<std::size_t>(shape_->dims);
        auto const& pitch = mine_->strides;
        std::array<index_t, n> lower{}, extents{}, strides{};
        extents[0] = shape_->components;
        strides[0] = mine_->component_bytes / element;
        for (std::size_t d = 0; d + leading < n; ++d) {
            lower[d + leading] = block[d].lower;
            extents[d + leading] = block[d].size();
            strides[d + leading] = pitch[d] / element;
        }
        return {reinterpret_cast<T*>(memory_[static_cast<std::size_t>(half)].get()), lower, extents, strides, watch};
    }

    // Every member function except the move constructor and the destructor first calls made(). Throws a usage error if the field
    // was moved from.
    [[nodiscard]] field const& made() const {
        if (!shape_) [[unlikely]]
            refuse_moved();
        return *this;
    }
    [[noreturn]] SODE_API static void refuse_moved();
    [[nodiscard]] worker_threads* workers() const noexcept { return workers_of(place_.job.get()); }
    [[nodiscard]] SODE_API index_t elements() const; // number of elements in one component's allocated block
    void watch(std::size_t half);
    SODE_API void fill_device(int half, std::span<std::byte const> element);

    // This rank's part of the shape. The part is computed only once, because programs request views in every time step.
    struct part {
        geometry::block owned{}; // places
        geometry::block allocated{};
        std::array<index_t, max_dims> strides{};
        index_t component_bytes = 0;
        int cyclic = -1; // the first cyclic dimension
        std::array<turns, max_dims> turn{};
    };
    [[nodiscard]] static part part_of(geometry const& g, int rank);
    // Converts a block of places to global indices.
    [[nodiscard]] geometry::block const& boxed(geometry::block const& places) const {
        if (mine_->cyclic >= 0) no_box("array \"" + shape_->name + '"', mine_->cyclic);
        return places;
    }

    sode::detail::place place_;
    std::shared_ptr<geometry const> shape_;
    std::shared_ptr<part const> mine_;
    std::array<std::shared_ptr<std::byte>, 2> memory_; // null if this rank owns nothing
    std::array<std::shared_ptr<halo_watch>, 2> watch_; // null unless SODE_CHECK=halo
    std::shared_ptr<int> half_;                        // null unless buffered; shared with plans, which outlive moves
    std::uint8_t code_ = no_number;
    bool on_device_ = false;
    index_t room_ = 1;  // halo_source::room
    index_t steps_ = 0; // halo_source::steps
};

} // namespace sode::detail
