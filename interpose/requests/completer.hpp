// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/scratch.hpp"
#include "interpose/requests/sender.hpp"

namespace sode::internal::interpose {

/// How requests start again and how they end: MPI's own completion first, then ours. A receive is moved when MPI says that its
/// record has come; a send by the buffer is finished when the receiver says so. All else is MPI's.
class completer {
public:
    completer(foundation& on, request_table& requests, receiver& receives, prober& probes, sender& sends)
        : on_(on), requests_(requests), receiver_(receives), prober_(probes), sender_(sends) {}

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

    /// The end of requests that MPI has completed with `result` while nobody kept anything but their handles, `count` of them. Of
    /// those the noted receives may have got records, which nobody knew of before. `statuses` are the user's.
    [[nodiscard]] int conclude_unseen(int count, MPI_Request const* handles, MPI_Status* statuses, int result);
    /// The same of one, in a call for one.
    [[nodiscard]] int conclude_unseen(MPI_Request handle, MPI_Status* status, int result);

private:
    /// The tracked ones of some requests, out of the table while they are completed. Those that remain go back.
    struct taken_requests {
        struct one {
            int index; ///< in the user's array
            MPI_Request handle;
            request_table::entry what;
            bool displaced = false; ///< its handle is another one's, so it does not go back
        };
        taken_requests(request_table& table, int count, MPI_Request const* requests);
        /// Of requests that MPI has completed meanwhile.
        taken_requests(request_table& table, request_table::late_look& look, int count, MPI_Request const* ended);
        ~taken_requests();
        taken_requests(taken_requests const&) = delete;
        taken_requests& operator=(taken_requests const&) = delete;
        taken_requests(taken_requests&&) = delete;
        taken_requests& operator=(taken_requests&&) = delete;

        scratch<one> list;

    private:
        request_table& table_;
    };
    /// Those of some requests that are only noted. They stay noted until they are completed.
    struct noted_requests {
        struct one {
            int index; ///< in the user's array
            MPI_Request handle;
        };
        noted_requests(noted_receives& all, int count, MPI_Request const* requests);
        /// Not those whose handles were others' when MPI completed them.
        void leave_out(taken_requests const& others);
        scratch<one> list;
        bool any_long = false;
    };
    [[nodiscard]] MPI_Status status_of_unseen(MPI_Request handle);
    [[nodiscard]] int conclude(noted_requests::one const& ended, MPI_Status& status, int result);
    [[nodiscard]] int go_on_with_others(taken_requests& mine);
    [[nodiscard]] taken_requests::one* ended_without_mpi(taken_requests& mine);
    [[nodiscard]] int conclude(taken_requests::one& ended, MPI_Status& status, int result);
    [[nodiscard]] int conclude_all(taken_requests& mine, noted_requests& noted, MPI_Status* statuses, int count, int result);
    template <class Test> void masked(taken_requests& mine, int count, MPI_Request* requests, bool wait, Test const& test);
    /// Whether all that is known of these requests can wait until MPI has said which of them are over: no sends of ours are among
    /// them, and no other thread gets their handles meanwhile. Then a call costs what it costs MPI, however many they are.
    [[nodiscard]] bool may_look_later(int count, MPI_Request const* requests);
    /// `ended`: handles of requests that MPI has completed during `look`, `count` of them.
    [[nodiscard]] int conclude_ended(request_table::late_look& look, int count, MPI_Request const* ended, MPI_Status* statuses,
                                     int result);
    [[nodiscard]] int any_receive(entry const& call, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status,
                                  bool wait);
    [[nodiscard]] int some_receives(entry const& call, int count, MPI_Request* requests, int* done, int* indices,
                                    MPI_Status* statuses, bool wait);
    [[nodiscard]] int all_receives(entry const& call, int count, MPI_Request* requests, int* flag, MPI_Status* statuses);
    [[nodiscard]] int any(entry const& call, taken_requests& mine, noted_requests& noted, int count, MPI_Request* requests,
                          int* index, int* flag, MPI_Status* status, bool wait);
    [[nodiscard]] int some(entry const& call, taken_requests& mine, noted_requests& noted, int count, MPI_Request* requests,
                           int* done, int* indices, MPI_Status* statuses, bool wait);

    foundation& on_;
    request_table& requests_;
    receiver& receiver_;
    prober& prober_;
    sender& sender_;
};

} // namespace sode::internal::interpose
