// SPDX-License-Identifier: Apache-2.0
// Halos of arrays in the memory of devices hold what those of the host would, whichever way they go, started or enqueued; loops on
// streams see them; and what cannot be is refused.
#include "device/device_messages.hpp"
#include "device_case.hpp"
#include "step.hpp"
#include "support/cases.hpp"
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <string_view>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

TEST(device_halo, is_that_of_the_reference) {
    auto& rt = ranks();
    int const cases = random_cases(24);
    std::uint64_t const seed = 20261125 + static_cast<std::uint64_t>(rt.size());
    if (rt.root()) std::printf("%d cases, seed %lu\n", cases, static_cast<unsigned long>(seed));
    for (int c = 0; c < cases && !HasFailure(); ++c) run_device_case(rt, seed, c);
}

// Many steps in a stream, without a word of the host's in between: as many as a program has.
TEST(device_halo, a_program_on_the_device_computes_what_it_does_on_the_host) {
    auto& rt = ranks();
    constexpr int steps = 40;
    grid<2> g{rt, {37, 29}};
    auto const start = [](index_t i, index_t j) { return std::sin(static_cast<double>(3 * i + 7 * j)); };
    auto const mean = [](auto a, auto b) {
        return [=](index_t i, index_t j) { b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)); };
    };
    buffered<double, 2> u{g, shadow{1}};
    loop(u.all(), [v = u.now(), start](index_t i, index_t j) { v(i, j) = start(i, j); });
    auto halo = reflect_init({.periodic = true}, u);
    buffered<double, 2, sode::device> d{g, shadow{1}};
    upload(u, d);
    sode::stream s{rt};
    auto device_halo = reflect_init({.periodic = true}, d);
    for (int t = 0; t < steps; ++t, u.flip(), d.flip()) {
        halo();
        loop(u.all(), mean(u.now(), u.next()));
        device_halo.enqueue(s);
        loop(s, d.all(), mean(d.now(), d.next()));
    }
    buffered<double, 2> got{g, shadow{1}};
    download(s, d, got);
    s.synchronize();
    EXPECT_TRUE(s.done());
    auto const diff =
        reduce(u.all(), 0.0, sode::max, [a = u.now(), b = got.now()](index_t i, index_t j) { return std::abs(a(i, j) - b(i, j)); });
    EXPECT_EQ(diff, 0.0);
    EXPECT_EQ(device_halo.epochs(), static_cast<std::uint64_t>(steps));
}

TEST(device_halo, marches_in_a_stream_as_on_the_host) {
    auto& rt = ranks();
    grid<2> g{rt, {31, 26}};
    auto const start = [](index_t i, index_t j) { return std::sin(static_cast<double>(5 * i + 3 * j)); };
    buffered<double, 2> u{g, shadow{1}, 0.0, "u"};
    array<double, 2> k{g, {}, 0.0, "k"};
    loop(g.all(), [v = u.now(), w = k.view(), start](index_t i, index_t j) { v(i, j) = start(i, j), w(i, j) = start(j, i); });
    buffered<double, 2, sode::device> d{g, shadow{1}, 0.0, "d"};
    array<double, 2, sode::device> source{g, {}, 0.0, "source"};
    upload(u, d);
    upload(k, source);
    auto on_host = reflect_init(u), there = reflect_init(d);
    sode::stream s{rt};
    for (index_t const steps : {17, 0, 8}) {
        on_host.march(steps, g.inner(), towards_source{0.3}, u, k);
        there.march(s, steps, g.inner(), towards_source{0.3}, d, source);
        EXPECT_EQ(u.parity(), d.parity());
    }
    for (int half : {0, 1}) {
        buffered<double, 2> got{g, shadow{1}};
        download(s, d, got);
        s.synchronize();
        EXPECT_EQ(reduce(g.all(), 0.0, sode::max,
                         [a = u.now(), b = got.now()](index_t i, index_t j) { return std::abs(a(i, j) - b(i, j)); }),
                  0.0)
            << half;
        u.flip(), d.flip();
    }
    EXPECT_EQ(there.epochs(), 25U);

    auto const step = [](auto a, auto b) { return [=](auto i, auto j) { b(i, j) = a(i, j); }; };
    auto const of_source = [](auto a, auto b, auto c) { return [=](auto i, auto j) { b(i, j) = a(i, j) + c(i, j); }; };
    buffered<double, 2, sode::device> stranger{g, shadow{1}, 0.0, "stranger"};
    EXPECT_THAT(message([&] { return there.march(3, g.inner(), step, d), 0; }),
                HasSubstr("march() on the host cannot use array \"d\" (the array is in device memory)"));
    EXPECT_THAT(message([&] { return on_host.march(3, g.inner(), of_source, u, source), 0; }),
                HasSubstr("march() on the host cannot use array \"source\""));
    EXPECT_THAT(message([&] { return on_host.march(s, 3, g.inner(), step, u), 0; }),
                HasSubstr("march() on a stream cannot use array \"u\""));
    EXPECT_THAT(message([&] { return there.march(s, 3, g.inner(), of_source, d, k), 0; }),
                HasSubstr("march() on a stream cannot use array \"k\""));
    EXPECT_THAT(message([&] { return there.march(s, 3, g.inner(), step, stranger), 0; }),
                HasSubstr("cannot use array \"stranger\""));
    EXPECT_THAT(message([&] {
                    return there.march_reduce(
                        3, g.inner(), 0.0, sode::max,
                        [](auto a, auto b) { return [=](auto i, auto j) { return b(i, j) = a(i, j); }; }, d);
                }),
                HasSubstr("march() on the host cannot use"));
}

TEST(device_halo, says_how_it_goes) {
    auto& rt = ranks();
    grid<1> g{rt, {30}};
    array<float, 1, sode::device> u{g, shadow{1}, 0.F, "u"};
    EXPECT_THAT(reflect_init({.channel = "device-stage"}, u).explain(), HasSubstr("engine: device, emulated device 0: "));
    if (rt.size() == 1 || !rt.job().ranks->machines().one()) return;
    EXPECT_THAT(reflect_init({.channel = "device-stage"}, u).explain(), HasSubstr("device-stage"));
    std::string_view const said = std::getenv("SODE_DEVICE");
    bool const graphs = said.find(",graphs") != std::string_view::npos;
    EXPECT_THAT(reflect_init({.channel = "device-stage"}, u).explain(),
                ::testing::ContainsRegex(graphs && rt.size() > 1 ? "queues?, [0-9]+ graphs? of copies" : "queues?"));
    if (said.find("private") != std::string_view::npos) return;
    EXPECT_THAT(reflect_init({.channel = "pull"}, u).explain(), HasSubstr("device-pull"));
    EXPECT_THAT(reflect_init({.channel = "device-push"}, u).explain(), HasSubstr("device-push"));
    EXPECT_THAT(reflect_init(u).dump(), HasSubstr("array 0 of rank " + std::to_string(rt.rank()) + " (device)"));
    if (rt.size() != 2) return;
    // Of two fields and all corners many boxes go to the one neighbour.
    grid<2> h{rt, {30, 30}};
    array<float, 2, sode::device> v{h, shadow{1}, 0.F, "v"}, w{h, shadow{1}, 0.F, "w"};
    for (char const* channel : {"device-push", "device-pull", "device-stage"})
        EXPECT_THAT(reflect_init({.corners = true, .periodic = true, .channel = channel}, v, w).explain(),
                    ::testing::ContainsRegex("queues, [12] graphs? of copies"))
            << channel;
}

// Debian's MPIs take none; a library that is loaded before them says that they do (CMakeLists.txt).
TEST(device_halo, messages_carry_memory_of_the_device_where_the_mpi_takes_it) {
    auto& rt = ranks();
    bool const takes = mpi_takes_device_memory();
    EXPECT_EQ(takes, std::getenv("TEST_AWARE") != nullptr);
    if (rt.job().ranks->machines().one() || rt.size() == 1) return;
    grid<1> g{rt, {30}};
    array<float, 1, sode::device> u{g, shadow{1}, 0.F, "u"};
    auto const halo = reflect_init({.channel = "mpi"}, u);
    EXPECT_EQ(halo.explain().find("whose MPI takes device memory") != std::string::npos, takes) << halo.explain();
    EXPECT_EQ(halo.dump().find("scratch (device)") != std::string::npos, takes) << halo.dump();
}

// Where each emulated device is at a socket of its own, large faces go by the host, small ones directly; the elements are the same.
TEST(device_halo, goes_by_the_host_between_sockets_if_it_is_large) {
    auto& rt = ranks();
    std::string_view const wish = std::getenv("SODE_DEVICE");
    bool const sockets = wish.find("sockets") != std::string_view::npos, reach = wish.find("private") == std::string_view::npos;
    if (rt.size() == 1 || !rt.job().ranks->machines().one() || !reach) return;
    grid<1> g{rt, {40000 * rt.size()}};
    for (index_t const layers : {index_t{1}, index_t{40000}}) {
        array<double, 1> u{g, shadow{layers}}, got{g, shadow{layers}};
        loop(g.all(), [v = *u](index_t i) { v(i) = static_cast<double>(i); });
        array<double, 1, sode::device> d{g, shadow{layers}};
        upload(u, d);
        auto halo = reflect_init({.periodic = true}, d);
        halo();
        download(d, got);
        auto const v = *got;
        for (index_t i = v.lower(0); i < v.upper(0); ++i)
            ASSERT_EQ(v(i), static_cast<double>((i + g.extent(0)) % g.extent(0))) << layers;
        auto const text = halo.explain();
        EXPECT_EQ(text.substr(0, text.find("engine")).find(" device-stage  ") != std::string::npos, sockets && layers > 1) << text;
    }
}

TEST(device_halo, what_a_device_cannot_is_refused) {
    auto& rt = ranks();
    grid<2> g{rt, {24, 24}};
    array<double, 2> on_host{g, shadow{1}, 0.0, "here"};
    array<double, 2, sode::device> u{g, shadow{1}, 0.0, "there"};
    EXPECT_THAT(message([&] { return reflect_init(on_host, u); }), HasSubstr("has arrays in host memory and in device memory"));
    auto halo = reflect_init(u);
    EXPECT_THAT(message([&] { return halo.reverse(sode::sum), 0; }), HasSubstr("does not support reverse()"));
    EXPECT_THAT(message([&] { return halo.overlap(g.inner(), [](auto, auto) {}), 0; }),
                HasSubstr("enqueue() the exchange, and loop() on"));
    EXPECT_THAT(message([&] { return array<double, 2, sode::device>{g, shadow{full}, 0.0, "all"}, 0; }), HasSubstr("full shadow"));
    sode::stream s{rt};
    EXPECT_THAT(message([&] { return reflect_init(on_host).enqueue(s), 0; }), HasSubstr("cannot be enqueued on a stream"));
    grid<2> other{rt, {26, 24}};
    array<double, 2> wider{other, shadow{1}, 0.0, "wider"};
    EXPECT_THAT(message([&] { return download(u, wider), 0; }), HasSubstr("cannot be copied to"));
    halo();
}

// A shadow of another width: the elements, and nothing else.
TEST(device_halo, blocks_of_other_shadows_are_copied_by_their_elements) {
    auto& rt = ranks();
    grid<3> g{rt, {11, 12, 13}};
    array<int, 3> a{g, shadow{2}, -1};
    loop(a.all(), [v = *a](index_t i, index_t j, index_t k) { v(i, j, k) = static_cast<int>(10000 * i + 100 * j + k); });
    array<int, 3, sode::device> d{g, shadow{1}, 5};
    upload(a, d);
    array<int, 3> b{g, shadow{1}};
    download(d, b);
    auto const v = *b;
    auto const mine = b.owned();
    for (index_t i = v.lower(0); i < v.upper(0); ++i)
        for (index_t j = v.lower(1); j < v.upper(1); ++j)
            for (index_t k = v.lower(2); k < v.upper(2); ++k)
                ASSERT_EQ(v(i, j, k), mine.contains({i, j, k}) ? 10000 * i + 100 * j + k : 5) << i << ' ' << j << ' ' << k;
}

TEST(device_halo, what_a_kernel_throws_comes_out_of_the_stream) {
    sode::stream s{ranks()};
    s.run([] { throw std::runtime_error{"a kernel has failed"}; });
    EXPECT_THAT(message([&] { return s.synchronize(), 0; }, error_kind::environment), HasSubstr("a kernel has failed"));
}

} // namespace
} // namespace sode::internal::testing
