// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_flat.hpp"

#include <cstring>
#include <type_traits>

namespace sode::internal {
namespace {

static_assert(std::is_trivially_copyable_v<copy_header> && std::is_standard_layout_v<copy_header>);
static_assert(sizeof(copy_header) % 8 == 0, "the table behind it is aligned");
static_assert(std::has_unique_object_representations_v<copy_header>, "equal programs are equal bytes");

std::size_t table_bytes(copy_header const& p) noexcept {
    return static_cast<std::size_t>(p.entries) * entry_bytes(p.encoding);
}

} // namespace

std::size_t flat_bytes(copy_view const& p) noexcept {
    return (sizeof(copy_header) + table_bytes(p) + 7) / 8 * 8;
}

void flatten(copy_view const& p, std::byte* block) noexcept {
    std::memset(block, 0, flat_bytes(p));
    copy_header const& header = p;
    std::memcpy(block, &header, sizeof header);
    if (table_bytes(p) != 0) std::memcpy(block + sizeof header, p.table, table_bytes(p));
}

copy_view view_of_flat(std::byte const* block) noexcept {
    copy_view p;
    copy_header& header = p;
    std::memcpy(&header, block, sizeof header);
    if (p.entries != 0) p.table = block + sizeof header;
    return p;
}

} // namespace sode::internal
