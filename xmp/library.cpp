// SPDX-License-Identifier: Apache-2.0
// <xmp.h>, and memory for assignments of sections.
#include "process.hpp"

#include <chrono>
#include <cstdlib>
#include <sode/directives.h>
#include <xmp.h>

using sode::xmp::process;

extern "C" {

void* sode_xmp_room(size_t bytes) {
    void* const room = std::malloc(bytes > 0 ? bytes : 1);
    if (!room)
        sode::xmp::fail("", "there is not enough memory (an assignment of sections needs a copy)", "assign fewer elements at once");
    return room;
}

void sode_xmp_room_free(void* room) {
    std::free(room);
}

int xmpc_node_num(void) {
    return process::here().executing().mine;
}

int xmp_node_num(void) {
    return xmpc_node_num() + 1;
}

int xmp_num_nodes(void) {
    return static_cast<int>(process::here().executing().ranks.size());
}

int xmpc_all_node_num(void) {
    return process::here().world().mine;
}

int xmp_all_node_num(void) {
    return xmpc_all_node_num() + 1;
}

int xmp_all_num_nodes(void) {
    return static_cast<int>(process::here().world().ranks.size());
}

double xmp_wtime(void) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double xmp_wtick(void) {
    using period = std::chrono::steady_clock::period;
    return static_cast<double>(period::num) / static_cast<double>(period::den);
}

void xmp_barrier(void) {
    sode_xmp_barrier("xmp_barrier()", nullptr);
}

void xmp_exit(int status) {
    std::exit(status);
}

} // extern "C"
