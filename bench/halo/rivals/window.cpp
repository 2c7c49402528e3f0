// SPDX-License-Identifier: Apache-2.0
// The fields lie in a shared window: plain loads from the neighbours' blocks, between two synchronisations of MPI's.
#include "halo/rivals/mpi_handles.hpp"
#include "halo/rivals/rival.hpp"

namespace sode::internal::bench {
namespace {

// Base from member: the window must exist before the fields that lie in it.
struct window_memory {
    explicit window_memory(rival_world const& w) : window(w.ranks().communicator(), field_memory{w.block()}.bytes()) {}
    shared_window window;
};

class window_style : private window_memory, public rival {
public:
    window_style(std::string name, rival_world const& w)
        : window_memory(w), rival(std::move(name), w, window.of(w.block().rank())), peers_(w.block().peers()),
          self_(self_copies(data())) {
        auto const& b = w.block();
        for (int peer : peers_) {
            rank_block const theirs{b.shape(), peer};
            auto const from = field_memory{theirs}.in(window.of(peer));
            for (int field = 0; field < data().count(); ++field)
                for (auto const& d : directions())
                    if (b.neighbour(d) == peer) {
                        box const to = b.halo(d);
                        pull_.emplace_back(place::in(data(), field, to), place::in(from, field, theirs.edge(opposite(d))), to.size);
                    }
        }
    }

    void exchange() final {
        // Sync, meet, sync: my stores are published, theirs are visible. The second meeting says that all loads are over.
        MPI_Win_sync(window.handle());
        meet(0);
        MPI_Win_sync(window.handle());
        run(self_);
        run(pull_);
        meet(1);
    }

protected:
    virtual void meet(int turn) = 0;
    [[nodiscard]] std::vector<int> const& peers() const noexcept { return peers_; }

private:
    std::vector<int> peers_;
    copy_list self_, pull_;
};

class window_barrier final : public window_style {
public:
    using window_style::window_style;
    void meet(int) override { MPI_Barrier(communicator()); }
};

class window_messages final : public window_style {
public:
    using window_style::window_style;
    void meet(int turn) override {
        int const tag = 800 + turn;
        for (int peer : peers()) MPI_Irecv(nullptr, 0, MPI_BYTE, peer, tag, communicator(), requests_.next());
        for (int peer : peers()) MPI_Isend(nullptr, 0, MPI_BYTE, peer, tag, communicator(), requests_.next());
        requests_.wait();
    }

private:
    posted_requests requests_;
};

} // namespace

void add_window_styles(std::vector<style>& all) {
    add_style<window_barrier>(all, "window-barrier");
    add_style<window_messages>(all, "window-messages");
}

} // namespace sode::internal::bench
