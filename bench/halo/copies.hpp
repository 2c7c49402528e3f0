// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "halo/fields.hpp"
#include "halo/geometry.hpp"

#include <cstdint>
#include <vector>

namespace sode::internal::bench {

/// Where boxes of doubles lie: a field, or a packed buffer.
struct place {
    char* origin = nullptr; ///< of the box, not of the array
    extent3 strides{};      ///< bytes

    [[nodiscard]] static place in(fields const& f, int field, box const& b) noexcept;
    /// A box of `size` packed densely at `memory`.
    [[nodiscard]] static place packed(char* memory, extent3 const& size) noexcept;
};

/// A box to copy, normalised: merged rows, the kernel chosen by the row's length. As an expert would write it by hand once and use
/// it for every face: this is what the rivals pack with.
class box_copy {
public:
    box_copy(place const& to, place const& from, extent3 const& size) noexcept;
    void run() const noexcept;

    [[nodiscard]] bool contiguous() const noexcept { return rows_ == 1 && planes_ == 1; }
    [[nodiscard]] std::int64_t bytes() const noexcept { return planes_ * rows_ * length_; }

private:
    char* to_;
    char const* from_;
    std::int64_t planes_, rows_, length_; ///< length in bytes
    std::int64_t to_plane_, from_plane_, to_row_, from_row_;
};

using copy_list = std::vector<box_copy>;
inline void run(copy_list const& copies) noexcept {
    for (auto const& c : copies) c.run();
}

[[nodiscard]] inline std::int64_t bytes(box const& b) noexcept {
    return b.elements() * static_cast<std::int64_t>(sizeof(double));
}

/// The copies within this rank of a periodic exchange, all directions.
[[nodiscard]] copy_list self_copies(fields const& f);

} // namespace sode::internal::bench
