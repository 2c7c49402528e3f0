// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/datatypes/description.hpp"
#include "layout/copy_sequence.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mpi.h>
#include <mutex>
#include <vector>

namespace sode::internal {

/// Names a layout for ever: `serial` is never used again in the process, `process` tells processes of a machine apart. A pointer
/// would not do: memory of a freed layout is used again.
struct layout_id {
    std::uint64_t process = 0;
    std::uint64_t serial = 0;
    friend bool operator==(layout_id const&, layout_id const&) = default;
};

/// `count` elements of a datatype, as the paths of a message want to know them. Immutable but for what is made on first use.
class message_layout {
public:
    message_layout(layout_id id, std::shared_ptr<layout const> form);
    message_layout(layout_id id, layout form) : message_layout(id, std::make_shared<layout const>(std::move(form))) {}

    [[nodiscard]] layout_id id() const noexcept { return id_; }
    [[nodiscard]] layout const& form() const noexcept { return *form_; }
    [[nodiscard]] index_t bytes() const noexcept { return how_.bytes; }
    /// First byte and one past the last, relative to the buffer.
    [[nodiscard]] std::pair<index_t, index_t> extent() const noexcept { return how_.extent; }
    [[nodiscard]] bool contiguous() const noexcept { return contiguous_; }
    [[nodiscard]] shape const& how() const noexcept { return how_; }

    /// The message to and from contiguous memory, in chunks of `bytes`; kept for the size that was asked for last. Any thread.
    [[nodiscard]] std::shared_ptr<std::vector<packed_chunk> const> pack_chunks(index_t bytes) const;
    [[nodiscard]] std::shared_ptr<std::vector<packed_chunk> const> unpack_chunks(index_t bytes) const;

private:
    layout_id id_;
    std::shared_ptr<layout const> form_; ///< one element alone has that of its datatype
    bool contiguous_;
    shape how_;
    struct kept_chunks {
        index_t bytes = 0;
        std::shared_ptr<std::vector<packed_chunk> const> all;
    };
    mutable std::mutex chunking_;
    mutable kept_chunks to_pack_;
    mutable kept_chunks to_unpack_;
};

/// What a layout costs to make, and what messages cost that go without one: nanoseconds.
struct layout_price {
    double layout = 0;  ///< making one at each end of a message, and the copies between them,
    double number = 0;  ///< and for each number that describes the datatype
    double message = 0; ///< of MPI's, without
    double row = 0;
    double byte = 0;
};

/// The layouts of the datatypes of a process, kept on the datatypes themselves: an attribute whose delete callback lets go of them
/// when MPI frees the type. A layout in flight stays alive by its shared_ptr. Handles are never trusted beyond that, because MPI
/// uses them again. Types that were made by equal calls have the same layout, also one after the other. Any thread may ask.
class datatype_cache {
public:
    /// `process` must differ between the processes of a machine (a pid does). After MPI_Init.
    explicit datatype_cache(std::uint64_t process);
    /// Before MPI_Finalize.
    ~datatype_cache();
    datatype_cache(datatype_cache const&) = delete;
    datatype_cache& operator=(datatype_cache const&) = delete;
    datatype_cache(datatype_cache&&) = delete;
    datatype_cache& operator=(datatype_cache&&) = delete;

    /// The layout of `count` elements; the reference holds until this thread asks again. Errors: as layout_of().
    /// Cost: some nanoseconds for one of the last few (type, count) of this thread, unless a type was freed since; some hundred for
    /// a type and count that were met before; else that of layout_of().
    [[nodiscard]] std::shared_ptr<message_layout const> const& find(MPI_Datatype type, MPI_Count count);

    /// What find() returns for one of the last few (type, count) of this thread; null for others.
    [[nodiscard]] std::shared_ptr<message_layout const> const* known(MPI_Datatype type, MPI_Count count) const;

    /// Whether find() pays, asked before each message of so many bytes: the layout was made before, or the messages that went
    /// without it, this one included, have cost what it costs. So a datatype that is used in one or two exchanges costs what
    /// it costs without us, and one that is used on, never more than twice that. Cost: as find(), of a layout that is there; a few
    /// microseconds for the first message of a handle. Errors: usage, for a handle that MPI does not know.
    /// `uses`: messages that are asked for at once.
    [[nodiscard]] bool pays(MPI_Datatype type, MPI_Count count, MPI_Count bytes, layout_price const& price, int uses = 1);

    /// Nothing more will be attached to the type.
    void attach(MPI_Datatype type) { static_cast<void>(entry_of(type)); }

    /// A datatype whose layout may be needed after the user has freed it, or never.
    class reference;
    [[nodiscard]] std::unique_ptr<reference> refer(MPI_Datatype type, MPI_Count count);

private:
    struct entry;
    struct slot;
    [[nodiscard]] bool holds(slot const& s, MPI_Datatype type, MPI_Count count) const noexcept;
    [[nodiscard]] std::shared_ptr<message_layout const> of(entry& e, MPI_Datatype type, MPI_Count count);
    struct attached;
    [[nodiscard]] static slot& recent(MPI_Datatype type, MPI_Count count);
    [[nodiscard]] std::shared_ptr<entry> entry_of(MPI_Datatype type);
    [[nodiscard]] std::shared_ptr<entry> twin_of(datatype_description d, std::shared_ptr<entry> fresh);
    /// What was met of types like this one, once that is worth a look: making a layout takes longer.
    [[nodiscard]] std::shared_ptr<entry> compared(MPI_Datatype type, std::shared_ptr<entry> known);
    [[nodiscard]] std::shared_ptr<message_layout const> make(std::shared_ptr<layout const> form);
    static int let_go(MPI_Datatype type, int key, void* attribute, void* nothing);

    std::uint64_t process_;
    std::uint64_t const identity_; ///< tells caches apart in what a thread remembers
    int key_ = MPI_KEYVAL_INVALID;
    std::atomic<std::uint64_t> serial_{0};
    /// Grows when a type is freed: what threads remember is then void. Types may be freed after the cache is gone.
    std::shared_ptr<std::atomic<std::uint64_t>> generation_ = std::make_shared<std::atomic<std::uint64_t>>(1);
    std::mutex making_;
    /// What was met of types that were made alike, by their descriptions: programs make a datatype anew for each exchange.
    std::map<std::vector<index_t>, std::shared_ptr<entry>> twins_;
    std::size_t twin_numbers_ = 0;
};

class datatype_cache::reference {
public:
    reference(datatype_cache& all, MPI_Datatype type, MPI_Count count);
    ~reference();
    reference(reference const&) = delete;
    reference& operator=(reference const&) = delete;
    reference(reference&&) = delete;
    reference& operator=(reference&&) = delete;
    /// As datatype_cache::find().
    [[nodiscard]] std::shared_ptr<message_layout const> find();

private:
    datatype_cache& all_;
    std::shared_ptr<entry> known_;
    MPI_Datatype type_ = MPI_DATATYPE_NULL; ///< ours
    MPI_Count count_;
};

} // namespace sode::internal
