// SPDX-License-Identifier: Apache-2.0
// MPI-4.0, chapter 3, by theme: every mode of sending, and requests of messages of derived datatypes: replaced, ended by every
// function, persistent, to oneself, and let go of while active. What must come out is known.
#include "strided_words.hpp"

#include <memory>

using namespace standard;

namespace {

void buffered() {
    for (int const n : {40, 9000}) {
        strided out{n}, in{n};
        int room = 0;
        MPI_Pack_size(1, out.type, MPI_COMM_WORLD, &room);
        std::vector<char> memory(static_cast<std::size_t>(4 * (room + MPI_BSEND_OVERHEAD)));
        for (int i = 0; i < rounds; ++i) {
            MPI_Buffer_attach(memory.data(), static_cast<int>(memory.size()));
            MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
            for (int m = 0; m < 4; ++m) { // all before anybody receives
                out.set(world_rank, i + m);
                if (m < 2) MPI_Bsend(out.words.data(), 1, out.type, right_of(), m, MPI_COMM_WORLD);
                if (m == 2)
                    MPI_Ibsend(out.words.data(), 1, out.type, right_of(), m, MPI_COMM_WORLD, &r[0]),
                        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
                if (m == 3) {
                    MPI_Bsend_init(out.words.data(), 1, out.type, right_of(), m, MPI_COMM_WORLD, &r[1]);
                    MPI_Start(&r[1]), MPI_Wait(&r[1], MPI_STATUS_IGNORE), MPI_Request_free(&r[1]);
                }
                out.set(99, 99);
            }
            for (int m = 3; m >= 0; --m) {
                in.clear();
                MPI_Recv(in.words.data(), 1, in.type, left_of(), m, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                expect(in.is(left_of(), i + m), "a buffered message");
            }
            void* back = nullptr;
            int size = 0;
            MPI_Buffer_detach(static_cast<void*>(&back), &size);
            expect(back == memory.data() && size == static_cast<int>(memory.size()), "the buffer that was detached");
        }
    }
}

// A synchronous send ends when its receive has begun: the answer to a message that is sent after it says so.
void modes() {
    for (int const n : {3, 900, 20000}) {
        strided out{n}, in{n};
        for (int i = 0; i < rounds; ++i) {
            out.set(world_rank, i), in.clear();
            MPI_Request r[2];
            int flag = 0, token = 1;
            if (world_size > 1 && world_rank < world_size / 2 * 2) {
                int const peer = world_rank ^ 1;
                if (world_rank % 2 == 0) {
                    MPI_Issend(out.words.data(), 1, out.type, peer, 1, MPI_COMM_WORLD, &r[0]);
                    for (int k = 0; k < 50; ++k) {
                        MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
                        expect(flag == 0, "a synchronous send that nobody has received");
                    }
                    MPI_Send(&token, 1, MPI_INT, peer, 2, MPI_COMM_WORLD);
                    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
                    MPI_Recv(in.words.data(), 1, in.type, peer, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                    expect(in.is(peer, i), "a synchronous message");
                } else {
                    MPI_Recv(&token, 1, MPI_INT, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                    MPI_Recv(in.words.data(), 1, in.type, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                    expect(in.is(peer, i), "a message that was sent synchronously");
                    MPI_Ssend(out.words.data(), 1, out.type, peer, 3, MPI_COMM_WORLD);
                }
            }
            // Ready: the receive is there.
            in.clear();
            MPI_Irecv(in.words.data(), 1, in.type, left_of(), 4, MPI_COMM_WORLD, &r[0]);
            MPI_Barrier(MPI_COMM_WORLD);
            if (i % 2 == 0)
                MPI_Rsend(out.words.data(), 1, out.type, right_of(), 4, MPI_COMM_WORLD), r[1] = MPI_REQUEST_NULL;
            else
                MPI_Irsend(out.words.data(), 1, out.type, right_of(), 4, MPI_COMM_WORLD, &r[1]);
            MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
            expect(in.is(left_of(), i), "a ready message");
        }
    }
}

void replaced() {
    for (int const n : lengths) {
        strided one{n};
        for (int i = 0; i < rounds; ++i) {
            MPI_Status s;
            int count = 0;
            one.set(world_rank, i);
            MPI_Sendrecv_replace(one.words.data(), 1, one.type, right_of(), i, left_of(), i, MPI_COMM_WORLD, &s);
            MPI_Get_count(&s, one.type, &count);
            expect(one.is(left_of(), i) && s.MPI_SOURCE == left_of() && count == 1, "what was replaced");
            one.set(world_rank, i + 1);
            MPI_Sendrecv_replace(one.words.data(), 1, one.type, world_rank, 7, world_rank, 7, MPI_COMM_WORLD, &s);
            expect(one.is(world_rank, i + 1) && s.MPI_SOURCE == world_rank, "what I have sent myself");
            bool const first = world_rank == 0, last = world_rank == world_size - 1;
            MPI_Sendrecv_replace(one.words.data(), 1, one.type, last ? MPI_PROC_NULL : right_of(), 8,
                                 first ? MPI_PROC_NULL : left_of(), 8, MPI_COMM_WORLD, &s);
            expect(one.is(first ? 0 : left_of(), i + 1) && s.MPI_SOURCE == (first ? MPI_PROC_NULL : left_of()), "a row of ranks");
        }
    }
}

// All kinds of requests in one array, null and resting ones among them, ended by each function.
void ended() {
    constexpr int many = 8;
    strided rest{10};
    std::vector<std::unique_ptr<strided>> in, out;
    for (int k = 0; k < many; ++k)
        in.push_back(std::make_unique<strided>(lengths[static_cast<std::size_t>(k) % 4])),
            out.push_back(std::make_unique<strided>(in.back()->count));
    MPI_Request resting = MPI_REQUEST_NULL;
    MPI_Recv_init(rest.words.data(), 1, rest.type, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &resting);
    for (int i = 0; i < 6 * rounds / 2; ++i) {
        std::array<MPI_Request, 2 * many + 3> r;
        r.fill(MPI_REQUEST_NULL);
        r[1] = resting;
        std::array<MPI_Status, 2 * many + 3> s;
        for (auto k = 0U; k < many; ++k) {
            in[k]->clear(), out[k]->set(world_rank, i + static_cast<int>(k));
            MPI_Irecv(in[k]->words.data(), 1, in[k]->type, left_of(), static_cast<int>(k), MPI_COMM_WORLD, &r[k + 2]);
        }
        for (auto k = 0U; k < many; ++k)
            MPI_Isend(out[k]->words.data(), 1, out[k]->type, right_of(), static_cast<int>(k), MPI_COMM_WORLD, &r[many + 2 + k]);
        int const n = static_cast<int>(r.size());
        int left = 2 * many, index = 0, flag = 0, done = 0;
        std::array<int, 2 * many + 3> indices;
        auto const came = [&](int at, MPI_Status const& told) {
            expect(at >= 2 && at < 2 * many + 2 && r[static_cast<std::size_t>(at)] == MPI_REQUEST_NULL, "what has ended");
            if (at < many + 2) expect(told.MPI_SOURCE == left_of() && told.MPI_TAG == at - 2, "the status of what has ended");
            --left;
        };
        while (left > 0) {
            switch (i % 6) {
            case 0: MPI_Waitany(n, r.data(), &index, s.data()), came(index, s[0]); break;
            case 1:
                MPI_Waitsome(n, r.data(), &done, indices.data(), s.data());
                for (auto k = 0U; k < static_cast<unsigned>(done); ++k) came(indices[k], s[k]);
                break;
            case 2:
                MPI_Testany(n, r.data(), &index, &flag, s.data());
                if (flag != 0) came(index, s[0]);
                break;
            case 3:
                MPI_Testsome(n, r.data(), &done, indices.data(), s.data());
                for (auto k = 0U; k < static_cast<unsigned>(done); ++k) came(indices[k], s[k]);
                break;
            case 4:
                MPI_Testall(n, r.data(), &flag, s.data());
                if (flag == 0) break;
                for (int k = 2; k < 2 * many + 2; ++k) came(k, s[static_cast<std::size_t>(k)]);
                break;
            default:
                for (auto k = 2U; k < 2 * many + 2; ++k) {
                    MPI_Request_get_status(r[k], &flag, &s[0]);
                    while (flag == 0) MPI_Request_get_status(r[k], &flag, &s[0]);
                    MPI_Request_get_status(r[k], &flag, &s[1]);
                    expect(flag != 0 && r[k] != MPI_REQUEST_NULL, "a request that is only looked at");
                    MPI_Test(&r[k], &flag, &s[1]);
                    expect(flag != 0, "a request that was over");
                    came(static_cast<int>(k), s[1]);
                }
            }
        }
        expect(r[1] == resting, "a request that rests");
        for (auto k = 0U; k < many; ++k) expect(in[k]->is(left_of(), i + static_cast<int>(k)), "what came");
    }
    MPI_Request_free(&resting);
}

void persistent() {
    for (int const n : lengths) {
        strided out{n}, in{n}, other{n};
        MPI_Request r[4];
        MPI_Send_init(out.words.data(), 1, out.type, right_of(), 1, MPI_COMM_WORLD, &r[0]);
        MPI_Recv_init(in.words.data(), 1, in.type, left_of(), 1, MPI_COMM_WORLD, &r[1]);
        MPI_Ssend_init(out.words.data(), 1, out.type, left_of(), 2, MPI_COMM_WORLD, &r[2]);
        MPI_Recv_init(other.words.data(), n, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &r[3]);
        MPI_Request ready = MPI_REQUEST_NULL;
        MPI_Rsend_init(out.words.data(), 1, out.type, right_of(), 3, MPI_COMM_WORLD, &ready);
        for (int i = 0; i < rounds; ++i) {
            out.set(world_rank, i), in.clear(), other.clear();
            MPI_Status s[4];
            if (i % 2 == 0)
                MPI_Startall(4, r);
            else
                for (int k = 3; k >= 0; --k) MPI_Start(&r[k]);
            if (i % 3 == 0)
                MPI_Waitall(4, r, s);
            else
                for (int k = 0; k < 4; ++k) MPI_Wait(&r[k], &s[k]);
            int count = 0;
            MPI_Get_count(&s[3], MPI_INT, &count);
            expect(in.is(left_of(), i) && s[1].MPI_SOURCE == left_of(), "a persistent receive");
            expect(count == n && s[3].MPI_SOURCE == right_of() && other.words[0] == right_of() * 1000003 + i * 1009 &&
                       other.words[static_cast<std::size_t>(n) - 1] == right_of() * 1000003 + i * 1009 + n - 1,
                   "a persistent receive from anybody");
            for (auto const one : r) expect(one != MPI_REQUEST_NULL, "a persistent request stays");
            in.clear();
            MPI_Start(&r[1]), MPI_Cancel(&r[1]), MPI_Wait(&r[1], &s[0]); // and can be started again
            int flag = 0;
            MPI_Test_cancelled(&s[0], &flag);
            expect(flag != 0, "a persistent receive that was cancelled");
            MPI_Request q = MPI_REQUEST_NULL;
            MPI_Irecv(in.words.data(), 1, in.type, left_of(), 3, MPI_COMM_WORLD, &q);
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Start(&ready), MPI_Wait(&ready, MPI_STATUS_IGNORE), MPI_Wait(&q, MPI_STATUS_IGNORE);
            expect(in.is(left_of(), i), "a persistent ready send");
        }
        for (auto& one : r) MPI_Request_free(&one);
        MPI_Request_free(&ready);
    }
}

void oneself() {
    for (int const n : lengths)
        for (MPI_Comm const c : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
            int me = 0;
            MPI_Comm_rank(c, &me);
            strided out{n}, in{n};
            for (int i = 0; i < 8; ++i) {
                out.set(world_rank, i), in.clear();
                MPI_Request r[2];
                MPI_Status s;
                if (i % 4 < 2) MPI_Irecv(in.words.data(), 1, in.type, i % 2 == 0 ? me : MPI_ANY_SOURCE, 1, c, &r[0]);
                switch (i % 4) {
                case 0: MPI_Send(out.words.data(), 1, out.type, me, 1, c), MPI_Wait(&r[0], &s); break;
                case 1: MPI_Ssend(out.words.data(), 1, out.type, me, 1, c), MPI_Wait(&r[0], &s); break;
                case 2: MPI_Sendrecv(out.words.data(), 1, out.type, me, 1, in.words.data(), 1, in.type, me, 1, c, &s); break;
                default:
                    MPI_Isend(out.words.data(), 1, out.type, me, 1, c, &r[1]);
                    MPI_Probe(me, 1, c, &s);
                    MPI_Recv(in.words.data(), 1, in.type, me, 1, c, &s);
                    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
                }
                expect(in.is(world_rank, i) && s.MPI_SOURCE == me, "a message to oneself");
            }
        }
}

// Requests and types that are let go of while active; a message says when the memory may be used again.
void let_go() {
    for (int const n : {30, 4000, 50000}) {
        strided in{n};
        for (int i = 0; i < rounds; ++i) {
            in.clear();
            auto out = std::make_unique<strided>(n);
            out->set(world_rank, i);
            MPI_Request r = MPI_REQUEST_NULL, q = MPI_REQUEST_NULL;
            int token = i, other = -1;
            // The receive is freed: that the next message has come says that it is over, as both come in order.
            MPI_Datatype type = every_other(n), dup = MPI_DATATYPE_NULL;
            MPI_Type_dup(type, &dup), MPI_Type_free(&type);
            if (world_size > 1) {
                MPI_Irecv(in.words.data(), 1, dup, left_of(), 1, MPI_COMM_WORLD, &r);
                MPI_Type_free(&dup);
                MPI_Isend(out->words.data(), 1, out->type, right_of(), 1, MPI_COMM_WORLD, &q);
                MPI_Request_free(&q);
                MPI_Wait(&r, MPI_STATUS_IGNORE);
                MPI_Sendrecv(&token, 1, MPI_INT, left_of(), 2, &other, 1, MPI_INT, right_of(), 2, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE); // it has come
                expect(in.is(left_of(), i) && other == i, "a message whose request and types are gone");
            } else {
                MPI_Type_free(&dup);
            }
        }
    }
}

// A receive that nobody asks for again goes on in whatever calls the program makes.
void receive_let_go() {
    if (world_size == 1) return;
    for (int const n : {30, 4000, 50000}) {
        strided in{n}, out{n};
        for (int i = 0; i < rounds; ++i) {
            in.clear();
            out.set(world_rank, i);
            MPI_Request r = MPI_REQUEST_NULL, q = MPI_REQUEST_NULL;
            MPI_Irecv(in.words.data(), 1, in.type, left_of(), 1, MPI_COMM_WORLD, &r);
            MPI_Request_free(&r);
            expect(r == MPI_REQUEST_NULL, "the handle of what is let go of");
            MPI_Isend(out.words.data(), 1, out.type, right_of(), 1, MPI_COMM_WORLD, &q);
            int const volatile& last = in.words[static_cast<std::size_t>(2 * (n - 1))];
            int const before = last;
            int flag = 0;
            double const begun = MPI_Wtime();
            while (last == before && MPI_Wtime() - begun < 20) MPI_Iprobe(left_of(), 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            MPI_Wait(&q, MPI_STATUS_IGNORE);
            MPI_Barrier(MPI_COMM_WORLD); // what lies before the last word has come as well
            expect(in.is(left_of(), i), "a receive whose request is gone");
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    return run_themes(argc, argv,
                      {{"buffered", buffered},
                       {"modes", modes},
                       {"replaced", replaced},
                       {"ended", ended},
                       {"persistent", persistent},
                       {"oneself", oneself},
                       {"let_go", let_go},
                       {"receive_let_go", receive_let_go}});
}
