// SPDX-License-Identifier: Apache-2.0
// Layouts of MPI datatypes are kept for each handle, never for a freed one, and made when they pay.
#include "interpose/datatypes/datatype_cache.hpp"

#include "interpose/datatypes/datatype_contents.hpp"
#include "interpose/datatypes/program_cache.hpp"
#include "support/cases.hpp"
#include "support/mpi_main.hpp"
#include "support/random_datatypes.hpp"

#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <sode/error.hpp>
#include <thread>

namespace sode::internal {
namespace {

using test::datatype_buffer;
using test::owned_datatype;
using test::random_datatypes;

MPI_Datatype column(int rows, int pitch) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    PMPI_Type_vector(rows, 1, pitch, MPI_DOUBLE, &type);
    PMPI_Type_commit(&type);
    return type;
}

TEST(DatatypeCache, RemembersATypeAndCount) {
    datatype_cache cache{7};
    owned_datatype const type{column(5, 3)};
    auto const first = cache.find(type.get(), 2);
    EXPECT_EQ(first->id().process, 7u);
    EXPECT_EQ(first->bytes(), 80);
    EXPECT_FALSE(first->contiguous());
    EXPECT_EQ(cache.find(type.get(), 2), first);
    EXPECT_NE(cache.find(type.get(), 3)->id(), first->id());
    for (int count = 4; count < 10; ++count) EXPECT_EQ(cache.find(type.get(), count)->bytes(), 40 * count);
    EXPECT_EQ(cache.find(type.get(), 2), first);
    EXPECT_TRUE(cache.find(MPI_DOUBLE, 9)->contiguous());
    EXPECT_EQ(cache.find(MPI_DOUBLE, 9), cache.find(MPI_DOUBLE, 9));
}

TEST(DatatypeCache, AnotherThreadFindsTheSame) {
    datatype_cache cache{7};
    owned_datatype const type{column(5, 3)};
    auto const mine = cache.find(type.get(), 2);
    std::thread{[&] { EXPECT_EQ(cache.find(type.get(), 2), mine); }}.join();
}

TEST(DatatypeCache, AFreedHandleMayComeBackAsAnotherType) {
    datatype_cache cache{7};
    for (int i = 0; i < 200; ++i) {
        MPI_Datatype type = column(2 + i % 7, 3);
        auto const held = cache.find(type, 1);
        ASSERT_EQ(held->bytes(), 8 * (2 + i % 7));
        PMPI_Type_free(&type);
        ASSERT_EQ(held->bytes(), 8 * (2 + i % 7)) << "a message in flight keeps its layout";
    }
}

TEST(DatatypeCache, ACopyOfATypeHasALayoutOfItsOwn) {
    datatype_cache cache{7};
    MPI_Datatype type = column(5, 3);
    auto const original = cache.find(type, 1);
    MPI_Datatype twin = MPI_DATATYPE_NULL;
    PMPI_Type_dup(type, &twin);
    PMPI_Type_free(&type);
    EXPECT_EQ(cache.find(twin, 1)->form(), original->form());
    EXPECT_NE(cache.find(twin, 1)->id(), original->id());
    PMPI_Type_free(&twin);
}

TEST(DatatypeCache, TwoCachesDoNotMeet) {
    owned_datatype const type{column(5, 3)};
    datatype_cache a{1};
    datatype_cache b{2};
    EXPECT_EQ(a.find(type.get(), 1)->id().process, 1u);
    EXPECT_EQ(b.find(type.get(), 1)->id().process, 2u);
    EXPECT_EQ(a.find(type.get(), 1)->id().process, 1u);
}

MPI_Datatype list_of(int entries, int first) {
    std::vector<int> places;
    for (int i = 0; i < entries; ++i) places.push_back(first + 3 * i + i % 2);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    PMPI_Type_create_indexed_block(entries, 1, places.data(), MPI_DOUBLE, &type);
    PMPI_Type_commit(&type);
    return type;
}

TEST(DatatypeCache, ALayoutPaysWhenMessagesWithoutItHaveCostAsMuch) {
    datatype_cache cache{7};
    owned_datatype const type{list_of(200, 0)};
    layout_price const price{.layout = 80, .number = 0, .message = 13, .row = 0, .byte = 0.0025};
    auto const pays = [&](MPI_Datatype t, MPI_Count bytes = 1600) { return cache.pays(t, bytes / 1600, bytes, price); };
    for (int message = 1; message <= 6; ++message) EXPECT_EQ(pays(type.get()), message >= 5) << message; // 17 ns each
    owned_datatype const other{list_of(200, 1)};
    EXPECT_FALSE(pays(other.get()));
    EXPECT_TRUE(pays(other.get(), 1600 * 25)) << "one long message is enough";
    owned_datatype const known{list_of(200, 2)};
    auto const form = cache.find(known.get(), 1);
    EXPECT_TRUE(pays(known.get())) << "it is there";
    owned_datatype const again{list_of(200, 2)};
    EXPECT_TRUE(pays(again.get())) << "that of an equal type is there";
    EXPECT_TRUE(pays(MPI_DOUBLE));
    EXPECT_THROW((void)pays(MPI_DATATYPE_NULL), error);
}

TEST(DatatypeCache, ALayoutOfAVectorPaysSoonerAlsoIfEachMessageHasAnotherOne) {
    datatype_cache cache{7};
    layout_price const price{.layout = 320, .number = 1, .message = 4, .row = 0, .byte = 0};
    for (int message = 0; message < 6; ++message) {
        owned_datatype const type{column(500, 3)};
        EXPECT_EQ(cache.pays(type.get(), 1, 4000, price), message >= 4) << message;
    }
    owned_datatype const list{list_of(200, 5)};
    for (int message = 0; message < 10; ++message) EXPECT_FALSE(cache.pays(list.get(), 1, 1600, price));
}

TEST(DatatypeCache, NothingPaysInTheFirstTwoExchanges) {
    datatype_cache cache{7};
    owned_datatype const vector{column(500, 3)}, long_one{column(500, 4)}, list{list_of(60, 0)};
    layout_price const simple{.layout = 400, .number = 1, .message = 10, .row = 0, .byte = 0.001};
    layout_price const other{.layout = 320, .number = 1, .message = 60, .row = 0, .byte = 0};
    EXPECT_TRUE(cache.pays(long_one.get(), 10, 40'000, simple)) << "a message that takes 50, an eighth of 400";
    for (int message = 1; message <= 5; ++message) { // of 10 and 60; the layouts would take 12.5 and 40
        EXPECT_EQ(cache.pays(vector.get(), 1, 0, simple), message == 5) << message;
        EXPECT_EQ(cache.pays(list.get(), 1, 160, other), message == 5) << message;
    }
}

TEST(DatatypeCache, ATypeOfPartsIsComparedAfterTwoExchanges) {
    datatype_cache cache{7};
    layout_price const price{.layout = 320, .number = 1, .message = 60, .row = 0, .byte = 0};
    owned_datatype const part{list_of(20, 0)};
    auto const pair = [&] {
        std::array<int, 2> const counts{1, 1};
        std::array<MPI_Aint, 2> const places{0, 4096};
        std::array<MPI_Datatype, 2> const parts{part.get(), part.get()};
        MPI_Datatype type = MPI_DATATYPE_NULL;
        PMPI_Type_create_struct(2, counts.data(), places.data(), parts.data(), &type);
        PMPI_Type_commit(&type);
        return type;
    };
    owned_datatype const known{pair()}, again{pair()}, list{list_of(20, 0)};
    auto const whole = cache.find(known.get(), 1), one = cache.find(part.get(), 1);
    EXPECT_TRUE(cache.pays(list.get(), 1, 160, price)) << "a list is described in less time than a message takes";
    for (int message = 1; message <= 5; ++message) EXPECT_EQ(cache.pays(again.get(), 1, 320, price), message == 5) << message;
}

TEST(DatatypeCache, TypesMadeByEqualCallsShareALayout) {
    datatype_cache cache{7};
    MPI_Datatype first = column(5, 3);
    auto const held = cache.find(first, 2);
    PMPI_Type_free(&first);
    owned_datatype const again{column(5, 3)};
    EXPECT_EQ(cache.find(again.get(), 2), held) << "it was freed meanwhile";
    owned_datatype const wider{column(5, 4)};
    EXPECT_NE(cache.find(wider.get(), 2)->id(), held->id());

    owned_datatype const list{list_of(300, 0)}, equal{list_of(300, 0)}, shifted{list_of(300, 1)};
    EXPECT_EQ(cache.find(list.get(), 1), cache.find(equal.get(), 1));
    EXPECT_NE(cache.find(list.get(), 1)->id(), cache.find(shifted.get(), 1)->id());

    // Equal numbers of another constructor, and of another type.
    auto const made = [](auto make, MPI_Datatype of) {
        MPI_Datatype t = MPI_DATATYPE_NULL;
        make(of, &t);
        return t;
    };
    auto const vector = [](MPI_Datatype of, MPI_Datatype* t) { PMPI_Type_vector(4, 1, 16, of, t); };
    auto const hvector = [](MPI_Datatype of, MPI_Datatype* t) { PMPI_Type_create_hvector(4, 1, 16, of, t); };
    owned_datatype const a{made(vector, MPI_DOUBLE)}, b{made(hvector, MPI_DOUBLE)}, c{made(vector, MPI_FLOAT)};
    EXPECT_NE(cache.find(a.get(), 1)->form(), cache.find(b.get(), 1)->form());
    EXPECT_NE(cache.find(a.get(), 1)->form(), cache.find(c.get(), 1)->form());
    owned_datatype const nested{made(vector, a.get())}, other{made(vector, b.get())};
    EXPECT_NE(cache.find(nested.get(), 1)->form(), cache.find(other.get(), 1)->form());
}

TEST(DatatypeCache, ManyKindsOfTypesAreForgotten) {
    datatype_cache cache{7};
    owned_datatype const kept{column(7, 3)};
    auto const held = cache.find(kept.get(), 1);
    for (int pitch = 4; pitch < 1500; ++pitch) {
        owned_datatype const type{column(7, pitch)};
        ASSERT_EQ(cache.find(type.get(), 1)->extent().second, 8 * (6 * pitch + 1));
    }
    EXPECT_EQ(cache.find(kept.get(), 1), held) << "what a program holds is not";
}

TEST(DatatypeCache, WhatManyNumbersDescribeMustBeUsedLonger) {
    datatype_cache cache{7};
    std::vector<int> places;
    for (int i = 0; i < 1000; ++i) places.push_back(3 * i + i % 2);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_create_indexed_block(1000, 1, places.data(), MPI_DOUBLE, &made);
    owned_datatype const list{made};
    layout_price const price{.layout = 0, .number = 1, .message = 400, .row = 0, .byte = 0};
    EXPECT_GE(numbers_of(list.get()), 1000);
    EXPECT_FALSE(cache.pays(list.get(), 1, 8000, price));
    EXPECT_FALSE(cache.pays(list.get(), 1, 8000, price));
    EXPECT_TRUE(cache.pays(list.get(), 1, 8000, price));
}

TEST(DatatypeCache, AReferenceOutlivesItsDatatype) {
    datatype_cache cache{7};
    MPI_Datatype type = column(5, 3);
    auto const kept = cache.refer(type, 2);
    PMPI_Type_free(&type);
    EXPECT_EQ(kept->find()->bytes(), 80);
    owned_datatype const same{column(5, 3)};
    EXPECT_EQ(kept->find()->form(), cache.find(same.get(), 2)->form());
    auto const early = cache.refer(same.get(), 2);
    EXPECT_EQ(early->find(), cache.find(same.get(), 2)) << "what is found by either is found for both";
}

TEST(DatatypeCache, PassesErrorsOn) {
    datatype_cache cache{7};
    EXPECT_THROW((void)cache.find(MPI_DATATYPE_NULL, 1), error);
    EXPECT_THROW((void)cache.find(MPI_DOUBLE, -1), error);
}

TEST(ProgramCache, CopiesRandomPairsAsMpiWould) {
    datatype_cache types{7};
    program_cache programs;
    random_datatypes g{81};
    int copied = 0;
    for (int i = 0; i < sode::internal::testing::random_cases(1'500); ++i) {
        owned_datatype const from = g.make(g.between(1, 1500), static_cast<int>(g.between(1, 4)));
        owned_datatype const to = g.make(g.between(1, 1500), static_cast<int>(g.between(1, 4)));
        int const from_count = static_cast<int>(g.between(1, 3));
        int const to_count = static_cast<int>(g.between(1, 3));
        if (!test::receivable(to.get(), to_count)) continue;
        auto const source = types.find(from.get(), from_count);
        auto const target = types.find(to.get(), to_count);
        auto const bytes = static_cast<int>(std::min(source->bytes(), target->bytes()));
        // MPI unpacks whole elements only: a message that ends within one is compared where both sizes are equal.
        if (bytes == 0 || bytes % test::bytes_of(to.get(), 1) != 0) continue;
        ++copied;
        SCOPED_TRACE(i);
        datatype_buffer sent{from.get(), from_count};
        sent.number();
        std::vector<std::byte> packed(static_cast<std::size_t>(source->bytes()));
        int position = 0;
        PMPI_Pack(sent.base(), from_count, from.get(), packed.data(), static_cast<int>(packed.size()), &position, MPI_COMM_SELF);
        datatype_buffer expected{to.get(), to_count};
        position = 0;
        PMPI_Unpack(packed.data(), static_cast<int>(packed.size()), &position, expected.base(),
                    static_cast<int>(bytes / test::bytes_of(to.get(), 1)), to.get(), MPI_COMM_SELF);

        auto const program = programs.find(*source, *target);
        ASSERT_EQ(programs.find(*source, *target), program);
        ASSERT_EQ(program->whole.bytes, bytes);
        datatype_buffer received{to.get(), to_count};
        run(program->whole, received.base(), sent.base());
        ASSERT_TRUE(received.bytes() == expected.bytes()) << test::described(from.get()) << " -> " << test::described(to.get());
        received.fill({});
        for (copy_sequence const& c : program->pieces) run(c, received.base(), sent.base());
        ASSERT_TRUE(received.bytes() == expected.bytes());

        std::vector<std::byte> ours(packed.size());
        run(compile_sequence(source->form(), contiguous(0, source->bytes()), target_overlap::excluded), ours.data(), sent.base());
        ASSERT_TRUE(ours == packed);
        std::fill(ours.begin(), ours.end(), std::byte{});
        for (packed_chunk const& c : *source->pack_chunks(100)) run(c.program, ours.data() + c.begin, sent.base());
        ASSERT_TRUE(ours == packed);
        received.fill({});
        if (bytes == target->bytes()) {
            run(compile_sequence(contiguous(0, bytes), target->form(), target_overlap::excluded), received.base(), packed.data());
            ASSERT_TRUE(received.bytes() == expected.bytes());
            received.fill({});
            for (packed_chunk const& c : *target->unpack_chunks(100)) run(c.program, received.base(), packed.data() + c.begin);
            ASSERT_TRUE(received.bytes() == expected.bytes());
        }
    }
    EXPECT_GT(copied, sode::internal::testing::random_cases(1'500) / 10);
}

} // namespace
} // namespace sode::internal
