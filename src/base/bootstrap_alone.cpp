// SPDX-License-Identifier: Apache-2.0
#include "base/bootstraps.hpp"
#include "base/message.hpp"
#include "base/mpi_plugin.hpp"

#include <cstring>

namespace sode::internal {

namespace {

class alone_bootstrap final : public bootstrap {
public:
    [[nodiscard]] int rank() const noexcept override { return 0; }
    [[nodiscard]] int size() const noexcept override { return 1; }
    [[nodiscard]] std::string_view name() const noexcept override { return "alone"; }
    [[nodiscard]] bool one_process() const noexcept override { return true; }
    [[nodiscard]] std::vector<int> machines() override { return {0}; }
    void allgather(void const* mine, std::size_t bytes, void* all) override {
        if (bytes > 0) std::memcpy(all, mine, bytes);
    }
    void combine(std::span<std::uint64_t> /*maxima*/, std::span<std::uint64_t> /*sums*/) override {}
    void barrier() override {}
};

} // namespace

std::unique_ptr<bootstrap> make_alone_bootstrap() {
    return std::make_unique<alone_bootstrap>();
}

namespace {

std::unique_ptr<bootstrap> join(config const& settings) {
    if (auto local = make_local_bootstrap(settings)) return local;
    if (auto const mpi = launching_mpi(settings); !mpi.empty()) return join_by_mpi(mpi, settings);
    return make_alone_bootstrap();
}

} // namespace

std::unique_ptr<bootstrap> make_bootstrap(config const& settings) {
    auto joined = join(settings);
    speak_as(speaker::process, joined->rank(), joined->size());
    return joined;
}

} // namespace sode::internal
