// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the collectives of chapter_*_test.cpp have in common.
#include "themes.hpp"

namespace standard {

inline int mark(int rank, int round, int at) {
    return rank * 100003 + round * 577 + at;
}

// Blocking, then nonblocking: `call` gets null, or where to leave a request.
template <class Call> void both(int round, Call call) {
    if (round % 2 == 0) return call(nullptr);
    MPI_Request r = MPI_REQUEST_NULL;
    call(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

} // namespace standard
