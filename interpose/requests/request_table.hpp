// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/noted_receives.hpp"
#include "interpose/requests/packed_end.hpp"
#include "interpose/transport/inbox.hpp"
#include "interpose/transport/kept_message.hpp"
#include "interpose/transport/outbox.hpp"

#include <atomic>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <mpi.h>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sode::internal::interpose {

/// What a receive asks for.
struct receive_match {
    int source = MPI_PROC_NULL;
    int tag = 0;
};

/// What MPI_Send_init was given, for every start.
struct repeated_send {
    parcel what;
    record_message message{}; ///< that the request of MPI sends
};

/// What a request of MPI is beyond what MPI knows of it. The user's handle is MPI's own, of the record that is sent or of the
/// message (or record) that is received, or one that it has completed for us; so whatever else one can do with a request keeps
/// working. It is freed only when the message has been moved.
struct tracked_request {
    MPI_Comm communicator = MPI_COMM_NULL;
    bool persistent = false;
    bool active = true;
    bool orphaned = false; ///< MPI_Request_free was called: the handle is ours alone

    // A send:
    std::optional<std::uint32_t> slot;    ///< of a message in flight
    std::unique_ptr<repeated_send> again; ///< of a persistent one
    /// Sends the same message by MPI: our business alone. Of a persistent send it is persistent, for when there is no room.
    MPI_Request by_mpi = MPI_REQUEST_NULL;
    std::shared_ptr<packed_message> copy; ///< of what that sends

    // A receive:
    bool receives = false;
    bool plain = false;                                  ///< it has come, and was no record
    landing where;                                       ///< its form is missing
    std::unique_ptr<datatype_cache::reference> unread{}; ///< as long as this is there
    receive_match match;
    int source = MPI_ANY_SOURCE; ///< in MPI_COMM_WORLD: the communicator may be gone when the message has come
    bool arrived = false;        ///< moved already; `status` and `result` are what the user will be told
    MPI_Status status{};
    int result = MPI_SUCCESS;

    std::unique_ptr<packed_end> packed{}; ///< of a message between machines or of a short one, either end

    bool unstarted = false; ///< it goes on without its persistent request of MPI, which is inactive

    [[nodiscard]] bool goes_by_mpi() const noexcept { return by_mpi != MPI_REQUEST_NULL && (!persistent || unstarted); }
};

/// The tracked requests of this process, by handle.
///
/// Who completes requests takes them out first: MPI gives a handle to the next request as soon as it has freed it.
class request_table {
public:
    using entry = std::unique_ptr<tracked_request>;

    /// No lock: for the quick way around all of this.
    [[nodiscard]] bool empty() const noexcept { return !tracks() && noted_.empty(); }
    /// Whether there are entries.
    [[nodiscard]] bool tracks() const noexcept { return entries_.load(std::memory_order_relaxed) != 0; }
    /// Those that are no entries; of one thread, so there are none where there may be several.
    [[nodiscard]] noted_receives& noted() noexcept { return noted_; }
    /// Entries that are receives that MPI has under way, and nothing else.
    [[nodiscard]] bool receiving() const noexcept { return receives_.load(std::memory_order_relaxed) != 0; }

    /// Whether no entry of these requests is anything but such a receive.
    [[nodiscard]] bool has_only_receives(int count, MPI_Request const* requests);

    /// Entries that the program has let go of: nobody asks for them, so every call looks after them.
    [[nodiscard]] bool has_orphans() const noexcept { return orphans_.load(std::memory_order_relaxed) != 0; }

    void put(MPI_Request request, entry what);
    /// Null, if the request is none of ours.
    [[nodiscard]] entry take(MPI_Request request);

    /// Somebody lets MPI complete requests, and looks for their entries only then. Meanwhile, MPI may call the program (an error
    /// handler, a generalized request), and the program may begin requests that get the handles of those that are over.
    class late_look {
    public:
        explicit late_look(request_table& table) noexcept : table_(table), first_(table.displaced_.size()) { ++table_.late_looks_; }
        ~late_look() {
            if (--table_.late_looks_ == 0) table_.displaced_.clear();
        }
        late_look(late_look const&) = delete;
        late_look& operator=(late_look const&) = delete;
        late_look(late_look&&) = delete;
        late_look& operator=(late_look&&) = delete;
        /// The entry of a request that was over when another one got its handle. Null: there was none.
        [[nodiscard]] entry take_displaced(MPI_Request request);

    private:
        request_table& table_;
        std::size_t first_; ///< of those that were displaced since
    };

    /// Calls `visit(handle, entry)` for up to `most` entries, going on where the last call stopped. Does nothing while another
    /// thread has the table. `visit` returns true if the entry is over.
    template <class Visit> void some(std::size_t most, Visit const& visit);

private:
    static std::uint64_t key(MPI_Request request) noexcept {
        std::uint64_t k = 0;
        // NOLINTNEXTLINE(bugprone-sizeof-expression): it is the handle, a pointer in one MPI and a number in another
        std::memcpy(&k, &request, sizeof request);
        return k;
    }

    void count_orphans_by(int more);
    [[nodiscard]] static int counted(tracked_request const& t) noexcept {
        return t.receives && t.active && !t.unstarted && t.by_mpi == MPI_REQUEST_NULL ? 1 : 0;
    }

    std::atomic<int> entries_{0};
    std::atomic<int> receives_{0};
    std::atomic<int> orphans_{0};
    noted_receives noted_;
    std::mutex mutex_;
    std::pmr::unsynchronized_pool_resource memory_; ///< requests go and come back with every MPI_Test
    std::pmr::unordered_map<std::uint64_t, std::pair<MPI_Request, entry>> table_{&memory_};
    std::size_t next_bucket_ = 0;
    int late_looks_ = 0; ///< of one thread
    std::vector<std::pair<MPI_Request, entry>> displaced_;
};

template <class Visit> void request_table::some(std::size_t most, Visit const& visit) {
    std::unique_lock const lock{mutex_, std::try_to_lock};
    if (!lock || table_.empty()) return;
    std::vector<std::uint64_t> over;
    std::size_t const buckets = table_.bucket_count();
    for (std::size_t looked = 0, seen = 0; looked < buckets && seen < most; ++looked) {
        next_bucket_ = (next_bucket_ + 1) % buckets;
        for (auto at = table_.begin(next_bucket_); at != table_.end(next_bucket_); ++at, ++seen)
            if (visit(at->second.first, *at->second.second)) over.push_back(at->first);
    }
    for (auto const k : over) {
        tracked_request const& t = *table_.at(k).second;
        receives_.fetch_sub(counted(t), std::memory_order_relaxed);
        if (t.orphaned) count_orphans_by(-1);
        table_.erase(k);
        entries_.fetch_sub(1, std::memory_order_relaxed);
    }
}

} // namespace sode::internal::interpose
