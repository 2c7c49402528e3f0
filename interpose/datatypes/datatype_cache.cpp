// SPDX-License-Identifier: Apache-2.0
#include "interpose/datatypes/datatype_cache.hpp"

#include "interpose/datatypes/datatype_contents.hpp"
#include "interpose/datatypes/datatype_layout.hpp"
#include "interpose/datatypes/description.hpp"
#include "interpose/datatypes/handle_bits.hpp"
#include "interpose/datatypes/identity.hpp"
#include "layout/layout_algebra.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace sode::internal {
namespace {

// Types that are described in a microsecond: vectors, subarrays, and nests of them.
constexpr description_limits simple{32, 1};
// Types beyond this are not looked for among those that were met: each would take as long as a message of it.
constexpr description_limits most{8192, 1 << 16};
// Of a type with so few numbers a layout takes this part of what that of a list takes, and a simple one this.
constexpr index_t few_numbers = 100;
constexpr double few_take = 1.0 / 8, simple_takes = 1.0 / 32;
// Two exchanges there and back: a type that a program uses no more pays for nothing. Unless its messages are that long: a simple
// one's, by this part of a layout, which is many times what its own takes.
constexpr double first_uses = 4;
constexpr double simple_is_long = 1.0 / 8;
// What is kept of types that may be freed.
constexpr std::size_t most_twins = 256;
constexpr std::size_t most_twin_numbers = std::size_t{1} << 17;

} // namespace

message_layout::message_layout(layout_id id, std::shared_ptr<layout const> form)
    : id_(id), form_(std::move(form)), contiguous_(form_->is_nest() && form_->loops.empty()), how_(classify_normal(*form_)) {}

std::shared_ptr<std::vector<packed_chunk> const> message_layout::pack_chunks(index_t bytes) const {
    std::lock_guard const lock{chunking_};
    if (to_pack_.bytes != bytes)
        to_pack_ = {bytes, std::make_shared<std::vector<packed_chunk> const>(sode::internal::pack_chunks(*form_, bytes))};
    return to_pack_.all;
}

std::shared_ptr<std::vector<packed_chunk> const> message_layout::unpack_chunks(index_t bytes) const {
    std::lock_guard const lock{chunking_};
    if (to_unpack_.bytes != bytes)
        to_unpack_ = {bytes, std::make_shared<std::vector<packed_chunk> const>(sode::internal::unpack_chunks(*form_, bytes))};
    return to_unpack_.all;
}

/// What hangs on a datatype: one element, and the layouts of the last few counts.
struct datatype_cache::entry {
    std::mutex mutex;
    std::optional<index_t> numbers; ///< that describe it, once they are asked for: some MPIs copy a datatype to tell
    struct totals {
        double messages = 0, elements = 0, bytes = 0;
    };
    totals without;                    ///< of what went without a layout
    bool has_parts = false;            ///< of several types, each of which takes as long to describe as a list
    bool compared = false;             ///< with those that were met
    bool simple = false;               ///< described in a microsecond
    std::shared_ptr<layout const> one; ///< one element, once it is needed,
    MPI_Count extent = 0;              ///< and the distance to the next
    /// The latest first.
    std::vector<std::pair<MPI_Count, std::shared_ptr<message_layout const>>> counts;
    static constexpr std::size_t most_counts = 8;
};

/// The value of the attribute: all that the delete callback needs.
struct datatype_cache::attached {
    std::shared_ptr<entry> known;
    std::shared_ptr<std::atomic<std::uint64_t>> generation;
};

/// What a thread remembers of one (type, count).
struct datatype_cache::slot {
    std::uint64_t owner = 0; ///< identity of the cache
    std::uint64_t generation = 0;
    std::uint64_t type = 0;
    MPI_Count count = -1;
    std::shared_ptr<message_layout const> form;
};

datatype_cache::datatype_cache(std::uint64_t process) : process_(process), identity_(next_identity()) {
    if (PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, let_go, &key_, nullptr) != MPI_SUCCESS)
        throw error{error_kind::environment, "datatypes cannot be cached", "MPI refused to create an attribute key",
                    "create the cache after MPI_Init"};
}

datatype_cache::~datatype_cache() {
    // Attributes that are still set keep the key alive, and need nothing of the cache.
    if (key_ != MPI_KEYVAL_INVALID) PMPI_Type_free_keyval(&key_);
}

int datatype_cache::let_go(MPI_Datatype, int, void* attribute, void*) {
    auto* const mine = static_cast<attached*>(attribute);
    mine->generation->fetch_add(1, std::memory_order_release);
    delete mine; // NOLINT(cppcoreguidelines-owning-memory): MPI keeps a plain pointer
    return MPI_SUCCESS;
}

datatype_cache::slot& datatype_cache::recent(MPI_Datatype type, MPI_Count count) {
    constexpr std::size_t slots = 32;
    thread_local std::array<slot, slots> remembered;
    std::uint64_t const hash = (bits_of(type) ^ static_cast<std::uint64_t>(count) * 0x9E3779B97F4A7C15U) * 0x9E3779B97F4A7C15U;
    return remembered[hash >> 59];
}

std::shared_ptr<datatype_cache::entry> datatype_cache::entry_of(MPI_Datatype type) {
    void* attribute = nullptr;
    int found = 0;
    std::lock_guard const lock{making_};
    PMPI_Type_get_attr(type, key_, &attribute, &found);
    if (found != 0) return static_cast<attached*>(attribute)->known;
    // A predefined type cannot be freed, and some MPIs let it have no attributes: what threads remember is enough.
    auto const outline = datatype_contents::outline_of(type);
    auto known = std::make_shared<entry>();
    if (outline.basic) {
        known->numbers = 0;
        return known;
    }
    known->has_parts = outline.types > 1;
    if (auto d = description_of(type, simple)) {
        known->simple = true;
        known = twin_of(std::move(*d), std::move(known));
    }
    PMPI_Type_set_attr(type, key_, new attached{known, generation_}); // NOLINT(cppcoreguidelines-owning-memory)
    return known;
}

/// Under the lock: what was met of types like this, or `fresh`, which is that from now on.
std::shared_ptr<datatype_cache::entry> datatype_cache::twin_of(datatype_description d, std::shared_ptr<entry> fresh) {
    std::size_t const numbers = d.text.size();
    if (twins_.size() >= most_twins || twin_numbers_ + numbers > most_twin_numbers) {
        twins_.clear();
        twin_numbers_ = 0;
    }
    auto const [at, added] = twins_.try_emplace(std::move(d.text), fresh);
    if (added) {
        twin_numbers_ += numbers;
        fresh->numbers = d.numbers;
        fresh->compared = true;
    }
    return at->second;
}

std::shared_ptr<datatype_cache::entry> datatype_cache::compared(MPI_Datatype type, std::shared_ptr<entry> known) {
    std::lock_guard const making{making_};
    std::lock_guard const lock{known->mutex};
    if (known->compared || known->numbers == 0) return known;
    known->compared = true;
    auto d = description_of(type, most);
    if (!d) return known;
    auto twin = twin_of(std::move(*d), known);
    void* attribute = nullptr;
    int found = 0;
    PMPI_Type_get_attr(type, key_, &attribute, &found);
    if (found != 0) static_cast<attached*>(attribute)->known = twin;
    return twin;
}

std::shared_ptr<message_layout const> datatype_cache::make(std::shared_ptr<layout const> form) {
    return std::make_shared<message_layout const>(layout_id{process_, serial_.fetch_add(1, std::memory_order_relaxed)},
                                                  std::move(form));
}

bool datatype_cache::holds(slot const& s, MPI_Datatype type, MPI_Count count) const noexcept {
    return s.type == bits_of(type) && s.count == count && s.generation == generation_->load(std::memory_order_acquire) &&
           s.owner == identity_;
}

std::shared_ptr<message_layout const> const* datatype_cache::known(MPI_Datatype type, MPI_Count count) const {
    slot const& s = recent(type, count);
    return holds(s, type, count) ? &s.form : nullptr;
}

std::shared_ptr<message_layout const> const& datatype_cache::find(MPI_Datatype type, MPI_Count count) {
    slot& s = recent(type, count);
    if (holds(s, type, count)) return s.form;
    std::uint64_t const now = generation_->load(std::memory_order_acquire); // before the type is read
    auto const e = compared(type, entry_of(type));
    s = {identity_, now, bits_of(type), count, of(*e, type, count)};
    return s.form;
}

std::shared_ptr<message_layout const> datatype_cache::of(entry& e, MPI_Datatype type, MPI_Count count) {
    if (count < 0)
        throw error{error_kind::usage, "a message has a negative count", "a count must not be negative", "pass 0 or more"};
    std::lock_guard const lock{e.mutex};
    if (!e.one) {
        element_layout element = element_of(type);
        e.extent = element.extent;
        e.one = std::make_shared<layout const>(std::move(element.one));
    }
    auto const known = std::find_if(e.counts.begin(), e.counts.end(), [count](auto const& c) { return c.first == count; });
    if (known != e.counts.end()) {
        std::rotate(e.counts.begin(), known, known + 1);
        return e.counts.front().second;
    }
    auto found = make(count == 1 ? e.one : std::make_shared<layout const>(repeated(*e.one, count, e.extent)));
    if (e.counts.size() == entry::most_counts) e.counts.pop_back();
    e.counts.insert(e.counts.begin(), {count, found});
    return found;
}

bool datatype_cache::pays(MPI_Datatype type, MPI_Count count, MPI_Count bytes, layout_price const& price, int uses) {
    if (known(type, count) != nullptr) return true;
    auto e = entry_of(type);
    auto const cost = [&](double rows) {
        entry::totals const& without = e->without;
        return without.messages * price.message + 2 * rows * price.row + without.bytes * price.byte;
    };
    bool is_new = false, is_early = false;
    {
        std::lock_guard const lock{e->mutex};
        if (e->one || e->numbers == 0) return true;
        entry::totals& without = e->without;
        without.messages += uses;
        without.elements += uses * static_cast<double>(count);
        without.bytes += uses * static_cast<double>(bytes);
        is_early = without.messages <= first_uses && cost(0) < price.layout * (e->simple ? simple_is_long : 1);
        if (e->simple) return !is_early && cost(0) >= price.layout * simple_takes;
        if (cost(0) < price.layout * few_take || (is_early && e->has_parts)) return false;
        is_new = !e->compared;
    }
    if (is_new) e = compared(type, e);
    std::lock_guard const lock{e->mutex};
    if (e->one) return true;
    if (is_early) return false;
    if (e->numbers && *e->numbers <= few_numbers) return true;
    if (!e->numbers && cost(e->without.bytes) < price.layout) return false; // not even with a row for every byte
    if (!e->numbers) e->numbers = numbers_of(type);
    // Most lists take two numbers for a row; of nests the numbers do not tell.
    auto const numbers = static_cast<double>(*e->numbers);
    return cost(numbers / 2 * e->without.elements) >= price.layout + numbers * price.number;
}

std::unique_ptr<datatype_cache::reference> datatype_cache::refer(MPI_Datatype type, MPI_Count count) {
    return std::make_unique<reference>(*this, type, count);
}

// Not a duplicate: that would call what the user has attached to the type.
datatype_cache::reference::reference(datatype_cache& all, MPI_Datatype type, MPI_Count count)
    : all_(all), known_(all.entry_of(type)), count_(count) {
    PMPI_Type_contiguous(1, type, &type_);
}

datatype_cache::reference::~reference() {
    PMPI_Type_free(&type_);
}

std::shared_ptr<message_layout const> datatype_cache::reference::find() {
    return all_.of(*known_, type_, count_);
}

} // namespace sode::internal
