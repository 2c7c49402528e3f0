// SPDX-License-Identifier: Apache-2.0
#include "tasks/mappings.hpp"

#include "base/system_error.hpp"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <fcntl.h>
#include <linux/ioctl.h>
#include <memory>
#include <sys/ioctl.h>

namespace sode::internal {

namespace {

// <linux/fs.h> of Linux 6.11, which may be newer than the headers here.
struct map_query {
    std::uint64_t size = sizeof(map_query);
    std::uint64_t flags = 0;
    std::uint64_t address = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t map_flags = 0;
    std::uint64_t page_size = 0;
    std::uint64_t offset = 0;
    std::uint64_t inode = 0;
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    std::uint32_t name_bytes = 0;
    std::uint32_t build_id_bytes = 0;
    std::uint64_t name = 0;
    std::uint64_t build_id = 0;
};
constexpr unsigned long map_query_call = _IOWR('f', 17, map_query);
constexpr std::uint64_t this_or_next = 0x10;

/// Keeps the largest of the gaps between mappings that come by address.
class largest {
public:
    largest(std::uintptr_t low, std::uintptr_t high) : at_(low), high_(high) {}

    void mapping(std::uintptr_t begin, std::uintptr_t end) {
        consider(std::min(begin, high_));
        at_ = std::max(at_, end);
    }
    [[nodiscard]] std::optional<gap> result() {
        consider(high_);
        return best_.end > best_.begin ? std::optional{best_} : std::nullopt;
    }

private:
    void consider(std::uintptr_t end) {
        if (end > at_ && end - at_ > best_.end - best_.begin) best_ = {at_, end};
    }

    std::uintptr_t at_;
    std::uintptr_t high_;
    gap best_{};
};

std::optional<gap> ask(int maps, std::uintptr_t low, std::uintptr_t high) {
    largest found{low, high};
    map_query query;
    query.flags = this_or_next;
    for (query.address = low; query.address < high; query.address = query.end) {
        if (::ioctl(maps, map_query_call, &query) != 0) {
            if (errno == EINTR) continue;
            if (errno == ENOENT) break;
            return std::nullopt;
        }
        if (query.begin >= high) break;
        found.mapping(query.begin, query.end);
    }
    return found.result();
}

std::optional<gap> read(std::uintptr_t low, std::uintptr_t high) {
    std::unique_ptr<std::FILE, decltype(&std::fclose)> const file{std::fopen("/proc/self/maps", "re"), &std::fclose};
    if (!file) return std::nullopt;
    largest found{low, high};
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    while (std::fscanf(file.get(), "%" SCNxPTR "-%" SCNxPTR "%*[^\n]", &begin, &end) == 2 && begin < high)
        if (end > low) found.mapping(begin, end);
    return found.result();
}

} // namespace

mappings::mappings(bool by_text) : maps_(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC)) {
    if (!maps_) throw system_error("cannot see which addresses are free", "open /proc/self/maps", "mount /proc");
    map_query query;
    query.flags = this_or_next;
    has_query_ = !by_text && ::ioctl(maps_.get(), map_query_call, &query) == 0;
}

std::optional<gap> mappings::largest_gap(std::uintptr_t low, std::uintptr_t high) const {
    return has_query_ ? ask(maps_.get(), low, high) : read(low, high);
}

} // namespace sode::internal
