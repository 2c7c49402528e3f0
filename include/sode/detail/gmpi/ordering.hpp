// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/portable.hpp>

namespace sode::gmpi::detail {

/// All places in the protocol where one access must be visible before another. Words are accessed with relaxed order, and each
/// ordering operation has a name. Tests omit one ordering at a time and observe that a program fails
/// (tests/gmpi/orderings_test.cpp).
enum class ordering {
    publish,       ///< release: the caller's writes, before the entry that refers to them
    take,          ///< acquire: an entry, before the memory to which it refers
    forward,       ///< release: an entry of the device's ring, before the same entry of the host's ring (two hops)
    free_units,    ///< release: reads of units, before the word that frees them
    reuse_units,   ///< acquire: units are free, before they are written again
    lend_credit,   ///< release: the news that units are free, for other threads of the device
    borrow_credit, ///< acquire: the news that units are free, from another thread
    complete,      ///< release: data that have arrived, before the word that reports them
    observe,       ///< acquire: the word that reports data, before they are read
    free_slot,     ///< release: the last access to a request, before its slot is free
    reuse_slot,    ///< acquire: the slot is free, before another request uses it
    raise,         ///< release: data, or the last use of a halo, before the signal or the count of exchanges that reports it
    hear,          ///< acquire: a signal or a count of exchanges, before the data are read, or the neighbour's halo is written
    report,        ///< release: the report of an error, before the word that ends all waits
    heed,          ///< acquire: the word that ends all waits, before the report is read
    gather,        ///< the group synchronises: writes of its threads, before one of them acts for all
    scatter,       ///< the group synchronises: the wait of one thread, before all others continue
    arrive,        ///< release: the copies of a block, before the count of blocks that are done
    conclude,      ///< acquire: the count of blocks, before the last block tells the neighbour
    join           ///< acquire: the count of blocks, before other blocks of the grid continue
};

/// The two sides of an ordering: threads of one device, or device and host.
enum class scope { device, system };

} // namespace sode::gmpi::detail
