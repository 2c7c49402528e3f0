// SPDX-License-Identifier: Apache-2.0
#include "tasks/transfer.hpp"

#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <sys/mman.h>

namespace sode::bench {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t rounded(std::size_t bytes) {
    return (bytes + huge_page - 1) / huge_page * huge_page;
}

/// `bytes`, on a boundary of huge pages, so that every one of them can be one. It is never unmapped: what is measured lives as long
/// as the program.
char* map(std::size_t bytes, int advice) {
    std::size_t const room = rounded(bytes) + huge_page;
    void* const all = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::runtime_error{"no memory for " + std::to_string(room) + " bytes"};
    std::size_t space_left = room;
    void* start = all;
    std::align(huge_page, rounded(bytes), start, space_left);
    madvise(start, rounded(bytes), advice); // only advice: where it is not taken, the pages are small
    return static_cast<char*>(start);
}

} // namespace

paged_memory::paged_memory(std::size_t bytes, pages kind, space& memory)
    : bytes_(bytes), kind_(kind), memory_(memory),
      data_(kind == pages::usual    ? static_cast<char*>(::operator new[](bytes, std::align_val_t{64}))
            : kind == pages::shared ? reinterpret_cast<char*>(memory.allocate(bytes))
                                    : map(bytes, kind == pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE)) {
    std::memset(data_, 0, bytes_);
}

paged_memory::~paged_memory() {
    if (kind_ == pages::usual) ::operator delete[](data_, std::align_val_t{64});
    if (kind_ == pages::shared) memory_.release(reinterpret_cast<std::byte*>(data_), bytes_);
}

transfer::transfer(std::string name, pair& p, std::size_t memory_bytes, pages kind, places where, source_data data)
    : name_(std::move(name)), pair_(p), where_(std::move(where)), data_(data), memory_(memory_bytes, kind, p.memory()),
      addresses_(p.addresses(memory_.data())) {
    if (kind != pages::shared) return;
    // An arena may be mapped elsewhere in the other.
    auto const own = p.memory().offset(reinterpret_cast<std::byte*>(memory_.data()));
    auto const offsets = p.addresses(reinterpret_cast<char*>(own));
    for (int r = 0; r < 2; ++r)
        addresses_[static_cast<std::size_t>(r)] =
            reinterpret_cast<char*>(p.memory().at(r, reinterpret_cast<std::uint64_t>(offsets[static_cast<std::size_t>(r)])));
}

void transfer::rewrite(std::uint64_t round, bool /*everything*/) {
    if (!pair_.sends() || (data_ == source_data::kept && written_)) return;
    stamp(memory_.data(), where_, seed(round));
    written_ = true;
}

void transfer::poison() {
    if (!pair_.sends()) wipe(memory_.data(), where_);
}

long transfer::mismatches(std::uint64_t round) {
    return pair_.sends() ? 0 : wrong_words(memory_.data(), where_, seed(round));
}

} // namespace sode::bench
