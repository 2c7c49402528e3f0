// SPDX-License-Identifier: Apache-2.0
#include "tasks/transfer.hpp"

#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <sys/mman.h>

namespace sode::internal::bench {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t rounded(std::size_t bytes) {
    return (bytes + huge_page - 1) / huge_page * huge_page;
}

/// Where the data of a rank begin, beyond a boundary of huge pages: as far from it on both that equal places of the two do not fall
/// into the same sets of a cache, in every kind of memory.
constexpr std::size_t displacement(int rank) {
    return rank == 0 ? 0 : 5 * 64;
}

/// The first boundary of huge pages at or after `start`, so that every page can be a huge one.
char* aligned(void* start) {
    std::size_t room = 2 * huge_page;
    std::align(huge_page, huge_page, start, room);
    return static_cast<char*>(start);
}

/// It is never unmapped: what is measured lives as long as the program.
char* map(std::size_t bytes, int advice) {
    void* const all = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::runtime_error{"no memory for " + std::to_string(bytes) + " bytes"};
    madvise(all, bytes, advice); // only advice: where it is not taken, the pages are small
    return aligned(all);
}

} // namespace

paged_memory::paged_memory(std::size_t bytes, pages kind, pair& p)
    : kind_(kind), memory_(p.memory()), mapped_bytes_(rounded(bytes) + 2 * huge_page) {
    auto const past = displacement(p.rank());
    switch (kind) {
    case pages::usual: data_ = static_cast<char*>(::operator new[](bytes, std::align_val_t{64})); break;
    case pages::small: data_ = map(mapped_bytes_, MADV_NOHUGEPAGE) + past; break;
    case pages::huge: data_ = map(mapped_bytes_, MADV_HUGEPAGE) + past; break;
    case pages::shared:
        block_ = memory_.allocate(mapped_bytes_);
        data_ = aligned(block_) + past;
        break;
    }
    std::memset(data_, 0, bytes);
}

paged_memory::~paged_memory() {
    if (kind_ == pages::usual) ::operator delete[](data_, std::align_val_t{64});
    if (kind_ == pages::shared) memory_.release(block_, mapped_bytes_);
}

transfer::transfer(std::string name, pair& p, std::size_t memory_bytes, pages kind, places where, source_data data)
    : name_(std::move(name)), pair_(p), where_(std::move(where)), data_(data), memory_(memory_bytes, kind, p),
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

} // namespace sode::internal::bench
