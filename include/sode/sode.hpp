// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>

/// Everything for the C++ door. <sode/mpi.hpp> is apart, since it needs an MPI.
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
#include <sode/distribution.hpp>
#include <sode/error.hpp>
#include <sode/exchange.hpp>
#include <sode/grid.hpp>
#include <sode/halo.hpp>
#include <sode/loop.hpp>
#include <sode/nodes.hpp>
#include <sode/peer_view.hpp>
#include <sode/planned.hpp>
#include <sode/runtime.hpp>
#include <sode/shadow.hpp>
#include <sode/tasks.hpp>
#include <sode/threads.hpp>
#include <sode/view.hpp>
