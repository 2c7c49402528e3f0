// SPDX-License-Identifier: Apache-2.0
// Any derived datatype that MPI accepts: what is read of it must be what MPI packs, and no input may bring the walk down.
#include "support/random_datatypes.hpp"

#include <sode/mpi.hpp>

#include <cstdio>
#include <cstdlib>

namespace {

using namespace sode;
using namespace sode::internal;
using test::datatype_buffer;

// Numbers out of the input, two bytes each; zeros when it is used up.
class source {
public:
    source(std::uint8_t const* data, std::size_t size) : next_(data), end_(data + size) {}
    std::uint64_t operator()() {
        std::uint64_t number = 0;
        for (int i = 0; i < 2 && next_ != end_; ++i) number = number << 8U | *next_++;
        return number;
    }

private:
    std::uint8_t const* next_;
    std::uint8_t const* end_;
};

[[noreturn]] void fail(char const* what, MPI_Datatype type, int count) {
    std::fprintf(stderr, "%s: %d of %s\n", what, count, test::described(type).c_str());
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    MPI_Init(argc, argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    std::atexit([] { MPI_Finalize(); });
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    test::random_datatypes g{source{data, size}};
    int const count = static_cast<int>(g.between(0, 3));
    auto const type = g.make(g.between(1, 1500), static_cast<int>(g.between(1, 4)));
    datatype const d = datatype_of(type.get(), count);
    if (d.bytes() != test::bytes_of(type.get(), count)) fail("another size", type.get(), count);
    auto const [low, high] = test::span_of(type.get(), count);
    if (d.bytes() > 0 && (d.extent().first < low || d.extent().second > high)) fail("bytes outside", type.get(), count);
    datatype_buffer sent{type.get(), count};
    sent.number();
    std::vector<std::byte> expected(static_cast<std::size_t>(d.bytes())), packed(expected.size());
    if (expected.empty()) return 0;
    int position = 0;
    PMPI_Pack(sent.base(), count, type.get(), expected.data(), static_cast<int>(expected.size()), &position, MPI_COMM_SELF);
    pack(packed.data(), sent.base(), d);
    if (packed != expected) fail("packed otherwise", type.get(), count);
    return 0;
}
