// SPDX-License-Identifier: Apache-2.0
// All programs with kernels, compiled for a GPU in one go: nvcc reads the headers once for all of them. Each is in a namespace of its
// own, where its includes come to nothing, as they are here. (That each includes what it needs is seen where a compiler of hosts
// compiles it.) They are run on threads, by other tests.
#include <sode/gmpi_names.hpp>
#include <sode/sode.hpp>
#include <sode/threads.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/gpu/cube_exchange.hpp"
#include "bench/gpu/named_checks.hpp"
#include "bench/gpu/npb.hpp"
#include "bench/gpu/npb_matrix.hpp"
#include "bench/gpu/npb_steps.hpp"
#include "bench/gpu/two_ranks.hpp"
#include "examples/gpu/himeno_flow.hpp"
#include "tests/device/march.cu"
#include "tests/gmpi/kernels.hpp"

namespace of_program {
#include "tests/gmpi/program.cu"
}
namespace of_himeno {
#include "examples/gpu/himeno.cpp"
}
namespace of_himeno_stream {
#include "examples/gpu/himeno_stream.cpp"
}
namespace of_laplace {
#include "examples/gpu/laplace.cpp"
}
namespace of_laplace_halo {
#include "examples/gpu/laplace_halo.cpp"
}
namespace of_laplace_stream {
#include "examples/gpu/laplace_stream.cpp"
}
namespace of_ping_pong {
#include "examples/gpu/ping_pong.cpp"
}
namespace of_checks {
#include "bench/gpu/checks.cpp"
}
namespace of_calls {
#include "bench/gpu/calls.cpp"
}
namespace of_measure {
#include "bench/gpu/measure.cpp"
}
namespace of_faces {
#include "bench/gpu/faces.cpp"
}
namespace of_hops {
#include "bench/gpu/hops.cpp"
}
namespace of_starts {
#include "bench/gpu/starts.cpp"
}
namespace of_bench_himeno {
#include "bench/gpu/himeno.cpp"
}
namespace of_npb_ep {
#include "bench/gpu/npb_ep.cpp"
}
namespace of_npb_cg {
#include "bench/gpu/npb_cg.cpp"
}
namespace of_npb_mg {
#include "bench/gpu/npb_mg.cpp"
}
namespace of_npb_ft {
#include "bench/gpu/npb_ft.cpp"
}
