// SPDX-License-Identifier: Apache-2.0
#include "array/outside.hpp"

#include <algorithm>
#include <cstring>

namespace sode::detail {
namespace {

// Quiet NaNs with a payload of our own: what is computed from one keeps it, so that adding to an element counts as reading it.
std::vector<std::byte> unlikely_value(std::uint8_t code) {
    constexpr std::uint32_t f32 = 0x7fd0de5a;
    constexpr std::uint64_t f64 = 0x7ff850de50de50deULL;
    std::vector<std::byte> value(code == 0 ? sizeof f32 : code == 1 ? sizeof f64 : 0);
    if (!value.empty()) std::memcpy(value.data(), code == 0 ? static_cast<void const*>(&f32) : &f64, value.size());
    return value;
}

} // namespace

outside_elements::outside_elements(geometry const& shape, int rank, std::byte* base, std::uint8_t element_code)
    : shape_(&shape), rank_(rank), base_(base), unlikely_(unlikely_value(element_code)),
      initial_(static_cast<std::size_t>(shape.components * shape.element_bytes)) {}

void outside_elements::filled_at_first(index_t component, std::span<std::byte const> element) {
    std::copy(element.begin(), element.end(), initial_.begin() + component * shape_->element_bytes);
}

index_t outside_elements::offset_of(index_t component, std::array<index_t, max_dims> const& places) const {
    return component * shape_->component_bytes(rank_) + shape_->offset(rank_, places);
}

bool outside_elements::filled(index_t component, std::array<index_t, max_dims> const& places) {
    if (all_filled_ || !base_) return true;
    auto const offset = offset_of(component, places);
    if (filled_.contains(offset)) return true;
    auto const bytes = static_cast<std::size_t>(shape_->element_bytes);
    if (std::memcmp(base_ + offset, initial_.data() + static_cast<std::size_t>(component) * bytes, bytes) == 0) return false;
    filled_.insert(offset);
    return true;
}

std::byte* outside_elements::defer(index_t component, std::array<index_t, max_dims> const& places, std::span<index_t const> at) {
    auto const offset = offset_of(component, places);
    auto const bytes = static_cast<std::size_t>(shape_->element_bytes);
    auto known = std::find_if(deferred_.begin(), deferred_.end(), [&](access const& a) { return a.offset == offset; });
    if (known == deferred_.end()) {
        access a{offset, {at.begin(), at.end()}, !unlikely_.empty(), {}};
        a.bytes.resize((bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
        std::memcpy(a.bytes.data(), a.copied ? unlikely_.data() : base_ + offset, bytes);
        known = deferred_.insert(deferred_.end(), std::move(a));
    }
    return known->copied ? reinterpret_cast<std::byte*>(known->bytes.data()) : nullptr;
}

std::vector<index_t> outside_elements::settle() {
    auto const bytes = static_cast<std::size_t>(shape_->element_bytes);
    std::vector<index_t> read;
    for (auto const& a : deferred_) {
        auto* const place = base_ + a.offset;
        if (std::memcmp(a.bytes.data(), a.copied ? unlikely_.data() : place, bytes) == 0) {
            if (read.empty()) read = a.at;
            continue;
        }
        if (a.copied) std::memcpy(place, a.bytes.data(), bytes);
        filled_.insert(a.offset);
    }
    deferred_.clear();
    return read;
}

} // namespace sode::detail
