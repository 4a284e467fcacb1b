// Edge counters of a program that runs as a command, for whoever has started it (tracing/command_edges.py).
//
// The program is compiled with -fsanitize-coverage=inline-8bit-counters,pc-table, and this file linked into it. Where
// CHCFUZZ_EDGES names a file, the program deals with it when it exits: an empty one gets the table, one that has a
// table gets the counts. Of a program that dies of a signal there are no counts.
//
// The file: their number n, n counts of a byte each, zeros up to a multiple of eight, and for each edge two numbers,
// its place in the program (0 is where it is loaded) and the compiler's flags. Numbers have eight bytes each.

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace {

struct region {
    uint8_t *start, *stop;
    uintptr_t const *table;
};

// Built at first use: the compiler's constructors come before this file's.
std::vector<region> &regions() {
    static auto *found = new std::vector<region>;
    return *found;
}

void write_all(int file, void const *data, size_t size) {
    auto const *rest = static_cast<char const *>(data);
    while (size > 0) {
        ssize_t written = write(file, rest, size);
        if (written <= 0)
            return;
        rest += written;
        size -= static_cast<size_t>(written);
    }
}

void tell() {
    char const *path = std::getenv("CHCFUZZ_EDGES");
    if (path == nullptr)
        return;
    int file = open(path, O_RDWR | O_CLOEXEC);
    struct stat found;
    if (file < 0 || fstat(file, &found) != 0)
        return;
    uint64_t count = 0;
    for (auto const &part : regions())
        count += static_cast<uint64_t>(part.stop - part.start);
    uint64_t const zeros = 0, padding = (8 - count % 8) % 8;
    uint64_t const whole = sizeof count + count + padding + 16 * count;
    if (found.st_size != 0 && static_cast<uint64_t>(found.st_size) != whole)
        return; // the table of another program, or of this one before it was built anew
    write_all(file, &count, sizeof count);
    for (auto const &part : regions())
        write_all(file, part.start, static_cast<size_t>(part.stop - part.start));
    if (found.st_size == 0) {
        write_all(file, &zeros, padding);
        for (auto const &part : regions()) {
            Dl_info loaded = {};
            dladdr(part.start, &loaded);
            std::vector<uint64_t> rows;
            for (uint8_t const *edge = part.start; edge != part.stop; ++edge) {
                uintptr_t const *row = part.table + 2 * (edge - part.start);
                rows.push_back(row[0] - reinterpret_cast<uintptr_t>(loaded.dli_fbase));
                rows.push_back(row[1]);
            }
            write_all(file, rows.data(), rows.size() * sizeof(uint64_t));
        }
    }
    close(file);
}

} // namespace

// Both are called by every compiled file, with the counters of the whole library or program that it is part of; one after
// the other.
extern "C" void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop) {
    for (auto const &part : regions())
        if (part.start == start)
            return;
    if (regions().empty())
        std::atexit(tell);
    regions().push_back({start, stop, nullptr});
}

extern "C" void __sanitizer_cov_pcs_init(uintptr_t const *start, uintptr_t const *) {
    if (regions().back().table == nullptr)
        regions().back().table = start;
}
