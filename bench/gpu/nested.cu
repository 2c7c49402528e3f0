// SPDX-License-Identifier: Apache-2.0
// How soon a kernel begins that the host has started, and one that a kernel has started (dynamic parallelism): paper P2, table 2. For
// a GPU only, compiled with -rdc=true.
//
//     gmpi_nested [-s TIMES] [--json FILE] [--html FILE]
#include "page.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using word = unsigned long long;

void must(cudaError_t status, char const* what) {
    if (status != cudaSuccess) throw std::runtime_error{std::string{what} + ": " + cudaGetErrorString(status)};
}

__device__ word nanoseconds() {
    word now = 0;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

__global__ void say(word volatile* flag, word number) {
    *flag = number;
    __threadfence_system();
}

/// Starts kernels one after another, each when the one before has said that it runs. `told[0]`: nanoseconds of all of them; 0: one
/// did not begin within a second while this one ran.
__global__ void start_others(word* flag, word times, word* told) {
    constexpr word second = 1000000000;
    word const began = nanoseconds();
    for (word n = 1; n <= times; ++n) {
        say<<<1, 1, 0, cudaStreamFireAndForget>>>(flag, n);
        for (word const since = nanoseconds(); *static_cast<word volatile*>(flag) < n;)
            if (nanoseconds() - since > second) {
                *told = 0;
                return;
            }
    }
    *told = nanoseconds() - began;
}

double by_host(int times, word* flag) {
    std::vector<double> all;
    for (int n = 1; n <= times; ++n) {
        auto const began = std::chrono::steady_clock::now();
        say<<<1, 1>>>(flag, static_cast<word>(n));
        while (*static_cast<word volatile*>(flag) < static_cast<word>(n)) {
        }
        all.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count());
        must(cudaDeviceSynchronize(), "a kernel has failed");
    }
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
}

double by_kernel(int times, word* flag, word* told) {
    for (int warm : {1, 0}) {
        must(cudaMemset(flag, 0, sizeof *flag), "memory cannot be set");
        start_others<<<1, 1>>>(flag, static_cast<word>(warm != 0 ? 3 : times), told);
        must(cudaDeviceSynchronize(), "a kernel has failed");
    }
    return static_cast<double>(*told) * 1e-3 / times;
}

std::string option(int argc, char** argv, char const* name, char const* otherwise) {
    for (int i = 1; i + 1 < argc; ++i)
        if (std::strcmp(argv[i], name) == 0) return argv[i + 1];
    return otherwise;
}

} // namespace

int main(int argc, char** argv) try {
    int const times = std::max(1, std::atoi(option(argc, argv, "-s", "1000").c_str()));
    word *seen_by_host = nullptr, *on_device = nullptr, *told = nullptr;
    must(cudaMallocHost(&seen_by_host, sizeof(word)), "there is no pinned memory");
    must(cudaMallocHost(&told, sizeof(word)), "there is no pinned memory");
    must(cudaMalloc(&on_device, sizeof(word)), "there is no memory of the device");
    *seen_by_host = 0;
    say<<<1, 1>>>(on_device, 0); // loads it
    must(cudaDeviceSynchronize(), "a kernel has failed");
    cudaDeviceProp facts{};
    must(cudaGetDeviceProperties(&facts, 0), "the properties of the device cannot be read");
    double const host = by_host(times, seen_by_host), kernel = by_kernel(times, on_device, told);
    std::printf("device: %s\nstart of a kernel until it runs: by the host %.2f us, by a kernel %.2f us%s\n", facts.name, host, kernel,
                kernel == 0 ? " (it did not begin while the other one ran)" : "");
    bench::result_facts told_of;
    told_of.device = facts.name;
    told_of.complete = true;
    if (auto const json = option(argc, argv, "--json", ""); !json.empty())
        bench::begin_json(json, told_of) << ", \"start_us\": {\"host\": " << host
                                  << ", \"kernel\": " << kernel << "}}\n";
    if (auto const html = option(argc, argv, "--html", ""); !html.empty())
        bench::begin_section(html, "Start of a kernel", told_of) << "<table><tr><th>by the host, us until it runs<th>by a kernel"
                                        << "<th>paper P2: by the host<th>by a kernel</tr>\n<tr><td>" << bench::rounded(host) << "<td>"
                                        << bench::rounded(kernel) << "<td>3.2 to 3.3<td>14 to 18</tr>\n</table>\n";
    return 0;
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
