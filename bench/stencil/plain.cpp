// SPDX-License-Identifier: Apache-2.0
// Plain C on threads of one process.
#include "stencil/plain_fields.hpp"
#include "stencil/threads.hpp"

#include <vector>

namespace sode::internal::bench {
namespace {

class laplace final : public solver {
public:
    laplace(std::vector<int> const& cores, problem_size size) : crew_(cores), size_(size), fields_(size, {0, size.layers}) {
        // Each thread is the first to touch what it will work on.
        crew_.run([this](int t) { fields_.fill(with_ends(part(t), size_.layers)); });
    }

    void steps(int n) override {
        crew_.run([this, n](int t) {
            for (int s = 0; s < n; ++s) {
                fields_.sweep(part(t), (now_ + s) % 2);
                crew_.barrier(t);
            }
        });
        now_ = (now_ + n) % 2;
    }

    [[nodiscard]] std::uint64_t fingerprint() const override { return fields_.fingerprint({0, size_.layers}, now_); }

private:
    [[nodiscard]] slab part(int t) const noexcept { return part_of(size_.layers, crew_.size(), t); }

    thread_crew crew_;
    problem_size size_;
    laplace_fields fields_;
    int now_ = 0;
};

class himeno final : public solver {
public:
    himeno(std::vector<int> const& cores, problem_size size)
        : crew_(cores), size_(size), fields_(size, {0, size.layers}), gosa_(cores.size()) {
        crew_.run([this](int t) { fields_.fill(with_ends(part(t), size_.layers)); });
    }

    void steps(int n) override {
        crew_.run([this, n](int t) {
            for (int s = 0; s < n; ++s) {
                gosa_[static_cast<std::size_t>(t)].sum = fields_.sweep(part(t), (now_ + s) % 2);
                crew_.barrier(t);
            }
        });
        now_ = (now_ + n) % 2;
    }

    [[nodiscard]] std::uint64_t fingerprint() const override { return fields_.fingerprint({0, size_.layers}, now_); }

private:
    struct alignas(128) partial {
        double sum = 0;
    };
    [[nodiscard]] slab part(int t) const noexcept { return part_of(size_.layers, crew_.size(), t); }

    thread_crew crew_;
    problem_size size_;
    himeno_fields fields_;
    std::vector<partial> gosa_;
    int now_ = 0;
};

} // namespace

std::unique_ptr<solver> plain_laplace_on(std::vector<int> const& cores, problem_size size) {
    return std::make_unique<laplace>(cores, size);
}
std::unique_ptr<solver> plain_himeno_on(std::vector<int> const& cores, problem_size size) {
    return std::make_unique<himeno>(cores, size);
}

} // namespace sode::internal::bench
