// SPDX-License-Identifier: Apache-2.0
#include "plan/operation.hpp"

namespace sode::internal {

std::string_view to_string(operation op) {
    switch (op) {
    case operation::end: return "end";
    case operation::copy: return "copy";
    case operation::pack: return "pack";
    case operation::unpack: return "unpack";
    case operation::inline_put: return "inline_put";
    case operation::inline_get: return "inline_get";
    case operation::put: return "put";
    case operation::negate: return "negate";
    case operation::reduce: return "reduce";
    case operation::call: return "call";
    case operation::signal: return "signal";
    case operation::wait: return "wait";
    case operation::send: return "send";
    case operation::receive: return "receive";
    case operation::landing: return "landing";
    case operation::credit: return "credit";
    case operation::loop: return "loop";
    case operation::end_loop: return "end_loop";
    }
    return "unknown operation";
}

} // namespace sode::internal
