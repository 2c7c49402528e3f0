// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"
#include "layout/copy_kernels.hpp"
#include "rivals.hpp"

#include <benchmark/benchmark.h>

#include <fmt/format.h>
#include <functional>
#include <memory>
#include <new>

namespace sode::internal::bench {
namespace {

struct free_aligned {
    void operator()(std::byte* p) const noexcept { ::operator delete[](p, std::align_val_t{4096}); }
};
using buffer = std::unique_ptr<std::byte[], free_aligned>;

buffer touched(index_t bytes) {
    auto const size = static_cast<std::size_t>(bytes + 64);
    buffer b{static_cast<std::byte*>(::operator new[](size, std::align_val_t{4096}))};
    std::fill_n(b.get(), size, std::byte{1});
    return b;
}

using subject = std::function<void(copy_program const&, std::byte*, std::byte const*)>;

void measure(copy_case const& c, std::string const& by, subject const& copy) {
    benchmark::RegisterBenchmark(fmt::format("{}/{}", c.name, by).c_str(), [c, copy](benchmark::State& state) {
        copy_program const p = compile(c.source, c.target);
        buffer const source = touched(c.source.extent().second);
        buffer const target = touched(c.target.extent().second);
        for (auto _ : state) {
            copy(p, target.get(), source.get());
            benchmark::ClobberMemory();
        }
        state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * p.bytes);
    });
}

void measure_all() {
    for (copy_case const& c : copy_cases()) {
        copy_program const p = compile(c.source, c.target);
        for (kernel_set const* const set : supported_kernel_sets())
            measure(c, set->name, [set](auto const& program, auto* d, auto const* s) { run(*set, program, d, s); });
        if (p.loop_count > 2 || !p.segments().empty()) continue;
        measure(c, "memcpy", memcpy_blocks);
        if (p.block == 8) measure(c, "hand", double_loops);
    }
}

} // namespace
} // namespace sode::internal::bench

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    sode::internal::bench::measure_all();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
