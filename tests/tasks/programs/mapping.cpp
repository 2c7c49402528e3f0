// SPDX-License-Identifier: Apache-2.0
// `mapping LOW HIGH`: whatever it maps must lie there. Says what does not, and ends with status 1 then.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::uintptr_t low = 0;
std::uintptr_t high = 0;
int wrong = 0;

void expect(bool right, char const* what) {
    if (right) return;
    std::printf("%s\n", what);
    ++wrong;
}

bool inside(void const* where, std::size_t bytes) {
    auto const at = reinterpret_cast<std::uintptr_t>(where);
    return at >= low && at + bytes <= high;
}

constexpr std::size_t page = 4096;
constexpr std::size_t mega = std::size_t{1} << 20U;

void* fresh(std::size_t bytes, int prot = PROT_READ | PROT_WRITE) {
    return ::mmap(nullptr, bytes, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

void anonymous() {
    void* const small = fresh(100);
    expect(inside(small, page), "anonymous memory lies elsewhere");
    void* const large = fresh(8 * mega);
    expect(inside(large, 8 * mega) && reinterpret_cast<std::uintptr_t>(large) % (2 * mega) == 0,
           "large memory is not as huge pages want it");
    std::memset(large, 1, 8 * mega);
    void* const hinted = ::mmap(static_cast<char*>(large) + 64 * mega, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(hinted == static_cast<char*>(large) + 64 * mega, "a hint within the partition is not followed");
    void* const taken = ::mmap(large, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(taken != large && inside(taken, page), "a hint where something is");
    void* const outside =
        ::mmap(reinterpret_cast<void*>(std::uintptr_t{0x7000'0000'0000}), page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(inside(outside, page), "a hint outside of the partition");
    expect(::munmap(small, page) == 0 && ::munmap(large, 8 * mega) == 0 && ::munmap(hinted, page) == 0 &&
               ::munmap(taken, page) == 0 && ::munmap(outside, page) == 0,
           "munmap");
}

void eager() {
    auto* const all = static_cast<char*>(
        ::mmap(nullptr, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE | MAP_LOCKED, -1, 0));
    expect(inside(all, 4 * page) && all[3 * page] == 0, "memory that is to be there at once");
    expect(::munmap(all, 4 * page) == 0, "munmap of locked memory");
}

void file() {
    int const self = ::open("/etc/passwd", O_RDONLY);
    void* const text = ::mmap(nullptr, page, PROT_READ, MAP_PRIVATE, self, 0);
    expect(inside(text, page), "a file's memory lies elsewhere");
    char begin[4] = {};
    expect(::pread(self, begin, sizeof begin, 0) == 4 && std::memcmp(begin, text, 4) == 0, "another file was mapped");
    expect(::munmap(text, page) == 0 && ::close(self) == 0, "munmap of a file");
}

void refused() {
    auto const gives = [](int error, std::size_t bytes, int flags, int fd) {
        errno = 0;
        return ::mmap(nullptr, bytes, PROT_READ, flags, fd, 0) == MAP_FAILED && errno == error;
    };
    expect(gives(EINVAL, 0, MAP_PRIVATE | MAP_ANONYMOUS, -1), "no bytes at all: EINVAL");
    expect(gives(EBADF, page, MAP_PRIVATE, 999), "no such file: EBADF");
    expect(gives(ENOMEM, std::size_t{1} << 46U, MAP_PRIVATE | MAP_ANONYMOUS, -1), "more than there is: ENOMEM");
    expect(gives(ENOMEM, SIZE_MAX - 100, MAP_PRIVATE | MAP_ANONYMOUS, -1), "beyond all counting: ENOMEM");
    expect(gives(EINVAL, page, MAP_ANONYMOUS, -1), "neither private nor shared: EINVAL");
    int const write_only = ::open("/dev/null", O_WRONLY);
    expect(gives(EACCES, page, MAP_PRIVATE, write_only), "a file that may not be read: EACCES");
    ::close(write_only);
}

void moved() {
    auto* const from = static_cast<char*>(fresh(mega));
    fresh(page); // in the way of growing
    std::memset(from, 7, mega);
    auto* const to = static_cast<char*>(::mremap(from, mega, 16 * mega, MREMAP_MAYMOVE));
    expect(to != from && inside(to, 16 * mega) && to[0] == 7 && to[mega - 1] == 7 && to[mega] == 0, "mremap that moves");
    auto* const grown = static_cast<char*>(::mremap(to, 16 * mega, 17 * mega, MREMAP_MAYMOVE));
    expect(grown == to, "mremap that need not move");
    expect(::mremap(grown, 17 * mega, mega, MREMAP_MAYMOVE) == grown, "mremap that shrinks");
    errno = 0;
    expect(::mremap(grown + 40 * mega, page, 2 * page, MREMAP_MAYMOVE) == MAP_FAILED && errno == EFAULT,
           "mremap of nothing: EFAULT");
    expect(::mremap(grown + 1, page, 2 * page, MREMAP_MAYMOVE) == MAP_FAILED && errno == EINVAL, "mremap of half a page: EINVAL");
#ifdef MREMAP_DONTUNMAP
    auto* const twin = static_cast<char*>(::mremap(grown, mega, mega, MREMAP_MAYMOVE | MREMAP_DONTUNMAP));
    expect(twin != grown && inside(twin, mega) && twin[0] == 7 && grown[0] == 0, "mremap that keeps the old place");
#endif
}

void attached() {
    int const segment = ::shmget(IPC_PRIVATE, 3 * mega, 0600);
    if (segment < 0) return;
    auto* const first = static_cast<char*>(::shmat(segment, nullptr, 0));
    auto* const second = static_cast<char*>(::shmat(segment, nullptr, 0));
    ::shmctl(segment, IPC_RMID, nullptr);
    expect(inside(first, 3 * mega) && inside(second, 3 * mega) && first != second, "shmat");
    first[0] = 'x';
    expect(second[0] == 'x', "shmat attaches something else");
    expect(::shmdt(first) == 0 && ::shmdt(second) == 0, "shmdt");
    errno = 0;
    expect(::shmat(-1, nullptr, 0) == reinterpret_cast<void*>(-1) && errno == EINVAL, "shmat of nothing: EINVAL");
}

/// Again and again, much more than the partition holds.
void recycled(int times) {
    for (int i = 0; i < times; ++i) {
        std::size_t const bytes = (static_cast<std::size_t>(i) % 16 + 1) * 16 * page;
        void* const block = fresh(bytes);
        if (!inside(block, bytes) || ::munmap(block, bytes) != 0) {
            expect(false, "freed memory does not come back");
            return;
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    low = std::strtoull(argv[1], nullptr, 16);
    high = std::strtoull(argv[2], nullptr, 16);
    expect(inside(reinterpret_cast<void const*>(&recycled), 1) && inside(&argc, 1) &&
               inside(reinterpret_cast<void const*>(&::printf), 1),
           "the program itself lies elsewhere");
    expect(inside(::sbrk(0), 0) && inside(std::malloc(1000), 1000), "the heap lies elsewhere");
    anonymous();
    eager();
    file();
    refused();
    moved();
    attached();
    recycled(std::atoi(argv[3]));
    return wrong == 0 ? 0 : 1;
}
