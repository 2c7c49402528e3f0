// SPDX-License-Identifier: Apache-2.0
// The first message that a rank gets by the layer, in each way that a program can receive it. Until then receives are hardly looked
// at. So there is one way a process (its name is the argument), and ranks 0 and 1 send each other: a short message, three of a
// datatype with gaps, and short ones among them, which are received all the same.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr int rows = 4096, gap = 3, few = 40;
int rank = 0, other = 0;
std::string way;

void expect(bool truth, char const* what) {
    if (truth) return;
    std::fprintf(stderr, "rank %d: wrong: %s, %s\n", rank, way.c_str(), what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/// A message that is sent, or comes.
struct message {
    std::vector<double> room = std::vector<double>(rows, -1.0);
    int tag, count;
    MPI_Request request = MPI_REQUEST_NULL;

    explicit message(int t) : tag(t), count(t % 2 == 0 ? rows : few) {}
    [[nodiscard]] double value(int i, int of) const { return 1000.0 * tag + of + 0.5 * i; }
    void begin() { MPI_Irecv(room.data(), rows, MPI_DOUBLE, other, tag, MPI_COMM_WORLD, &request); }
    void check(MPI_Status const* status) {
        expect(request == MPI_REQUEST_NULL, "the request is over");
        for (int i = 0; i < rows; ++i)
            expect(room[static_cast<std::size_t>(i)] == (i < count ? value(i, other) : -1.0), "the message");
        if (status == nullptr) return;
        int n = 0;
        MPI_Get_count(status, MPI_DOUBLE, &n);
        expect(n == count && status->MPI_SOURCE == other && status->MPI_TAG == tag, "the status");
    }
};

/// What goes out: even tags are long and have gaps.
struct outgoing {
    std::vector<double> memory = std::vector<double>(static_cast<std::size_t>(rows) * gap);
    MPI_Datatype column = MPI_DATATYPE_NULL;
    std::vector<MPI_Request> requests;

    outgoing() {
        MPI_Type_vector(rows, 1, gap, MPI_DOUBLE, &column);
        MPI_Type_commit(&column);
    }
    void fill(message const& m) {
        for (int i = 0; i < m.count; ++i) memory[static_cast<std::size_t>(i) * (m.tag % 2 == 0 ? gap : 1)] = m.value(i, rank);
    }
    void send(int tag) {
        message const m{tag};
        fill(m);
        if (tag % 2 == 0)
            MPI_Send(memory.data(), 1, column, other, tag, MPI_COMM_WORLD);
        else
            MPI_Send(memory.data(), few, MPI_DOUBLE, other, tag, MPI_COMM_WORLD);
    }
    void send_all() { // by the layer they are packed, and nobody waits
        for (int tag : {1, 2, 3, 4, 6}) send(tag);
    }
};

using messages = std::vector<message>;

messages begun() {
    messages all;
    for (int tag : {1, 2, 3, 4, 6}) all.emplace_back(tag);
    for (auto& m : all) m.begin();
    return all;
}
std::vector<MPI_Request> requests_of(messages const& all) {
    std::vector<MPI_Request> r;
    for (auto const& m : all) r.push_back(m.request);
    return r;
}
void check_all(messages& all, std::vector<MPI_Request> const& requests, MPI_Status const* statuses) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].request = requests[i];
        all[i].check(statuses == nullptr ? nullptr : statuses + i);
    }
}

void by_blocking_calls(std::function<void(message&, MPI_Status*)> const& receive) {
    for (int tag : {1, 2, 3, 4, 6}) {
        message m{tag};
        MPI_Status s;
        receive(m, tag == 4 ? MPI_STATUS_IGNORE : &s);
        m.check(tag == 4 ? nullptr : &s);
    }
}

void by_one(bool tests, bool ignores) {
    auto all = begun();
    for (std::size_t i = 0; i < all.size(); ++i) {
        MPI_Status s;
        auto* const told = ignores ? MPI_STATUS_IGNORE : &s;
        for (int over = 0; over == 0;)
            if (tests)
                MPI_Test(&all[i].request, &over, told);
            else
                over = 1, MPI_Wait(&all[i].request, told);
        all[i].check(ignores ? nullptr : &s);
    }
}

void by_all(bool tests, bool ignores) {
    auto all = begun();
    auto requests = requests_of(all);
    std::vector<MPI_Status> s(all.size());
    auto* const told = ignores ? MPI_STATUSES_IGNORE : s.data();
    int const n = static_cast<int>(all.size());
    for (int over = 0; over == 0;)
        if (tests)
            MPI_Testall(n, requests.data(), &over, told);
        else
            over = 1, MPI_Waitall(n, requests.data(), told);
    check_all(all, requests, ignores ? nullptr : s.data());
}

void by_any(bool tests) {
    auto all = begun();
    auto requests = requests_of(all);
    int const n = static_cast<int>(all.size());
    for (int i = 0; i < n; ++i) {
        MPI_Status s;
        int which = -1;
        for (int over = 0; over == 0;)
            if (tests)
                MPI_Testany(n, requests.data(), &which, &over, &s);
            else
                over = 1, MPI_Waitany(n, requests.data(), &which, i == 1 ? MPI_STATUS_IGNORE : &s);
        all[static_cast<std::size_t>(which)].request = requests[static_cast<std::size_t>(which)];
        all[static_cast<std::size_t>(which)].check(!tests && i == 1 ? nullptr : &s);
    }
}

void by_some(bool tests, bool ignores) {
    auto all = begun();
    auto requests = requests_of(all);
    int const n = static_cast<int>(all.size());
    std::vector<MPI_Status> s(all.size());
    std::vector<int> which(all.size());
    for (int left = n, done = 0; left > 0; left -= done) {
        auto* const told = ignores ? MPI_STATUSES_IGNORE : s.data();
        tests ? MPI_Testsome(n, requests.data(), &done, which.data(), told)
              : MPI_Waitsome(n, requests.data(), &done, which.data(), told);
        for (int i = 0; i < done; ++i) {
            auto const k = static_cast<std::size_t>(which[static_cast<std::size_t>(i)]);
            all[k].request = requests[k];
            all[k].check(ignores ? nullptr : &s[static_cast<std::size_t>(i)]);
        }
    }
}

/// Requests that are made once: each message comes twice.
void persistent(bool together, outgoing& out) {
    messages all;
    for (int tag : {1, 2, 3, 4, 6}) all.emplace_back(tag);
    for (auto& m : all) MPI_Recv_init(m.room.data(), rows, MPI_DOUBLE, other, m.tag, MPI_COMM_WORLD, &m.request);
    auto requests = requests_of(all);
    int const n = static_cast<int>(all.size());
    MPI_Waitall(n, requests.data(), MPI_STATUSES_IGNORE); // of those that nobody has started
    for (int turn = 0; turn < 2; ++turn) {
        for (auto& m : all) std::ranges::fill(m.room, -1.0);
        std::vector<MPI_Status> s(all.size());
        if (together) {
            MPI_Startall(n, requests.data());
            out.send_all();
            MPI_Waitall(n, requests.data(), turn == 0 ? MPI_STATUSES_IGNORE : s.data());
        } else {
            for (auto& r : requests) MPI_Start(&r);
            out.send_all();
            for (std::size_t i = 0; i < all.size(); ++i) MPI_Wait(&requests[i], &s[i]);
        }
        for (std::size_t i = 0; i < all.size(); ++i) all[i].request = MPI_REQUEST_NULL;
        for (std::size_t i = 0; i < all.size(); ++i) all[i].check(together && turn == 0 ? nullptr : &s[i]);
    }
    for (auto& r : requests) MPI_Request_free(&r);
}

/// There is room for a record in part only, then for none.
void cut_off(outgoing& out) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    out.send(2);
    out.send(4);
    out.send(6);
    std::array<double, 10> small{};
    message last{6};
    expect(MPI_Recv(small.data(), 10, MPI_DOUBLE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS, "truncated");
    expect(MPI_Recv(small.data(), 1, MPI_DOUBLE, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS, "truncated");
    MPI_Recv(last.room.data(), rows, MPI_DOUBLE, other, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    last.check(nullptr);
}

MPI_Datatype every_third(int n) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(n, 1, gap, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

/// Messages of that type, as many as it takes to know it well.
void get_used_to(MPI_Datatype type, double* out, double* in) {
    for (int i = 0; i < 20; ++i) MPI_Sendrecv(out, 1, type, other, 1, in, 1, type, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 20; ++i) {
        MPI_Send(out, 1, type, other, 1, MPI_COMM_WORLD);
        MPI_Recv(in, 1, type, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/// Datatypes of the program, which have become well known, have too little room.
void formed_cut_off(outgoing& out) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    std::vector<double> room(static_cast<std::size_t>(few) * gap);
    MPI_Datatype const less = every_third(few);
    get_used_to(less, out.memory.data(), room.data());
    for (int const tag : {2, 4, 6, 8, 10}) out.send(tag);
    int const received = MPI_Recv(room.data(), 1, less, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(received != MPI_SUCCESS, "truncated");
    MPI_Status s;
    expect(MPI_Recv(room.data(), 1, less, other, 4, MPI_COMM_WORLD, &s) != MPI_SUCCESS, "truncated, with a status");
    int const exchanged = MPI_Sendrecv(nullptr, 0, MPI_INT, MPI_PROC_NULL, 0, room.data(), 1, less, other, 6, MPI_COMM_WORLD, &s);
    expect(exchanged != MPI_SUCCESS, "truncated in an exchange");
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Irecv(room.data(), 1, less, other, 8, MPI_COMM_WORLD, &r);
    expect(MPI_Wait(&r, MPI_STATUS_IGNORE) != MPI_SUCCESS, "truncated by request");
    message last{10};
    MPI_Recv(last.room.data(), rows, MPI_DOUBLE, other, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    last.check(nullptr);
    MPI_Datatype over = less;
    MPI_Type_free(&over);
}

/// Short receives of a program to which records come: by each call that ends requests, a short message, and a record that does not
/// fit.
void short_ones(outgoing& out) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    out.send(2);
    message first{2};
    MPI_Recv(first.room.data(), rows, MPI_DOUBLE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    first.check(nullptr);
    using requests = std::array<MPI_Request, 2>;
    using statuses = std::array<MPI_Status, 2>;
    int n = 0, over = 0;
    std::array<int, 2> which{};
    // Each goes on until both are over, and returns the last error.
    std::array<std::function<int(requests&, statuses&)>, 7> const ends{
        [&](requests& r, statuses& s) {
            for (over = 0; over == 0;) MPI_Test(r.data(), &over, s.data());
            int result = MPI_SUCCESS;
            for (over = 0; over == 0 && result == MPI_SUCCESS;) result = MPI_Test(&r[1], &over, &s[1]);
            return result;
        },
        [&](requests& r, statuses& s) { return MPI_Waitall(2, r.data(), s.data()); },
        [&](requests& r, statuses& s) {
            int result = MPI_SUCCESS;
            for (over = 0; over == 0 && result == MPI_SUCCESS;) result = MPI_Testall(2, r.data(), &over, s.data());
            return result;
        },
        [&](requests& r, statuses&) {
            int const one = MPI_Waitany(2, r.data(), &n, MPI_STATUS_IGNORE), two = MPI_Waitany(2, r.data(), &n, MPI_STATUS_IGNORE);
            return one != MPI_SUCCESS ? one : two;
        },
        [&](requests& r, statuses& s) {
            int failed = MPI_SUCCESS;
            for (int ended = 0; ended < 2; ended += over) {
                int const result = MPI_Testany(2, r.data(), &n, &over, s.data());
                if (result != MPI_SUCCESS) failed = result, over = 1;
            }
            return failed;
        },
        [&](requests& r, statuses&) {
            int failed = MPI_SUCCESS;
            for (int ended = 0; ended < 2; ended += n)
                if (int const result = MPI_Waitsome(2, r.data(), &n, which.data(), MPI_STATUSES_IGNORE); result != MPI_SUCCESS)
                    failed = result;
            return failed;
        },
        [&](requests& r, statuses& s) {
            int failed = MPI_SUCCESS;
            for (int ended = 0; ended < 2; ended += n)
                if (int const result = MPI_Testsome(2, r.data(), &n, which.data(), s.data()); result != MPI_SUCCESS)
                    failed = result;
            return failed;
        }};
    for (auto const& end : ends) {
        std::array<double, few + 5> brief{}, less{};
        requests r{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        statuses s{};
        MPI_Irecv(brief.data(), static_cast<int>(brief.size()), MPI_DOUBLE, other, 3, MPI_COMM_WORLD, r.data());
        MPI_Irecv(less.data(), static_cast<int>(less.size()), MPI_DOUBLE, other, 4, MPI_COMM_WORLD, &r[1]);
        out.send(3);
        out.send(4);
        expect(end(r, s) != MPI_SUCCESS, "truncated by request");
        expect(r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL, "both are over");
        for (int i = 0; i < few; ++i) expect(brief[static_cast<std::size_t>(i)] == message{3}.value(i, other), "the short message");
    }
}

/// MPI gives the handle of a short datatype to a long one.
void handle_used_again(outgoing& out) {
    constexpr int tiny = 5, tries = 64;
    std::vector<double> room(static_cast<std::size_t>(rows) * gap, -1.0);
    bool again = false;
    for (int i = 0; i < tries && !again; ++i) {
        MPI_Datatype brief = every_third(tiny);
        MPI_Datatype const handle = brief;
        get_used_to(brief, out.memory.data(), room.data());
        MPI_Type_free(&brief);
        MPI_Datatype column = every_third(rows);
        again = column == handle;
        // Both or none, because each sends to the other.
        int both = again ? 1 : 0;
        MPI_Allreduce(MPI_IN_PLACE, &both, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        again = both != 0;
        if (again || i == tries - 1) {
            MPI_Status s;
            out.send(2);
            MPI_Recv(room.data(), 1, column, other, 2, MPI_COMM_WORLD, &s);
            message const m{2};
            for (int n = 0; n < rows; ++n)
                expect(room[static_cast<std::size_t>(n) * gap] == m.value(n, other), "a message of a handle that was another's");
            int bytes = 0;
            MPI_Get_count(&s, MPI_BYTE, &bytes);
            expect(bytes == rows * static_cast<int>(sizeof(double)), "its length");
        }
        MPI_Type_free(&column);
    }
    if (!again && rank == 0) std::puts("no handle was used again");
}

void receive_in(std::string const& name) {
    using receive = std::function<void(message&, MPI_Status*)>;
    std::map<std::string, receive> const blocking{
        {"recv", [](message& m, MPI_Status* s) { MPI_Recv(m.room.data(), rows, MPI_DOUBLE, other, m.tag, MPI_COMM_WORLD, s); }},
        {"recv_ignored",
         [](message& m, MPI_Status* s) {
             MPI_Recv(m.room.data(), rows, MPI_DOUBLE, other, m.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
             if (s != MPI_STATUS_IGNORE)
                 *s = {}, s->MPI_SOURCE = other, s->MPI_TAG = m.tag, MPI_Status_set_elements(s, MPI_DOUBLE, m.count);
         }},
        {"sendrecv",
         [](message& m, MPI_Status* s) {
             MPI_Sendrecv(nullptr, 0, MPI_INT, MPI_PROC_NULL, 0, m.room.data(), rows, MPI_DOUBLE, other, m.tag, MPI_COMM_WORLD, s);
         }},
        {"sendrecv_replace",
         [](message& m, MPI_Status* s) {
             MPI_Sendrecv_replace(m.room.data(), rows, MPI_DOUBLE, MPI_PROC_NULL, 0, other, m.tag, MPI_COMM_WORLD, s);
         }},
        {"probe",
         [](message& m, MPI_Status* s) {
             MPI_Status seen;
             MPI_Probe(other, m.tag, MPI_COMM_WORLD, &seen);
             int n = 0;
             MPI_Get_count(&seen, MPI_DOUBLE, &n);
             expect(n == m.count, "what is probed");
             MPI_Recv(m.room.data(), n, MPI_DOUBLE, other, m.tag, MPI_COMM_WORLD, s);
         }},
        {"iprobe",
         [](message& m, MPI_Status* s) {
             for (int there = 0; there == 0;) MPI_Iprobe(MPI_ANY_SOURCE, m.tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
             MPI_Recv(m.room.data(), rows, MPI_DOUBLE, MPI_ANY_SOURCE, m.tag, MPI_COMM_WORLD, s);
         }},
        {"mprobe",
         [](message& m, MPI_Status* s) {
             MPI_Message handle = MPI_MESSAGE_NULL;
             MPI_Mprobe(other, m.tag, MPI_COMM_WORLD, &handle, MPI_STATUS_IGNORE);
             MPI_Mrecv(m.room.data(), rows, MPI_DOUBLE, &handle, s);
         }},
        {"get_status",
         [](message& m, MPI_Status* s) {
             m.begin();
             for (int over = 0; over == 0;) MPI_Request_get_status(m.request, &over, MPI_STATUS_IGNORE);
             MPI_Wait(&m.request, s);
         }},
    };
    std::map<std::string, std::function<void()>> const by_request{
        {"wait", [] { by_one(false, false); }},      {"wait_ignored", [] { by_one(false, true); }},
        {"test", [] { by_one(true, false); }},       {"test_ignored", [] { by_one(true, true); }},
        {"waitall", [] { by_all(false, false); }},   {"waitall_ignored", [] { by_all(false, true); }},
        {"testall", [] { by_all(true, false); }},    {"testall_ignored", [] { by_all(true, true); }},
        {"waitany", [] { by_any(false); }},          {"testany", [] { by_any(true); }},
        {"waitsome", [] { by_some(false, false); }}, {"waitsome_ignored", [] { by_some(false, true); }},
        {"testsome", [] { by_some(true, false); }},  {"testsome_ignored", [] { by_some(true, true); }},
    };
    outgoing out;
    if (auto const at = blocking.find(name); at != blocking.end()) {
        out.send_all();
        by_blocking_calls(at->second);
    } else if (auto const one = by_request.find(name); one != by_request.end()) {
        out.send_all();
        one->second();
    } else if (name == "persistent" || name == "persistent_together") {
        persistent(name != "persistent", out);
    } else if (name == "cut_off") {
        cut_off(out);
    } else if (name == "short_ones") {
        short_ones(out);
    } else if (name == "formed_cut_off") {
        formed_cut_off(out);
    } else if (name == "handle_used_again") {
        handle_used_again(out);
    } else {
        expect(false, "no such way");
    }
    MPI_Type_free(&out.column);
}

} // namespace

int main(int argc, char** argv) {
    if (std::getenv("TEST_SEVERAL_THREADS") != nullptr) {
        int provided = 0;
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    } else {
        MPI_Init(&argc, &argv);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    way = argc > 1 ? argv[1] : "recv";
    receive_in(way);
    MPI_Finalize();
    return 0;
}
