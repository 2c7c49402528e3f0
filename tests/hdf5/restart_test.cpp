// SPDX-License-Identifier: Apache-2.0
// What some number of ranks has written, any other number reads; and what becomes of files whose writers die or find no room.
#include "marks.hpp"

#include <sode/hdf5.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

class Restart : public ::testing::Test {
protected:
    void SetUp() override {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    [[nodiscard]] std::string file(std::string const& name) const { return (folder_ / name).string(); }
    /// Files that are still in the making.
    [[nodiscard]] int leavings() const {
        int found = 0;
        for (auto const& entry : std::filesystem::directory_iterator{folder_}) found += entry.path().extension() == ".part" ? 1 : 0;
        return found;
    }

private:
    std::filesystem::path folder_ = std::filesystem::path{SODE_TEST_FOLDER} / "restart_test";
};

/// Every element of the arrays is `step`, as is the file's.
void write_step(runtime& rt, std::string const& file, index_t step, index_t n = 300) {
    array<double, 2> a{grid<2>{rt, {n, n}}, {}, static_cast<double>(step)};
    array<index_t, 1> b{grid<1>{rt, {n * n}}, {}, step};
    write(file, {{"a", a}, {"b", b}}, {.step = step});
}

/// Reads it with another number of ranks. \return its step; -1 if elements are of another
index_t read_step(std::string const& file, int ranks, index_t n = 300) {
    std::atomic<index_t> found = -2;
    run_threads(ranks, [&](runtime& rt) {
        grid<2> const g{rt, {n, n}};
        grid<1> const h{rt, {n * n}};
        array<double, 2> a{g};
        array<index_t, 1> b{h};
        auto const step = read(file, {{"a", a}, {"b", b}}).step;
        auto const wrong =
            reduce(g.all(), 0, sum, [v = *a, step](auto i, auto j) { return v(i, j) != static_cast<double>(step) ? 1 : 0; }) +
            reduce(h.all(), 0, sum, [v = *b, step](auto i) { return v(i) != step ? 1 : 0; });
        found = wrong == 0 ? step : -1;
    });
    return found;
}

TEST_F(Restart, OnAnyNumberOfRanks) {
    for (int const writers : {1, 2, 3, 4, 6, 8}) {
        run_threads(writers, [&](runtime& rt) {
            grid<3> const g{rt, {13, 12, 11}, {.nodes = {any, any, any}}};
            array<double, 3> a{g, shadow{2}};
            array<std::int16_t, 3> b{g};
            set_marks(a);
            set_marks(b);
            write(file("any.h5"), {{"a", a}, {"b", b}}, {.time = 0.5, .step = writers});
        });
        for (int const readers : {1, 2, 3, 4, 6, 8}) {
            std::atomic<int> wrong = 0;
            run_threads(readers, [&](runtime& rt) {
                array<double, 3> a{grid<3>{rt, {13, 12, 11}}, shadow{1}};
                array<std::int16_t, 3> b{grid<3>{rt, {13, 12, 11}, {.nodes = {1, any, any}}}};
                auto const when = read(file("any.h5"), {{"a", a}, {"b", b}});
                wrong += wrong_marks(a) + wrong_marks(b) + (when.step != writers || when.time != 0.5 ? 1 : 0);
            });
            EXPECT_EQ(wrong, 0) << writers << " writers, " << readers << " readers";
        }
    }
}

TEST_F(Restart, AKilledWriterLeavesACompleteFile) {
    constexpr int most = 12;
    run_threads(2, [&](runtime& rt) { write_step(rt, file("r.h5"), 1); });
    for (int attempt = 1; attempt <= most; ++attempt) {
        // The writer tells of each file that is complete; it is killed in one of the next, wherever it happens to be.
        std::array<int, 2> told{};
        ASSERT_EQ(pipe(told.data()), 0);
        pid_t const child = fork();
        if (child == 0) {
            run_threads(2, [&](runtime& rt) {
                for (index_t step = 1000 * attempt;; ++step) {
                    write_step(rt, file("r.h5"), step);
                    if (rt.root() && ::write(told[1], "", 1) != 1) _exit(1);
                }
            });
            _exit(0);
        }
        close(told[1]);
        char word = 0;
        for (int files = 0; files <= attempt % 4; ++files) EXPECT_EQ(::read(told[0], &word, 1), 1) << "the writer has ended";
        std::this_thread::sleep_for(std::chrono::milliseconds{attempt});
        kill(child, SIGKILL);
        close(told[0]);
        waitpid(child, nullptr, 0);
        auto const step = read_step(file("r.h5"), 1 + attempt % 3);
        EXPECT_GE(step, 1000 * attempt + attempt % 4) << "no complete file, or an older one than it told of";
    }
    // And its leavings are in nobody's way.
    run_threads(3, [&](runtime& rt) { write_step(rt, file("r.h5"), 99999); });
    EXPECT_EQ(read_step(file("r.h5"), 2), 99999);
    EXPECT_EQ(leavings(), 0);
}

/// A full disk, as good as: files of this process may have 100,000 bytes.
class file_limit {
public:
    file_limit() {
        getrlimit(RLIMIT_FSIZE, &before_);
        rlimit const small{100000, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
    }
    ~file_limit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    file_limit(file_limit const&) = delete;
    file_limit& operator=(file_limit const&) = delete;

private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
};

TEST_F(Restart, WhereThereIsNoRoomIsAnErrorOnAllRanks) {
    run_threads(2, [&](runtime& rt) { write_step(rt, file("full.h5"), 1); });
    std::atomic<int> complaints = 0;
    run_threads(3, [&](runtime& rt) {
        array<double, 2> a{grid<2>{rt, {300, 300}}, {}, 2.0};
        rt.barrier();
        std::optional<file_limit> limit;
        if (rt.root()) limit.emplace();
        rt.barrier();
        try {
            write(file("full.h5"), {{"a", a}}, {.step = 2});
        } catch (error const& e) {
            EXPECT_EQ(e.kind(), error_kind::environment);
            EXPECT_THAT(e.what(), HasSubstr("full.h5."));
            EXPECT_THAT(e.what(), HasSubstr("File too large"));
            ++complaints;
        }
        rt.barrier();
    });
    EXPECT_EQ(complaints, 3);
    EXPECT_EQ(leavings(), 0);
    EXPECT_EQ(read_step(file("full.h5"), 2), 1) << "the old file is lost";
}

TEST_F(Restart, AFileThatIsCutOffIsAnErrorOnAllRanks) {
    run_threads(2, [&](runtime& rt) { write_step(rt, file("cut.h5"), 1); });
    std::filesystem::resize_file(file("cut.h5"), 200000);
    std::atomic<int> complaints = 0;
    run_threads(3, [&](runtime& rt) {
        array<double, 2> a{grid<2>{rt, {300, 300}}};
        try {
            read(file("cut.h5"), {{"a", a}});
        } catch (error const& e) {
            EXPECT_EQ(e.kind(), error_kind::environment);
            EXPECT_THAT(e.what(), HasSubstr("cannot read"));
            ++complaints;
        }
    });
    EXPECT_EQ(complaints, 3);
}

} // namespace
} // namespace sode::internal::testing
