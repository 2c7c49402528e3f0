// SPDX-License-Identifier: Apache-2.0
// Nothing to gain from: what programs pay that have no derived datatypes.
#include "datatypes/pattern.hpp"

#include <cstring>

namespace sode::internal::bench {
namespace {

class plain final : public pattern {
public:
    explicit plain(int bytes) : bytes_(bytes) {}
    [[nodiscard]] std::size_t memory_bytes() const override { return 2 * static_cast<std::size_t>(start()); }
    [[nodiscard]] places sent() const override { return {{0, bytes_}}; }
    [[nodiscard]] places received() const override { return {{start(), bytes_}}; }
    [[nodiscard]] typed send_type() const override { return {contiguous(bytes_, MPI_BYTE)}; }
    [[nodiscard]] typed receive_type() const override { return {contiguous(bytes_, MPI_BYTE), start()}; }
    void pack(char const* memory, char* message) const override { std::memcpy(message, memory, static_cast<std::size_t>(bytes_)); }
    void unpack(char const* message, char* memory) const override {
        std::memcpy(memory + start(), message, static_cast<std::size_t>(bytes_));
    }

private:
    [[nodiscard]] std::ptrdiff_t start() const { return (bytes_ + 127) / 64 * 64; }

    int bytes_;
};

} // namespace

void add_contiguous(std::vector<pattern_case>& all) {
    add_cases<plain, int>(all, "contiguous", {8, 1024, 65536, 1 << 20});
}

} // namespace sode::internal::bench
