// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>

/// The C++ interface. Include these headers separately: mpi.hpp, mpi_datatype.hpp, hdf5.hpp, series.hpp, window.hpp,
/// global_view.hpp, gmpi.hpp.
#include <sode/array.hpp>
#include <sode/attach.hpp>
#include <sode/boundary.hpp>
#include <sode/box.hpp>
#include <sode/broadcast.hpp>
#include <sode/buffered.hpp>
#include <sode/buffered_bundle.hpp>
#include <sode/bundle.hpp>
#include <sode/collect.hpp>
#include <sode/collective.hpp>
#include <sode/collectives.hpp>
#include <sode/copy.hpp>
#include <sode/cyclic_view.hpp>
#include <sode/datatype.hpp>
#include <sode/device_array.hpp>
#include <sode/device_loop.hpp>
#include <sode/distribution.hpp>
#include <sode/error.hpp>
#include <sode/exchange.hpp>
#include <sode/grid.hpp>
#include <sode/halo.hpp>
#include <sode/loop.hpp>
#include <sode/march.hpp>
#include <sode/memory.hpp>
#include <sode/nodes.hpp>
#include <sode/peer_view.hpp>
#include <sode/planned.hpp>
#include <sode/runtime.hpp>
#include <sode/shadow.hpp>
#include <sode/stream.hpp>
#include <sode/tasks.hpp>
#include <sode/threads.hpp>
#include <sode/tiles.hpp>
#include <sode/view.hpp>
