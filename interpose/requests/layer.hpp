// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/entry.hpp"
#include "interpose/datatypes/datatype_cache.hpp"
#include "interpose/datatypes/predefined.hpp"
#include "interpose/requests/peeked.hpp"
#include "interpose/requests/request_table.hpp"
#include "interpose/requests/scratch.hpp"
#include "interpose/requests/statuses.hpp"
#include "interpose/transport/inbox.hpp"
#include "interpose/transport/machine.hpp"
#include "interpose/transport/outbox.hpp"
#include "interpose/transport/peers.hpp"

#include <sode/error.hpp>

#include <optional>

namespace sode::interpose {

enum class send_mode : std::uint8_t { standard, ready, synchronous };

/// Arguments that all sends have.
struct send_arguments {
    void const* buffer;
    MPI_Count count;
    MPI_Datatype type;
    int destination;
    int tag;
    MPI_Comm communicator;
    bool mutual = false; ///< the receiver sends as much to us at the same time
};
/// Arguments that all receives have.
struct receive_arguments {
    void* buffer;
    MPI_Count count;
    MPI_Datatype type;
    int source;
    int tag;
    MPI_Comm communicator;
};

/// What stands between a program and its MPI: sends that are worth it go by a record, and receives look whether a record has come.
/// Everything else goes straight on. Functions that return an optional leave the call to MPI where it is empty.
class layer {
public:
    /// Collective, after MPI_Init. Errors, on all ranks together: usage, environment.
    explicit layer(config const& settings);
    /// What was sent may still be received.
    ~layer();
    layer(layer const&) = delete;
    layer& operator=(layer const&) = delete;
    layer(layer&&) = delete;
    layer& operator=(layer&&) = delete;

    /// Whether a message of that length may be moved by us: the quick answer, given for every send.
    [[nodiscard]] bool concerns(MPI_Count count, MPI_Datatype type) const noexcept {
        if (surely_predefined(type)) return count * longest_predefined > eager_bytes_ && length_of(count, type) > eager_bytes_;
        return length_of(count, type) > least_bytes_;
    }
    /// Whether a receive with so much room is tracked: a record fits into it.
    [[nodiscard]] static bool takes_records(MPI_Count count, MPI_Datatype type) noexcept {
        if (surely_predefined(type) && count * longest_predefined < static_cast<MPI_Count>(shortest_record)) return false;
        return length_of(count, type) >= static_cast<MPI_Count>(shortest_record);
    }

    [[nodiscard]] std::optional<int> send(entry const& call, send_arguments const& a, send_mode mode);
    [[nodiscard]] std::optional<int> isend(entry const& call, send_arguments const& a, send_mode mode, MPI_Request* request);
    [[nodiscard]] std::optional<int> send_init(entry const& call, send_arguments const& a, send_mode mode, MPI_Request* request);
    [[nodiscard]] std::optional<int> sendrecv(entry const& call, send_arguments const& s, receive_arguments const& r,
                                              MPI_Status* status);
    /// Of a receive that a probe has met already.
    [[nodiscard]] bool isendrecv_peeked(entry const& call, send_arguments const& s, receive_arguments const& r,
                                        MPI_Request* request);
    /// The same buffer for both: `s.buffer` is `r.buffer`.
    [[nodiscard]] std::optional<int> sendrecv_replace(entry const& call, send_arguments const& s, receive_arguments const& r,
                                                      MPI_Status* status);

    /// A message of this rank to itself, within a collective, straight from layout to layout. False: left to MPI.
    [[nodiscard]] bool copy(void const* from, MPI_Count count, MPI_Datatype type, void* to, MPI_Count room, MPI_Datatype into);

    /// A receive that MPI has done, with `result`, may have brought a record. Returns the result for the user.
    [[nodiscard]] int received(receive_arguments const& a, MPI_Status& status, int result);
    /// A receive under way.
    void track(receive_arguments const& a, MPI_Request request, bool persistent);

    [[nodiscard]] int start(entry const& call, MPI_Request* request);
    [[nodiscard]] int wait(entry const& call, MPI_Request* request, MPI_Status* status);
    [[nodiscard]] int test(entry const& call, MPI_Request* request, int* flag, MPI_Status* status);
    [[nodiscard]] int waitall(entry const& call, int count, MPI_Request* requests, MPI_Status* statuses);
    [[nodiscard]] int testall(entry const& call, int count, MPI_Request* requests, int* flag, MPI_Status* statuses);
    [[nodiscard]] int waitany(entry const& call, int count, MPI_Request* requests, int* index, MPI_Status* status);
    [[nodiscard]] int testany(entry const& call, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status);
    [[nodiscard]] int waitsome(entry const& call, int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses);
    [[nodiscard]] int testsome(entry const& call, int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses);
    [[nodiscard]] int request_free(entry const& call, MPI_Request* request);
    [[nodiscard]] int get_status(entry const& call, MPI_Request request, int* flag, MPI_Status* status);

    [[nodiscard]] int probe(entry const& call, int source, int tag, MPI_Comm communicator, MPI_Status* status);
    [[nodiscard]] int iprobe(entry const& call, int source, int tag, MPI_Comm communicator, int* flag, MPI_Status* status);
    [[nodiscard]] int mprobe(entry const& call, int source, int tag, MPI_Comm communicator, MPI_Message* message,
                             MPI_Status* status);
    [[nodiscard]] int improbe(entry const& call, int source, int tag, MPI_Comm communicator, int* flag, MPI_Message* message,
                              MPI_Status* status);
    /// Are there messages that a probe has met and nobody received? Receives must ask for those first.
    [[nodiscard]] bool has_peeked() const noexcept { return !peeked_.empty(); }
    [[nodiscard]] std::optional<int> receive_peeked(receive_arguments const& a, MPI_Status& status);
    [[nodiscard]] bool ireceive_peeked(receive_arguments const& a, MPI_Request* request);
    [[nodiscard]] std::optional<int> mrecv(receive_arguments const& a, MPI_Message* message, MPI_Status* status);
    [[nodiscard]] bool imrecv(receive_arguments const& a, MPI_Message* message, MPI_Request* request);

    /// A collective, as all its ranks know it alike.
    struct occasion {
        std::int64_t kind;     ///< equal for equal operations on messages of equal length
        bool by_stages = true; ///< worth it also where ranks cannot reach each other's buffers
    };
    /// The communicator for the messages of a collective over `communicator`, which is no intercommunicator, if that shall go by
    /// pairs; the same answer on all its ranks. Some rank must want it, which is asked at the first occasion of a kind, and from
    /// time to time; only then `wanted()` is.
    template <class Wanted> [[nodiscard]] MPI_Comm twin_for(MPI_Comm communicator, occasion const& what, Wanted const& wanted) {
        acquaintance* const all = pairs_of(communicator, what.by_stages);
        if (all == nullptr) return MPI_COMM_NULL;
        auto known = forced_ ? std::optional{true} : remembered_vote(*all, what.kind);
        if (!known) known = vote(*all, what.kind, wanted());
        return *known ? all->twin : MPI_COMM_NULL;
    }
    /// Whether messages of that length may be worth it: the same answer wherever the signature is the same.
    [[nodiscard]] bool is_long(MPI_Count count, MPI_Datatype type) const noexcept { return length_of(count, type) > least_bytes_; }
    /// Whether such a message has gaps, and is long: what MPI itself copies badly.
    [[nodiscard]] bool wants_pairs(MPI_Count count, MPI_Datatype type) const noexcept;

    [[nodiscard]] request_table& requests() noexcept { return requests_; }
    [[nodiscard]] machine& here() noexcept { return here_; }
    /// Collective: what messages there were, if that is wanted; at rank 0.
    [[nodiscard]] std::string told();

private:
    /// A message that has been put into a slot, and how long its record is.
    struct offer {
        std::uint32_t slot;
        int record_bytes;
    };
    /// Nothing has no length, of whatever type; those of more than 2 GiB have none as an int.
    static MPI_Count length_of(MPI_Count count, MPI_Datatype type) noexcept {
        if (count == 0 || type == MPI_DATATYPE_NULL) return 0;
        MPI_Count size = 0;
        PMPI_Type_size_x(type, &size);
        return size * count;
    }
    struct considered {
        parcel what;
        int record_bytes;
    };
    /// Null where collectives do not go by pairs.
    [[nodiscard]] acquaintance* pairs_of(MPI_Comm communicator, bool by_stages);
    /// Comparing notes costs a small collective, so it is done rarely. All ranks meet the same occasions in the same order.
    [[nodiscard]] static std::optional<bool> remembered_vote(acquaintance& all, std::int64_t kind);
    [[nodiscard]] static bool vote(acquaintance& all, std::int64_t kind, bool wanted);
    [[nodiscard]] std::optional<considered> consider(send_arguments const& a);
    /// Whether the layout of a message is made, for what a message without one costs; on a path that is forced, it always is.
    [[nodiscard]] bool layout_pays(MPI_Datatype type, MPI_Count count);
    [[nodiscard]] std::optional<offer> make_offer(send_arguments const& a, bool stage);
    /// What of a message depends on its layout and its receiver alone.
    struct remembered {
        layout_id id;
        distance apart = distance::near;
        bool mutual = false;
        int record_bytes = 0; ///< negative: none can be sent in its place
        proposal what = proposal::leave;
        std::int64_t patience_ns = 0;
    };
    [[nodiscard]] remembered const& recall(send_arguments const& a, message_layout const& form, int receiver);
    [[nodiscard]] std::nullopt_t leave(left_alone why, std::int64_t bytes);
    void progress();
    /// Waits for a message that goes by the sender's buffer. Returns the result for the user.
    [[nodiscard]] int await(std::uint32_t slot, MPI_Comm communicator);

    [[nodiscard]] int received(landing const& where, MPI_Comm communicator, MPI_Status& status, int result);
    [[nodiscard]] int take(record const& r, landing const& where, MPI_Status& status);
    void refuse_cut_off(landing const& where, MPI_Comm communicator, MPI_Status const& status);
    bool poll(MPI_Request request, tracked_request& entry);
    [[nodiscard]] static bool read(tracked_request& t);

    [[nodiscard]] bool may_be_record(MPI_Comm communicator, MPI_Status const& status);
    [[nodiscard]] bool peek(MPI_Comm communicator, MPI_Status const& status);
    [[nodiscard]] peeked_message open(MPI_Comm communicator, MPI_Message message, MPI_Status const& status);
    void exchange_handle(MPI_Comm communicator, MPI_Message* message, MPI_Status& status);
    [[nodiscard]] std::optional<int> sendrecv_peeked(entry const& call, send_arguments const& s, receive_arguments const& r,
                                                     MPI_Status* status);
    [[nodiscard]] int deliver(peeked_message const& m, landing const& where, MPI_Status& status);
    [[nodiscard]] int deliver(peeked_message const& m, receive_arguments const& a, MPI_Status& status);
    [[nodiscard]] tracked_request delivered(peeked_message const& m, receive_arguments const& a);
    [[nodiscard]] MPI_Request request_of(tracked_request t);

    /// The tracked ones of some requests, out of the table while they are completed. Those that remain go back.
    struct taken_requests {
        struct one {
            int index; ///< in the user's array
            MPI_Request handle;
            request_table::entry what;
        };
        taken_requests(request_table& table, int count, MPI_Request const* requests);
        ~taken_requests();
        taken_requests(taken_requests const&) = delete;
        taken_requests& operator=(taken_requests const&) = delete;
        taken_requests(taken_requests&&) = delete;
        taken_requests& operator=(taken_requests&&) = delete;

        scratch<one> list;

    private:
        request_table& table_;
    };
    [[nodiscard]] int start(entry const& call, MPI_Request* request, tracked_request& t);
    [[nodiscard]] bool unfinished(tracked_request& t);
    [[nodiscard]] int go_on_with_others(taken_requests& mine);
    int give_mpi_its_turn();
    [[nodiscard]] taken_requests::one* ended_without_mpi(taken_requests& mine);
    [[nodiscard]] int conclude(taken_requests::one& ended, MPI_Status& status, int result);
    [[nodiscard]] int conclude_all(taken_requests& mine, MPI_Status* statuses, int count, int result);
    template <class Test> void masked(taken_requests& mine, int count, MPI_Request* requests, bool wait, Test const& test);
    [[nodiscard]] int any(entry const& call, taken_requests& mine, int count, MPI_Request* requests, int* index, int* flag,
                          MPI_Status* status, bool wait);
    [[nodiscard]] int some(entry const& call, taken_requests& mine, int count, MPI_Request* requests, int* done, int* indices,
                           MPI_Status* statuses, bool wait);

    /// The code of MPI for an error of ours, told to the user.
    [[nodiscard]] int code_of(error const& e) const;
    /// Calls the error handler, if it is an error. Returns the code.
    static int raise(MPI_Comm communicator, int code);

    machine here_;
    std::optional<message_path> forced_;
    layout_price price_;
    std::int64_t eager_bytes_; ///< what this MPI sends without a receiver
    std::int64_t least_bytes_; ///< up to here all is left to MPI
    datatype_cache types_;
    peers peers_;
    std::unique_ptr<report> report_; ///< null: not wanted
    outbox outbox_;
    inbox inbox_;
    request_table requests_;
    peeked_messages peeked_;
    std::mutex peeking_;            ///< they are kept in the order in which MPI has them
    MPI_Comm self_ = MPI_COMM_NULL; ///< of this process alone, for messages to itself
    int error_class_ = MPI_ERR_OTHER;
};

} // namespace sode::interpose
