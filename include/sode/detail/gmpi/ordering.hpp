// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/portable.hpp>

namespace sode::gmpi::detail {

/// Every place of the protocol where one access must be seen before another one. Words are relaxed; what orders them has a name, so
/// that tests can leave out each of these and watch a program fail (tests/gmpi/orderings_test.cpp).
enum class ordering {
    publish,       ///< release: what the caller has written, before the entry that speaks of it
    take,          ///< acquire: an entry, before the memory that it speaks of
    forward,       ///< release: an entry of the device's ring, before the same on the host's (two hops)
    free_units,    ///< release: units have been read, before the word that frees them
    reuse_units,   ///< acquire: units are free, before they are written again
    lend_credit,   ///< release: that units are free, told to other threads of the device
    borrow_credit, ///< acquire: the same, heard from another thread
    complete,      ///< release: what has arrived, before the word that says so
    observe,       ///< acquire: that it has arrived, before it is read
    free_slot,     ///< release: the last look at a request, before its slot is free
    reuse_slot,    ///< acquire: the slot is free, before it is another request's
    raise,         ///< release: a signal, or how many exchanges are over, after what they stand for
    hear,          ///< acquire: the same, before what they stand for is read
    report,        ///< release: what went wrong where, before the word that ends all waits
    heed,          ///< acquire: the word that ends all waits, before the report is read
    gather,        ///< the group meets: what its threads have written, before one of them speaks for all
    scatter        ///< the group meets: what one of them has waited for, before all others go on
};

/// Between whom: threads of one device, or device and host.
enum class scope { device, system };

} // namespace sode::gmpi::detail
