// SPDX-License-Identifier: Apache-2.0
// MPI-4.0, chapter 3, by theme: probes, order, lengths and contexts of messages of derived datatypes. What must come out is known.
#include "strided_words.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>

using namespace standard;

namespace {

void probed() {
    for (int const n : lengths) {
        strided out{n}, in{n};
        for (int i = 0; i < rounds; ++i) {
            out.set(world_rank, i), in.clear();
            MPI_Request r = MPI_REQUEST_NULL, q = MPI_REQUEST_NULL;
            MPI_Status s, t;
            MPI_Message m = MPI_MESSAGE_NULL;
            int flag = 0, count = 0, elements = 0;
            MPI_Isend(out.words.data(), 1, out.type, right_of(), i, MPI_COMM_WORLD, &r);
            auto const look = [&](MPI_Status& told) {
                MPI_Get_count(&told, MPI_INT, &count);
                MPI_Get_elements(&told, in.type, &elements);
                expect(told.MPI_SOURCE == left_of() && told.MPI_TAG == i && count == n && elements == n, "what a probe says");
            };
            switch (i % 6) {
            case 0:
                MPI_Probe(left_of(), MPI_ANY_TAG, MPI_COMM_WORLD, &s), look(s);
                MPI_Recv(in.words.data(), 1, in.type, s.MPI_SOURCE, s.MPI_TAG, MPI_COMM_WORLD, &t);
                break;
            case 1:
                while (flag == 0) MPI_Iprobe(left_of(), i, MPI_COMM_WORLD, &flag, &s);
                look(s);
                MPI_Irecv(in.words.data(), 1, in.type, left_of(), i, MPI_COMM_WORLD, &q), MPI_Wait(&q, &t);
                break;
            case 2:
                MPI_Mprobe(left_of(), i, MPI_COMM_WORLD, &m, &s), look(s);
                MPI_Mrecv(in.words.data(), 1, in.type, &m, &t);
                expect(m == MPI_MESSAGE_NULL, "a message that was received");
                break;
            case 3:
                while (flag == 0) MPI_Improbe(left_of(), MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &m, &s);
                look(s);
                MPI_Imrecv(in.words.data(), 1, in.type, &m, &q), MPI_Wait(&q, &t);
                break;
            case 4: // probed twice, by whomever
                MPI_Probe(left_of(), i, MPI_COMM_WORLD, &s), look(s);
                MPI_Probe(MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &s);
                MPI_Recv(in.words.data(), 1, in.type, left_of(), i, MPI_COMM_WORLD, &t);
                break;
            default: // into dense memory
                MPI_Mprobe(left_of(), i, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE);
                {
                    std::vector<int> dense(static_cast<std::size_t>(n));
                    MPI_Mrecv(dense.data(), n, MPI_INT, &m, &t);
                    for (std::size_t k = 0; k < dense.size(); ++k) in.words[2 * k] = dense[k];
                }
            }
            look(t);
            expect(in.is(left_of(), i), "what was probed for");
            MPI_Wait(&r, MPI_STATUS_IGNORE);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
}

// Everybody to rank 0, which takes what comes.
void from_anybody() {
    strided out{5000}, in{5000};
    strided little{9};
    for (int i = 0; i < rounds; ++i) {
        constexpr int each = 6;
        std::vector<MPI_Request> r;
        std::vector<std::vector<int>> sent;
        for (int m = 0; m < each; ++m) {
            bool const is_long = (m + world_rank) % 2 == 0;
            auto& one = is_long ? out : little;
            one.set(world_rank, m);
            sent.push_back(one.words);
            r.emplace_back();
            MPI_Isend(sent.back().data(), 1, one.type, 0, m % 3, MPI_COMM_WORLD, &r.back());
        }
        if (world_rank == 0) {
            std::vector<std::array<int, 3>> next(static_cast<std::size_t>(world_size), {0, 1, 2}); // of each tag: the order holds
            for (int m = 0; m < each * world_size; ++m) {
                MPI_Status s;
                int count = 0;
                in.clear();
                MPI_Recv(in.words.data(), 1, in.type, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
                MPI_Get_elements(&s, in.type, &count);
                auto& which = next[static_cast<std::size_t>(s.MPI_SOURCE)][static_cast<std::size_t>(s.MPI_TAG)];
                bool const is_long = (which + s.MPI_SOURCE) % 2 == 0;
                expect(count == (is_long ? 5000 : 9) && in.is(s.MPI_SOURCE, which, count), "the order of what anybody sent");
                which += 3;
            }
        }
        MPI_Waitall(each, r.data(), MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

// Less than there is room for, also in the middle of an element.
void shorter() {
    struct pair {
        double a;
        int b;
    };
    int const ones[2] = {1, 1};
    MPI_Aint const at[2] = {offsetof(pair, a), offsetof(pair, b)};
    MPI_Datatype const types[2] = {MPI_DOUBLE, MPI_INT};
    MPI_Datatype t = MPI_DATATYPE_NULL, u = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, ones, at, types, &t);
    MPI_Type_create_resized(t, 0, sizeof(pair), &u);
    MPI_Type_commit(&u), MPI_Type_free(&t);
    for (int const n : {1, 50, 4000}) {
        MPI_Datatype partly = MPI_DATATYPE_NULL; // n pairs, and the first half of one
        int const counts[2] = {n, 1};
        MPI_Aint const places[2] = {0, static_cast<MPI_Aint>(sizeof(pair)) * n};
        MPI_Datatype const two[2] = {u, MPI_DOUBLE};
        MPI_Type_create_struct(2, counts, places, two, &partly);
        MPI_Type_commit(&partly);
        std::vector<pair> out(static_cast<std::size_t>(n) + 5), in(out.size());
        for (int i = 0; i < rounds; ++i) {
            for (std::size_t k = 0; k < out.size(); ++k)
                out[k] = {world_rank + 0.25 * static_cast<double>(k), static_cast<int>(k) + i};
            std::memset(static_cast<void*>(in.data()), 0, in.size() * sizeof(pair));
            MPI_Request r = MPI_REQUEST_NULL;
            MPI_Status s;
            int count = 0, elements = 0;
            MPI_Count many = 0;
            bool const half = i % 2 == 0;
            MPI_Irecv(in.data(), n + 5, u, left_of(), 1, MPI_COMM_WORLD, &r);
            MPI_Send(out.data(), half ? 1 : n, half ? partly : u, right_of(), 1, MPI_COMM_WORLD);
            MPI_Wait(&r, &s);
            MPI_Get_count(&s, u, &count), MPI_Get_elements(&s, u, &elements), MPI_Get_elements_x(&s, u, &many);
            expect(count == (half ? MPI_UNDEFINED : n) && elements == 2 * n + (half ? 1 : 0) && many == elements,
                   "the count of a shorter message");
            auto const m = static_cast<std::size_t>(n);
            expect(in[m - 1].b == n - 1 + i && in[m].a == (half ? left_of() + 0.25 * n : 0) && in[m].b == 0, "a shorter message");
        }
        MPI_Type_free(&partly);
    }
    MPI_Type_free(&u);
}

// Too long: an error with a status, and the next one is right.
void too_long() {
    MPI_Comm c = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); // MPICH tells the sender as well, there
    if (world_size > 1)
        for (int const n : {20, 700, 30000}) {
            strided out{n}, in{n}, less{n - 3};
            for (int i = 0; i < rounds; ++i) {
                out.set(world_rank, i), in.clear();
                MPI_Request r = MPI_REQUEST_NULL;
                MPI_Status s;
                s.MPI_SOURCE = s.MPI_TAG = -77;
                MPI_Isend(out.words.data(), 1, out.type, right_of(), i, c, &r);
                int code = MPI_SUCCESS;
                if (i % 3 == 0) {
                    code = MPI_Recv(in.words.data(), 1, less.type, left_of(), i, c, &s);
                } else {
                    MPI_Request q = MPI_REQUEST_NULL;
                    MPI_Irecv(in.words.data(), 1, less.type, i % 2 == 0 ? MPI_ANY_SOURCE : left_of(), i, c, &q);
                    code = MPI_Wait(&q, &s);
                    expect(q == MPI_REQUEST_NULL, "a request whose message was too long");
                }
                expect(class_of(code) == MPI_ERR_TRUNCATE && s.MPI_SOURCE == left_of() && s.MPI_TAG == i,
                       "a message that is too long");
                for (std::size_t k = 2 * static_cast<std::size_t>(n) - 5; k < in.words.size(); ++k)
                    expect(in.words[k] == -1, "written beyond the end");
                MPI_Wait(&r, MPI_STATUS_IGNORE);
                in.clear();
                MPI_Sendrecv(out.words.data(), 1, out.type, right_of(), 900, in.words.data(), 1, in.type, left_of(), 900, c, &s);
                expect(in.is(left_of(), i), "the message after one that was too long");
                MPI_Barrier(c);
            }
        }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&c);
}

// Each message of one tag overtakes none, whatever its size, type, form of sending, and whenever its receive was posted.
void order() {
    constexpr int many = 60;
    std::vector<std::unique_ptr<strided>> out, in;
    for (int m = 0; m < many; ++m)
        out.push_back(std::make_unique<strided>(lengths[static_cast<std::size_t>(m * 7 % 5)] / (m % 3 + 1) + 1)),
            in.push_back(std::make_unique<strided>(61000));
    for (int i = 0; i < 6; ++i) {
        std::vector<MPI_Request> r(2 * many, MPI_REQUEST_NULL);
        int const early = i * 11 % many; // receives that are there first
        for (auto& one : in) one->clear();
        for (auto m = 0U; m < static_cast<unsigned>(early); ++m)
            MPI_Irecv(in[m]->words.data(), 1, in[m]->type, left_of(), 5, MPI_COMM_WORLD, &r[m]);
        for (auto m = 0U; m < many; ++m) {
            out[m]->set(world_rank, static_cast<int>(m) + i);
            auto const& o = *out[m];
            if (m % 3 == 0) MPI_Isend(o.words.data(), 1, o.type, right_of(), 5, MPI_COMM_WORLD, &r[many + m]);
            if (m % 3 == 1) MPI_Issend(o.words.data(), 1, o.type, right_of(), 5, MPI_COMM_WORLD, &r[many + m]);
            if (m % 3 == 2) MPI_Isend(o.words.data(), 1, o.type, right_of(), 5, MPI_COMM_WORLD, &r[many + m]);
        }
        for (auto m = static_cast<unsigned>(early); m < many; ++m) {
            if ((m + static_cast<unsigned>(i)) % 4 == 0) {
                MPI_Message probed = MPI_MESSAGE_NULL;
                MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &probed, MPI_STATUS_IGNORE);
                MPI_Imrecv(in[m]->words.data(), 1, in[m]->type, &probed, &r[m]);
            } else if (m % 4 == 1) {
                MPI_Recv(in[m]->words.data(), 1, in[m]->type, left_of(), 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else {
                MPI_Irecv(in[m]->words.data(), 1, in[m]->type, left_of(), MPI_ANY_TAG, MPI_COMM_WORLD, &r[m]);
            }
        }
        MPI_Waitall(2 * many, r.data(), MPI_STATUSES_IGNORE);
        for (auto m = 0U; m < many; ++m)
            expect(in[m]->is(left_of(), static_cast<int>(m) + i, out[m]->count),
                   "the order of messages, number " + std::to_string(m));
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

// Thousands under way, received in another order than they were sent.
void thousands() {
    constexpr int many = 3000;
    int const n = 60;
    std::vector<int> out(static_cast<std::size_t>(many) * 2 * n), in(out.size(), -1);
    auto type = every_other(n);
    std::vector<MPI_Request> r(2 * many);
    for (int i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < out.size(); ++k) out[k] = static_cast<int>(k) + world_rank + i;
        std::ranges::fill(in, -1);
        for (int m = 0; m < many; ++m)
            MPI_Isend(out.data() + static_cast<std::ptrdiff_t>(m) * 2 * n, 1, type, right_of(), m, MPI_COMM_WORLD,
                      &r[static_cast<std::size_t>(m)]);
        for (int m = many - 1; m >= 0; --m)
            MPI_Irecv(in.data() + static_cast<std::ptrdiff_t>(m) * 2 * n, 1, type, left_of(), m, MPI_COMM_WORLD,
                      &r[static_cast<std::size_t>(many + m)]);
        MPI_Waitall(2 * many, r.data(), MPI_STATUSES_IGNORE);
        for (std::size_t k = 0; k < in.size(); k += 2)
            expect(in[k] == static_cast<int>(k) + left_of() + i && in[k + 1] == -1, "one of thousands");
    }
    MPI_Type_free(&type);
}

// Each communicator is a world of its own: equal tags, other orders.
void contexts() {
    std::array<MPI_Comm, 4> c;
    MPI_Comm_dup(MPI_COMM_WORLD, &c[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &c[1]);
    MPI_Comm_dup(c[1], &c[2]);
    MPI_Comm_create_group(
        MPI_COMM_WORLD,
        [] {
            MPI_Group g = MPI_GROUP_NULL;
            MPI_Comm_group(MPI_COMM_WORLD, &g);
            return g;
        }(),
        4, &c[3]);
    std::array<std::unique_ptr<strided>, 4> out, in;
    for (auto& one : out) one = std::make_unique<strided>(8000);
    for (auto& one : in) one = std::make_unique<strided>(8000);
    for (int i = 0; i < rounds; ++i) {
        MPI_Request r[4];
        for (auto k = 0U; k < 4; ++k) {
            int me = 0;
            MPI_Comm_rank(c[k], &me);
            out[k]->set(me, static_cast<int>(k) * 100 + i), in[k]->clear();
            MPI_Isend(out[k]->words.data(), 1, out[k]->type, (me + 1) % world_size, 3, c[k], &r[k]);
        }
        for (auto k = 4U; k-- > 0;) {
            int me = 0;
            MPI_Comm_rank(c[k], &me);
            MPI_Status s;
            MPI_Recv(in[k]->words.data(), 1, in[k]->type, MPI_ANY_SOURCE, MPI_ANY_TAG, c[k], &s);
            int const from = (me + world_size - 1) % world_size;
            expect(in[k]->is(from, static_cast<int>(k) * 100 + i) && s.MPI_SOURCE == from, "a message in its communicator");
        }
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    }
    for (auto& one : c) MPI_Comm_free(&one);
}

// Groups that send each other messages: ranks are those of the other group.
void between_groups() {
    if (world_size < 2) return;
    MPI_Comm half = MPI_COMM_NULL, c = MPI_COMM_NULL;
    int const side = world_rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, side, world_rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 12, &c);
    int others = 0, me = 0;
    MPI_Comm_remote_size(c, &others), MPI_Comm_rank(c, &me);
    for (int const n : {11, 6000}) {
        strided out{n}, in{n};
        for (int i = 0; i < rounds; ++i) {
            std::vector<MPI_Request> r(static_cast<std::size_t>(others));
            out.set(world_rank, i);
            for (int k = 0; k < others; ++k) MPI_Isend(out.words.data(), 1, out.type, k, i, c, &r[static_cast<std::size_t>(k)]);
            std::vector<bool> seen(static_cast<std::size_t>(others));
            for (int k = 0; k < others; ++k) {
                MPI_Status s;
                in.clear();
                if (i % 2 == 0) {
                    MPI_Probe(MPI_ANY_SOURCE, i, c, &s);
                    MPI_Recv(in.words.data(), 1, in.type, s.MPI_SOURCE, i, c, &s);
                } else {
                    MPI_Recv(in.words.data(), 1, in.type, MPI_ANY_SOURCE, i, c, &s);
                }
                expect(in.is(2 * s.MPI_SOURCE + 1 - side, i) && !seen[static_cast<std::size_t>(s.MPI_SOURCE)],
                       "a message between groups");
                seen[static_cast<std::size_t>(s.MPI_SOURCE)] = true;
            }
            MPI_Waitall(others, r.data(), MPI_STATUSES_IGNORE);
        }
    }
    MPI_Comm_free(&c), MPI_Comm_free(&half);
}

// Sends from one buffer at once, and receives cancelled among others.
void shared_buffer() {
    strided out{7000};
    std::vector<std::unique_ptr<strided>> in;
    for (int r = 0; r < world_size; ++r) in.push_back(std::make_unique<strided>(7000));
    for (int i = 0; i < rounds; ++i) {
        std::vector<MPI_Request> r(2 * static_cast<std::size_t>(world_size) + 1);
        out.set(world_rank, i);
        strided never{7000};
        for (auto k = 0U; k < in.size(); ++k)
            in[k]->clear(), MPI_Irecv(in[k]->words.data(), 1, in[k]->type, static_cast<int>(k), 1, MPI_COMM_WORLD, &r[k]);
        MPI_Irecv(never.words.data(), 1, never.type, MPI_ANY_SOURCE, 999, MPI_COMM_WORLD, &r.back());
        for (auto k = 0U; k < in.size(); ++k)
            MPI_Isend(out.words.data(), 1, out.type, static_cast<int>(k), 1, MPI_COMM_WORLD, &r[in.size() + k]);
        MPI_Cancel(&r.back());
        std::vector<MPI_Status> s(r.size());
        MPI_Waitall(static_cast<int>(r.size()), r.data(), s.data());
        int flag = 0;
        MPI_Test_cancelled(&s.back(), &flag);
        expect(flag != 0, "a receive that was cancelled");
        for (auto k = 0U; k < in.size(); ++k) expect(in[k]->is(static_cast<int>(k), i), "one buffer to all");
    }
}

} // namespace

int main(int argc, char** argv) {
    return run_themes(argc, argv,
                      {{"probed", probed},
                       {"from_anybody", from_anybody},
                       {"shorter", shorter},
                       {"too_long", too_long},
                       {"order", order},
                       {"thousands", thousands},
                       {"contexts", contexts},
                       {"between_groups", between_groups},
                       {"shared_buffer", shared_buffer}});
}
