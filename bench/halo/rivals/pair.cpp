// SPDX-License-Identifier: Apache-2.0
// All boxes that go to one peer in one persistent message, packed: the fewest messages, every direction at once.
#include "halo/rivals/mpi_handles.hpp"
#include "halo/rivals/rival.hpp"

namespace sode::internal::bench {
namespace {

class packed_pair final : public rival {
public:
    packed_pair(std::string name, rival_world const& w) : rival(std::move(name), w), self_(self_copies(data())) {
        for (int peer : w.block().peers()) add(w.block(), peer);
    }

    void exchange() override {
        requests_.start_receives();
        run(pack_);
        requests_.start_sends();
        run(self_);
        requests_.wait();
        run(unpack_);
    }

private:
    void add(rank_block const& b, int peer) {
        constexpr int tag = 300;
        std::int64_t total = 0;
        for (auto const& d : directions())
            if (b.neighbour(d) == peer) total += bytes(b.edge(d)) * data().count();
        char* out = buffers_.emplace_back(static_cast<std::size_t>(total)).data();
        char* in = buffers_.emplace_back(static_cast<std::size_t>(total)).data();
        requests_.receive(in, static_cast<int>(total), MPI_BYTE, peer, tag, communicator());
        requests_.send(out, static_cast<int>(total), MPI_BYTE, peer, tag, communicator());
        // What I send in direction d, the peer receives from direction -d: both walk the directions by the sender's d.
        for (int field = 0; field < data().count(); ++field)
            for (auto const& d : directions()) {
                if (b.neighbour(d) == peer) {
                    box const e = b.edge(d);
                    pack_.emplace_back(place::packed(out, e.size), place::in(data(), field, e), e.size);
                    out += bytes(e);
                }
                if (b.neighbour(opposite(d)) == peer) {
                    box const h = b.halo(opposite(d));
                    unpack_.emplace_back(place::in(data(), field, h), place::packed(in, h.size), h.size);
                    in += bytes(h);
                }
            }
    }

    copy_list self_, pack_, unpack_;
    std::vector<std::vector<char>> buffers_;
    persistent_requests requests_;
};

} // namespace

void add_pair_styles(std::vector<style>& all) {
    add_style<packed_pair>(all, "packed-pair");
}

} // namespace sode::internal::bench
