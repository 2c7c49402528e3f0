// SPDX-License-Identifier: Apache-2.0
#include "loop.hpp"

#include <array>

namespace sode::internal::bench {

namespace {

using bytes_of_ranks = std::vector<char>;

/// What most loops need.
struct place {
    functions f;
    ring at;
    int bytes;
    bytes_of_ranks out, in;
    place(functions const& with, ring const& where, int n, int many = 1)
        : f(with), at(where), bytes(n), out(static_cast<std::size_t>(n) * static_cast<std::size_t>(many) + 1, 'o'),
          in(out.size(), 'i') {}
    [[nodiscard]] char* out_at(int i) { return out.data() + static_cast<std::ptrdiff_t>(i) * bytes; }
    [[nodiscard]] char* in_at(int i) { return in.data() + static_cast<std::ptrdiff_t>(i) * bytes; }
};

template <class Body> auto of_place(Body body, int many = 1) {
    return [body, many](functions const& f, ring const& at, int bytes) -> turn {
        auto const p = std::make_shared<place>(f, at, bytes, many);
        return [p, body] { body(*p); };
    };
}

template <class Receive> auto ping_pong(Receive receive) {
    return of_place([receive](place& p) {
        int const to = p.at.partner();
        if (p.at.first()) p.f.Send(p.out.data(), p.bytes, MPI_CHAR, to, 1, p.at.comm);
        receive(p);
        if (!p.at.first()) p.f.Send(p.out.data(), p.bytes, MPI_CHAR, to, 1, p.at.comm);
    });
}

constexpr int window = 64;

void send_window(place& p) {
    std::array<MPI_Request, window> r{};
    char token = 0;
    for (int i = 0; i < window; ++i)
        if (p.at.first())
            p.f.Isend(p.out.data(), p.bytes, MPI_CHAR, p.at.partner(), 2, p.at.comm, &r[static_cast<std::size_t>(i)]);
        else
            p.f.Irecv(p.in.data(), p.bytes, MPI_CHAR, p.at.partner(), 2, p.at.comm, &r[static_cast<std::size_t>(i)]);
    p.f.Waitall(window, r.data(), MPI_STATUSES_IGNORE);
    if (p.at.first())
        p.f.Recv(&token, 1, MPI_CHAR, p.at.partner(), 3, p.at.comm, MPI_STATUS_IGNORE);
    else
        p.f.Send(&token, 1, MPI_CHAR, p.at.partner(), 3, p.at.comm);
}

/// Four messages each way; `finish(place, requests)`.
template <class Finish> auto four(Finish finish) {
    return of_place(
        [finish](place& p) {
            std::array<MPI_Request, 8> r{};
            std::array<int, 4> const from{p.at.left(), p.at.right(), p.at.left(), p.at.right()};
            std::array<int, 4> const to{p.at.right(), p.at.left(), p.at.right(), p.at.left()};
            for (int i = 0; i < 4; ++i)
                p.f.Irecv(p.in_at(i), p.bytes, MPI_CHAR, from[static_cast<std::size_t>(i)], i, p.at.comm,
                          &r[static_cast<std::size_t>(i)]);
            for (int i = 0; i < 4; ++i)
                p.f.Isend(p.out_at(i), p.bytes, MPI_CHAR, to[static_cast<std::size_t>(i)], i, p.at.comm,
                          &r[static_cast<std::size_t>(i) + 4]);
            finish(p, r);
        },
        4);
}

/// One message each way.
template <class Finish> auto exchange(Finish finish) {
    return of_place([finish](place& p) {
        std::array<MPI_Request, 2> r{};
        p.f.Irecv(p.in.data(), p.bytes, MPI_CHAR, p.at.left(), 4, p.at.comm, r.data());
        p.f.Isend(p.out.data(), p.bytes, MPI_CHAR, p.at.right(), 4, p.at.comm, &r[1]);
        finish(p, r);
    });
}

/// Requests that are made once.
struct persistent {
    place p;
    std::array<MPI_Request, 2> r{};
    persistent(functions const& f, ring const& at, int bytes) : p(f, at, bytes) {
        f.Recv_init(p.in.data(), bytes, MPI_CHAR, at.left(), 5, at.comm, r.data());
        f.Send_init(p.out.data(), bytes, MPI_CHAR, at.right(), 5, at.comm, &r[1]);
    }
    ~persistent() {
        for (auto& one : r) p.f.Request_free(&one);
    }
    persistent(persistent const&) = delete;
    persistent& operator=(persistent const&) = delete;
    persistent(persistent&&) = delete;
    persistent& operator=(persistent&&) = delete;
};

template <class Body> auto of_persistent(Body body) {
    return [body](functions const& f, ring const& at, int bytes) -> turn {
        auto const held = std::make_shared<persistent>(f, at, bytes);
        return [held, body] { body(*held); };
    };
}

struct exposed {
    place p;
    MPI_Win win = MPI_WIN_NULL;
    exposed(functions const& f, ring const& at, int bytes) : p(f, at, bytes) {
        MPI_Win_create(p.in.data(), bytes, 1, MPI_INFO_NULL, at.comm, &win);
        f.Win_fence(0, win);
    }
    ~exposed() { MPI_Win_free(&win); }
    exposed(exposed const&) = delete;
    exposed& operator=(exposed const&) = delete;
    exposed(exposed&&) = delete;
    exposed& operator=(exposed&&) = delete;
};

auto by_fences(bool puts) {
    return [puts](functions const& f, ring const& at, int bytes) -> turn {
        auto const e = std::make_shared<exposed>(f, at, bytes);
        return [e, puts] {
            place& p = e->p;
            if (puts)
                p.f.Put(p.out.data(), p.bytes, MPI_CHAR, p.at.right(), 0, p.bytes, MPI_CHAR, e->win);
            else
                p.f.Get(p.out.data(), p.bytes, MPI_CHAR, p.at.right(), 0, p.bytes, MPI_CHAR, e->win);
            p.f.Win_fence(0, e->win);
        };
    };
}

std::vector<loop> of_blocking_calls() {
    return {
        {"ping_pong", 2,
         ping_pong([](place& p) { p.f.Recv(p.in.data(), p.bytes, MPI_CHAR, p.at.partner(), 1, p.at.comm, MPI_STATUS_IGNORE); })},
        {"any_source", 2, ping_pong([](place& p) {
             MPI_Status s;
             p.f.Recv(p.in.data(), p.bytes, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, p.at.comm, &s);
         })},
        {"irecv_any_source", 2, ping_pong([](place& p) {
             MPI_Request r = MPI_REQUEST_NULL;
             p.f.Irecv(p.in.data(), p.bytes, MPI_CHAR, MPI_ANY_SOURCE, 1, p.at.comm, &r);
             p.f.Wait(&r, MPI_STATUS_IGNORE);
         })},
        {"probe", 2, ping_pong([](place& p) {
             MPI_Status s;
             p.f.Probe(p.at.partner(), 1, p.at.comm, &s);
             int n = 0;
             MPI_Get_count(&s, MPI_CHAR, &n);
             p.f.Recv(p.in.data(), n, MPI_CHAR, s.MPI_SOURCE, s.MPI_TAG, p.at.comm, MPI_STATUS_IGNORE);
         })},
        {"iprobe", 2, ping_pong([](place& p) {
             MPI_Status s;
             for (int there = 0; there == 0;) p.f.Iprobe(MPI_ANY_SOURCE, 1, p.at.comm, &there, &s);
             p.f.Recv(p.in.data(), p.bytes, MPI_CHAR, s.MPI_SOURCE, 1, p.at.comm, MPI_STATUS_IGNORE);
         })},
        {"mprobe", 2, ping_pong([](place& p) {
             MPI_Status s;
             MPI_Message m = MPI_MESSAGE_NULL;
             p.f.Mprobe(p.at.partner(), 1, p.at.comm, &m, &s);
             p.f.Mrecv(p.in.data(), p.bytes, MPI_CHAR, &m, MPI_STATUS_IGNORE);
         })},
        {"sendrecv", 1, of_place([](place& p) {
             p.f.Sendrecv(p.out.data(), p.bytes, MPI_CHAR, p.at.right(), 6, p.in.data(), p.bytes, MPI_CHAR, p.at.left(), 6,
                          p.at.comm, MPI_STATUS_IGNORE);
         })},
        {"sendrecv_replace", 1, of_place([](place& p) {
             p.f.Sendrecv_replace(p.out.data(), p.bytes, MPI_CHAR, p.at.right(), 7, p.at.left(), 7, p.at.comm, MPI_STATUS_IGNORE);
         })},
        {"put_fence", 1, by_fences(true)},
        {"get_fence", 1, by_fences(false)},
    };
}

std::vector<loop> of_requests() {
    return {
        {"window", window, of_place(send_window)},
        {"exchange", 1, exchange([](place& p, auto& r) { p.f.Waitall(2, r.data(), MPI_STATUSES_IGNORE); })},
        {"exchange_wait", 1, exchange([](place& p, auto& r) {
             for (auto& one : r) p.f.Wait(&one, MPI_STATUS_IGNORE);
         })},
        {"exchange_test", 1, exchange([](place& p, auto& r) {
             for (auto& one : r)
                 for (int over = 0; over == 0;) p.f.Test(&one, &over, MPI_STATUS_IGNORE);
         })},
        {"exchange_testall", 1, exchange([](place& p, auto& r) {
             for (int over = 0; over == 0;) p.f.Testall(2, r.data(), &over, MPI_STATUSES_IGNORE);
         })},
        {"neighbours", 4, four([](place& p, auto& r) { p.f.Waitall(8, r.data(), MPI_STATUSES_IGNORE); })},
        {"neighbours_statuses", 4, four([](place& p, auto& r) {
             std::array<MPI_Status, 8> s{};
             p.f.Waitall(8, r.data(), s.data());
         })},
        {"neighbours_testall", 4, four([](place& p, auto& r) {
             for (int over = 0; over == 0;) p.f.Testall(8, r.data(), &over, MPI_STATUSES_IGNORE);
         })},
        {"neighbours_waitany", 4, four([](place& p, auto& r) {
             for (int i = 0, which = 0; i < 8; ++i) p.f.Waitany(8, r.data(), &which, MPI_STATUS_IGNORE);
         })},
        {"persistent_startall", 1, of_persistent([](persistent& h) {
             h.p.f.Startall(2, h.r.data());
             h.p.f.Waitall(2, h.r.data(), MPI_STATUSES_IGNORE);
         })},
        {"persistent_start", 1, of_persistent([](persistent& h) {
             for (auto& one : h.r) h.p.f.Start(&one);
             for (auto& one : h.r) h.p.f.Wait(&one, MPI_STATUS_IGNORE);
         })},
        {"persistent_testall", 1, of_persistent([](persistent& h) {
             h.p.f.Startall(2, h.r.data());
             for (int over = 0; over == 0;) h.p.f.Testall(2, h.r.data(), &over, MPI_STATUSES_IGNORE);
         })},
    };
}

} // namespace

std::vector<loop> contiguous_loops() {
    auto all = of_blocking_calls();
    for (auto& one : of_requests()) all.push_back(std::move(one));
    return all;
}

} // namespace sode::internal::bench
