// Recorder of the edge counters of a program that runs as a command (docs/command-edges.md, tracing/command_edges.py).
//
// The program is compiled with -fsanitize-coverage=inline-8bit-counters,pc-table, and this file is linked into it. If
// CHCFUZZ_EDGES names a file, the program writes to it when it exits: counts and table to an empty file, the counts
// alone to a file that has the table. A program that is killed by a signal writes nothing.
//
// Format: the number n of edges, n counts of one byte each, zeros up to a multiple of eight, and two numbers for each
// edge, its address relative to where the program is loaded, and the compiler's flags. Numbers have eight bytes.

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

void write_edges() {
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
        return; // the table of another program, or of an older build of this one
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

// Every compiled file calls both functions in this order, with the counters of the whole library or program that it is
// part of.
extern "C" void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop) {
    for (auto const &part : regions())
        if (part.start == start)
            return;
    if (regions().empty())
        std::atexit(write_edges);
    regions().push_back({start, stop, nullptr});
}

extern "C" void __sanitizer_cov_pcs_init(uintptr_t const *start, uintptr_t const *) {
    if (regions().back().table == nullptr)
        regions().back().table = start;
}
