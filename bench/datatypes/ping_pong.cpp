// SPDX-License-Identifier: Apache-2.0
#include "datatypes/ping_pong.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>

namespace sode::internal::bench {
namespace {

constexpr int tag = 7;

class typed_ping_pong final : public ping_pong {
public:
    typed_ping_pong(std::shared_ptr<pattern const> p, pair_world const& w)
        : ping_pong("datatypes", p->memory_bytes(), p->sent(), p->received(), w), pattern_(std::move(p)) {
        typed_ping_pong::renew();
        typed_ping_pong::commit();
    }
    void renew() override {
        out_.emplace(pattern_->send_type());
        in_.emplace(pattern_->receive_type());
    }
    void commit() override {
        out_->type.commit();
        in_->type.commit();
    }

private:
    void send(int to) override { MPI_Send(memory() + out_->offset, out_->count, out_->type.get(), to, tag, communicator()); }
    void receive(int from) override {
        MPI_Recv(memory() + in_->offset, in_->count, in_->type.get(), from, tag, communicator(), MPI_STATUS_IGNORE);
    }

    std::shared_ptr<pattern const> pattern_;
    std::optional<typed> out_, in_;
};

class packed_ping_pong final : public ping_pong {
public:
    packed_ping_pong(std::shared_ptr<pattern const> p, pair_world const& w)
        : ping_pong("packing", p->memory_bytes(), p->sent(), p->received(), w), pattern_(std::move(p)),
          message_(static_cast<std::size_t>(total_bytes(pattern_->sent())) / sizeof(double) + 1) {}

private:
    [[nodiscard]] char* message() noexcept { return reinterpret_cast<char*>(message_.data()); }
    [[nodiscard]] int length() const noexcept { return static_cast<int>(total_bytes(pattern_->sent())); }
    void send(int to) override {
        pattern_->pack(memory(), message());
        MPI_Send(message(), bytes_, MPI_BYTE, to, tag, communicator());
    }
    void receive(int from) override {
        MPI_Recv(message(), bytes_, MPI_BYTE, from, tag, communicator(), MPI_STATUS_IGNORE);
        pattern_->unpack(message(), memory());
    }

    std::shared_ptr<pattern const> pattern_;
    std::vector<double> message_; // aligned for whatever is packed
    int bytes_ = length();
};

/// Both buffers begin on a cache line.
std::int64_t second_buffer(std::int64_t bytes) {
    return (bytes + 127) / 64 * 64;
}

class plain_ping_pong final : public ping_pong {
public:
    plain_ping_pong(std::int64_t bytes, pair_world const& w)
        : ping_pong("bytes", static_cast<std::size_t>(second_buffer(bytes) + bytes), {{0, bytes}}, {{second_buffer(bytes), bytes}},
                    w),
          bytes_(static_cast<int>(bytes)), in_(second_buffer(bytes)) {}
    // One of few bytes takes hardly longer than the barrier before it.
    [[nodiscard]] int repeats() const noexcept override { return bytes_ <= 64 ? 32 : 1; }

private:
    void send(int to) override { MPI_Send(memory(), bytes_, MPI_BYTE, to, tag, communicator()); }
    void receive(int from) override { MPI_Recv(memory() + in_, bytes_, MPI_BYTE, from, tag, communicator(), MPI_STATUS_IGNORE); }

    int bytes_;
    std::int64_t in_;
};

} // namespace

ping_pong::ping_pong(std::string name, std::size_t memory_bytes, places sent, places received, pair_world const& w)
    : name_(std::move(name)), sent_(std::move(sent)), received_(std::move(received)), world_(w), bytes_(memory_bytes),
      memory_(static_cast<char*>(::operator new[](memory_bytes, std::align_val_t{64}))) {
    std::memset(memory_.get(), 0, bytes_);
}

std::uint32_t ping_pong::seed(std::uint64_t round, int sender) const noexcept {
    auto const changing = world_.data == send_data::rewritten ? static_cast<std::uint32_t>(round) : 1U;
    return changing * 0x85ebca6bU + static_cast<std::uint32_t>(sender) * 0xc2b2ae35U;
}

void ping_pong::rewrite(std::uint64_t round, bool /*everything*/) {
    if (world_.data == send_data::kept) poison(); // or the last round's data would do
    if (world_.data == send_data::kept && written_) return;
    stamp(memory(), sent_, seed(round, world_.mpi.rank()));
    written_ = true;
}

void ping_pong::exchange() {
    if (!world_.has_partner()) return;
    int const partner = world_.partner();
    for (int n = 0; n < repeats(); ++n)
        if (world_.mpi.rank() < partner) {
            send(partner);
            receive(partner);
        } else {
            receive(partner);
            send(partner);
        }
}

void ping_pong::poison() {
    wipe(memory(), received_);
}

long ping_pong::mismatches(std::uint64_t round) {
    return world_.has_partner() ? wrong_words(memory(), received_, seed(round, world_.partner())) : 0;
}

long ping_pong::spilled() {
    std::vector<char> expected(memory(), memory() + bytes_);
    MPI_Barrier(communicator());
    exchange();
    copy_places(expected.data(), memory(), received_);
    long bytes = 0;
    for (std::size_t i = 0; i < bytes_; ++i) bytes += expected[i] != memory()[i];
    return bytes;
}

std::unique_ptr<communication> by_datatypes(std::shared_ptr<pattern const> p, pair_world const& w) {
    return std::make_unique<typed_ping_pong>(std::move(p), w);
}

std::unique_ptr<communication> by_packing(std::shared_ptr<pattern const> p, pair_world const& w) {
    return std::make_unique<packed_ping_pong>(std::move(p), w);
}

std::unique_ptr<communication> by_bytes(std::shared_ptr<pattern const> p, pair_world const& w) {
    return std::make_unique<plain_ping_pong>(total_bytes(p->sent()), w);
}

} // namespace sode::internal::bench
