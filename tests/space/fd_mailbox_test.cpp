// SPDX-License-Identifier: Apache-2.0
// Descriptors are handed to processes of the same user only.
#include "space/fd_mailbox.hpp"

#include "base/fd_message.hpp"
#include "base/shared_memory.hpp"
#include "support/mini_bootstrap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <fstream>
#include <sstream>

namespace sode::internal {
namespace {

using std::chrono::milliseconds;

constexpr uid_t somebody_else = 65534;

ino_t inode(int fd) {
    struct stat status {};
    return ::fstat(fd, &status) == 0 ? status.st_ino : 0;
}

std::string sockets_of_the_machine() {
    std::ifstream file{"/proc/net/unix"};
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Does `what` in a child process as another user and returns its exit status.
template <typename F> int as_somebody_else(F&& what) {
    pid_t const child = ::fork();
    if (child == 0) {
        if (::setresuid(somebody_else, somebody_else, somebody_else) != 0) ::_exit(99);
        ::_exit(what());
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

struct fd_mailbox_test : ::testing::Test {
    std::unique_ptr<testing::mini_board, testing::mini_board::unmap> board = testing::mini_board::make();
    testing::mini_bootstrap boot{*board, 0, 2, false, {}};
    unique_fd file = make_memfd("sode-test", 4096);
};

TEST_F(fd_mailbox_test, names_are_unguessable_and_the_socket_goes_with_the_mailbox) {
    std::string name;
    {
        fd_mailbox const one;
        fd_mailbox const two;
        name = one.name();
        EXPECT_EQ(name.size(), fd_mailbox::name_bytes);
        EXPECT_NE(one.name(), two.name());
        EXPECT_THAT(sockets_of_the_machine(), ::testing::HasSubstr("@" + name));
    }
    EXPECT_THAT(sockets_of_the_machine(), ::testing::Not(::testing::HasSubstr(name)));
}

TEST_F(fd_mailbox_test, what_is_sent_arrives_and_is_closed_on_exec) {
    fd_mailbox mailbox;
    send_descriptor(file.get(), mailbox.name(), milliseconds{60'000});
    auto const received = mailbox.receive(boot, 1, milliseconds{60'000});
    EXPECT_NE(received.get(), file.get());
    EXPECT_EQ(inode(received.get()), inode(file.get()));
    EXPECT_EQ(::fcntl(received.get(), F_GETFD), FD_CLOEXEC);
}

TEST_F(fd_mailbox_test, waiting_ends) {
    fd_mailbox mailbox;
    EXPECT_THROW(static_cast<void>(mailbox.receive(boot, 1, milliseconds{50})), error);
    board->lines[1].left = true;
    try {
        static_cast<void>(mailbox.receive(boot, 1, std::chrono::hours{1}));
        ADD_FAILURE() << "received something from a rank that has left";
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::peer);
        EXPECT_THAT(e.what(), ::testing::HasSubstr("rank 1 terminated"));
    }
}

TEST_F(fd_mailbox_test, a_mailbox_that_is_gone_is_an_error_of_the_sender) {
    std::string const gone = fd_mailbox{}.name();
    EXPECT_THROW(send_descriptor(file.get(), gone, milliseconds{60'000}), error);
}

TEST_F(fd_mailbox_test, what_another_user_sends_is_ignored) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can be somebody else";
    fd_mailbox mailbox;
    auto const forged = make_memfd("sode-forged", 4096);
    int const refused = as_somebody_else([&] {
        try {
            send_descriptor(forged.get(), mailbox.name(), milliseconds{60'000});
        } catch (error const& e) {
            return std::string_view{e.what()}.find("belongs to another user") != std::string_view::npos ? 1 : 2;
        }
        return 0;
    });
    EXPECT_EQ(refused, 1) << "the sender did not see that the mailbox is another user's";

    // One who does not look, as an attacker would not.
    EXPECT_EQ(as_somebody_else([&] {
                  sockaddr_un address{};
                  address.sun_family = AF_UNIX;
                  std::memcpy(address.sun_path + 1, mailbox.name().data(), mailbox.name().size());
                  auto const length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + mailbox.name().size());
                  unique_fd const socket{::socket(AF_UNIX, SOCK_STREAM, 0)};
                  if (::connect(socket.get(), reinterpret_cast<sockaddr const*>(&address), length) != 0) return 1;
                  char const content = 'f';
                  send_with_fd(socket.get(), &content, 1, forged.get());
                  return 0;
              }),
              0);
    EXPECT_THROW(static_cast<void>(mailbox.receive(boot, 1, milliseconds{100})), error);

    send_descriptor(file.get(), mailbox.name(), milliseconds{60'000});
    EXPECT_EQ(inode(mailbox.receive(boot, 1, milliseconds{60'000}).get()), inode(file.get()));
}

} // namespace
} // namespace sode::internal
