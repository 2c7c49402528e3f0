// SPDX-License-Identifier: Apache-2.0
// What a task's environment has that its starter's has not.
#include "tasks/task_environment.hpp"

#include "base/task_board.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace sode::internal {
namespace {

using ::testing::Contains;
using ::testing::UnorderedElementsAre;

std::string place(std::string_view value) {
    return fmt::format("{}={}", task_variable, value);
}

TEST(TaskEnvironment, HasItsOwnPlaceOnly) {
    EXPECT_THAT(task_environment({"A=1", place("old")}, "new"),
                UnorderedElementsAre("A=1", place("new"), "MPIR_CVAR_SHM_SYMHEAP_RETRY=1"));
}

TEST(TaskEnvironment, KeepsWhatTheUserHasSetForMpich) {
    for (std::string const name : {"MPIR_CVAR_SHM_SYMHEAP_RETRY", "MPIR_PARAM_SHM_SYMHEAP_RETRY", "MPICH_SHM_SYMHEAP_RETRY"})
        EXPECT_THAT(task_environment({name + "=7"}, "here"), UnorderedElementsAre(name + "=7", place("here")));
    EXPECT_THAT(task_environment({"XMPICH_SHM_SYMHEAP_RETRY=7"}, "here"), Contains("MPIR_CVAR_SHM_SYMHEAP_RETRY=1"));
}

} // namespace
} // namespace sode::internal
