// SPDX-License-Identifier: Apache-2.0
// The protocol is code for a GPU: what a compiler of kernels makes of it is not run here.
#include <sode/detail/gmpi/cuda_platform.hpp>
#include <sode/detail/gmpi/forwarder.hpp>
#include <sode/detail/gmpi/posting.hpp>

using namespace sode::gmpi;
using platform = detail::cuda_platform;

__global__ void send_and_wait(device_handle h, double* data, word bytes, word* failed) {
    platform const p;
    detail::poster<platform> const post{p, h};
    post.release();
    auto const r = post.begin({.op = detail::operation::send, .address = reinterpret_cast<word>(data), .bytes = bytes});
    status how;
    if (detail::slot_table<platform>{p, h.requests}.wait(r, h.alarm, how) != code::ok) *failed = 1;
    if (detail::await(p, h.alarm, detail::site::signal, h.signals.words[0], 1) != code::ok) *failed = 2;
}

__global__ void resident(detail::ring from, detail::ring to, detail::alarm a) {
    platform const p;
    detail::forwarder<platform> hop{p, from, to, a};
    code how = code::ok;
    while (how == code::ok)
        if (hop.step(how) == 0) p.pause(0);
}
