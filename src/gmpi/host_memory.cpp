// SPDX-License-Identifier: Apache-2.0
#include <sode/detail/gmpi/memory.hpp>
#include <sode/detail/gmpi/threads_platform.hpp>

#include <cstring>
#include <new>

namespace sode {

namespace {
constexpr std::align_val_t words_alignment{128};
} // namespace

std::byte* gmpi::host_memory::allocate(kind, std::size_t bytes) {
    auto* const place = static_cast<std::byte*>(::operator new(bytes, words_alignment));
    std::memset(place, 0, bytes);
    return place;
}

void gmpi::host_memory::release(kind, std::byte* address) noexcept {
    ::operator delete(address, words_alignment);
}

void gmpi::host_memory::write(std::byte* to, void const* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
}

bool gmpi::host_memory::is_plain(void const*) const {
    return true;
}

std::uint64_t gmpi::host_memory::begin_copy(void* to, void const* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
    return 0;
}

bool gmpi::host_memory::is_over(std::uint64_t) {
    return true;
}

void gmpi::host_memory::tell(word* to, kind, word value) {
    using detail::ordering, detail::scope;
    detail::threads_platform::store_release<ordering::complete, scope::system>(*to, value);
}

} // namespace sode
