// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "datatypes/pattern.hpp"
#include "support/mpi_world.hpp"
#include "support/race.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sode::internal::bench {

/// Whether what is sent changes from round to round, as in a program that computes. If it is kept, and only the receiver's copy
/// wiped, a receiver that reads the sender's memory finds it in its own cache from the round before.
enum class send_data { rewritten, kept };

/// What the ranks of a comparison have in common.
struct pair_world {
    mpi_world const& mpi;
    send_data data;

    /// Ranks 0 and 1, 2 and 3, … are partners.
    [[nodiscard]] int partner() const { return mpi.rank() ^ 1; }
    [[nodiscard]] bool has_partner() const { return partner() < mpi.size(); }
};

/// A subject that can say what it costs to begin with a datatype.
class communication : public subject {
public:
    /// Everything is as before the first use; collective.
    virtual void renew() = 0;
    /// What a program does before the first use.
    virtual void commit() {}
    /// Of one exchange().
    [[nodiscard]] virtual int repeats() const noexcept { return 1; }
    /// The bytes that an exchange must not touch and has touched; it exchanges once. Collective.
    [[nodiscard]] virtual long spilled() = 0;
};

/// An application's memory on one rank, with what it sends to a peer and receives from it.
class ping_pong : public communication {
public:
    ping_pong(std::string name, std::size_t memory_bytes, places sent, places received, pair_world const& w);

    [[nodiscard]] std::string const& name() const noexcept final { return name_; }
    void rewrite(std::uint64_t round, bool everything) final;
    void exchange() final;
    void poison() final;
    [[nodiscard]] long mismatches(std::uint64_t round) final;
    [[nodiscard]] long spilled() final;
    void renew() override {}

protected:
    virtual void send(int to) = 0;
    virtual void receive(int from) = 0;
    [[nodiscard]] char* memory() noexcept { return memory_.get(); }
    [[nodiscard]] MPI_Comm communicator() const { return world_.mpi.communicator(); }

private:
    struct aligned_delete {
        void operator()(char* memory) const noexcept { ::operator delete[](memory, std::align_val_t{64}); }
    };
    [[nodiscard]] std::uint32_t seed(std::uint64_t round, int sender) const noexcept;

    std::string name_;
    places sent_, received_;
    pair_world world_;
    std::size_t bytes_;
    std::unique_ptr<char[], aligned_delete> memory_;
    bool written_ = false;
};

/// By derived datatypes, "datatypes".
[[nodiscard]] std::unique_ptr<communication> by_datatypes(std::shared_ptr<pattern const> p, pair_world const& w);
/// Packed by hand, "packing".
[[nodiscard]] std::unique_ptr<communication> by_packing(std::shared_ptr<pattern const> p, pair_world const& w);
/// As many bytes that lie together, neither packed nor unpacked: "bytes". What moving them costs at least.
[[nodiscard]] std::unique_ptr<communication> by_bytes(std::shared_ptr<pattern const> p, pair_world const& w);

} // namespace sode::internal::bench
