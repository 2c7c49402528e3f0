// SPDX-License-Identifier: Apache-2.0
#include "space/left_behind_pages.hpp"

#include "base/system_error.hpp"
#include "space/anonymous_memory.hpp"

#include <sys/mman.h>

#include <new>

namespace sode::internal {
namespace {

left_behind_pages::shared* page_for_users() {
    void* const page =
        ::mmap(nullptr, sizeof(left_behind_pages::shared), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        throw system_error("a page for the list of users of shared memory cannot be mapped", "mmap", "end other programs");
    return new (page) left_behind_pages::shared{nullptr, 0, 1};
}

} // namespace

void left_behind_pages::end_of_use::operator()(shared* s) const noexcept {
    if (s->users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    if (s->base != nullptr) ::munmap(s->base, s->bytes);
    ::munmap(s, sizeof *s);
}

left_behind_pages::left_behind_pages(std::uint64_t bytes, int users) : own_(page_for_users()) {
    own_->base = anonymous_memory::set_aside(bytes);
    own_->bytes = bytes;
    own_->users = users;
}

void left_behind_pages::back(std::uint64_t offset, std::uint64_t bytes) {
    anonymous_memory::back(base() + offset, bytes);
}

void left_behind_pages::give_back(std::uint64_t offset, std::uint64_t bytes) noexcept {
    anonymous_memory::give_back(base() + offset, bytes);
}

} // namespace sode::internal
