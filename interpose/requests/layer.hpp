// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/requests/agreement.hpp"
#include "interpose/requests/completer.hpp"
#include "interpose/requests/foundation.hpp"
#include "interpose/requests/packer.hpp"
#include "interpose/requests/prober.hpp"
#include "interpose/requests/receiver.hpp"
#include "interpose/requests/sender.hpp"
#include "interpose/requests/short_ends.hpp"

#include <string>

namespace sode::internal::interpose {

/// What stands between a program and its MPI: sends that are worth it go by a record, and receives look whether a record has come.
/// Everything else goes straight on.
struct layer {
    /// Collective, after MPI_Init. Errors, on all ranks together: usage, environment.
    explicit layer(config const& settings);
    /// What was sent may still be received.
    ~layer();
    layer(layer const&) = delete;
    layer& operator=(layer const&) = delete;
    layer(layer&&) = delete;
    layer& operator=(layer&&) = delete;

    /// Lets calls go straight to MPI, where nothing is to be done for them; until straight.close().
    void open_straight_ways();
    /// Collective: what messages there were, if that is wanted; at rank 0.
    [[nodiscard]] std::string told();

    foundation base;
    request_table requests;
    packer packs;
    short_ends shorts;
    receiver receives;
    prober probes;
    sender sends;
    completer completes;
    agreement agrees;
};

} // namespace sode::internal::interpose
