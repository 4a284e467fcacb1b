// The recorder behind chcfuzz_events.h; linked into libz3.so beside Z3's own objects.

#include "chcfuzz_events.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#define HIDDEN __attribute__((visibility("hidden")))

// The linker's names for the ends of the section; absent when no site was linked.
extern "C" HIDDEN chcfuzz_site __start_chcfuzz_sites __attribute__((weak));
extern "C" HIDDEN chcfuzz_site __stop_chcfuzz_sites __attribute__((weak));

namespace {

constexpr std::uint32_t CAPACITY = 1u << 20;
constexpr std::uint32_t SLOT_BITS = 16;
constexpr std::uint32_t SLOTS = 1u << SLOT_BITS;
constexpr std::uint64_t GOLDEN = 0x9E3779B97F4A7C15;

std::uint32_t events[CAPACITY];
std::uint32_t transitions[SLOTS];
std::uint32_t touched[SLOTS];
chcfuzz_trace trace = {0, 0, 0, CAPACITY, SLOTS, 0, events, transitions, touched};
chcfuzz_edges edges = {};

std::uint64_t rotate(std::uint64_t value, unsigned bits) {
    return value << bits | value >> (64 - bits);
}

std::uint64_t identity_of(const chcfuzz_site &site) {
    std::uint64_t hash = 0xCBF29CE484222325;
    const auto add = [&hash](const char *text) {
        do
            hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001B3;
        while (*text++);
    };
    add(site.file);
    add(site.function);
    add(std::to_string(site.ordinal).c_str());
    return hash;
}

// The tag without the quotes that stringizing a string literal leaves.
const char *unquoted(const char *tag) {
    const std::size_t length = std::strlen(tag);
    if (length < 2 || tag[0] != '"' || tag[length - 1] != '"')
        return tag;
    return strndup(tag + 1, length - 2);
}

// Numbers the linked records and returns the table: one entry for all instances of a template.
std::vector<chcfuzz_site> number_sites() {
    std::vector<chcfuzz_site *> records;
    for (chcfuzz_site *site = &__start_chcfuzz_sites; site != &__stop_chcfuzz_sites; ++site) {
        site->tag = unquoted(site->tag);
        records.push_back(site);
    }
    const auto place = [](const chcfuzz_site *site) {
        return std::make_tuple(std::string_view(site->file), std::string_view(site->function), site->line,
                               std::string_view(site->tag));
    };
    std::sort(records.begin(), records.end(),
              [&place](const auto *left, const auto *right) { return place(left) < place(right); });
    std::vector<chcfuzz_site> table;
    for (chcfuzz_site *site : records) {
        if (table.empty() || place(&table.back()) != place(site)) {
            const bool same_function = !table.empty() && !std::strcmp(table.back().file, site->file) &&
                                       !std::strcmp(table.back().function, site->function);
            table.push_back(*site);
            table.back().number = static_cast<std::uint32_t>(table.size() - 1);
            table.back().ordinal = same_function ? table[table.size() - 2].ordinal + 1 : 0;
            table.back().identity = identity_of(table.back());
        }
        site->number = table.back().number;
        site->ordinal = table.back().ordinal;
        site->identity = table.back().identity;
    }
    return table;
}

// Numbered at the first use: no site is enabled, so none can report, before chcfuzz_enable.
std::vector<chcfuzz_site> &sites() {
    static std::vector<chcfuzz_site> table = number_sites();
    return table;
}

}  // namespace

extern "C" {

chcfuzz_trace *chcfuzz_get_trace() { return &trace; }

void chcfuzz_reset() {
    for (std::uint32_t i = 0; i < trace.touched_count; ++i)
        transitions[touched[i % SLOTS]] = 0;
    trace.total = trace.hash = trace.previous = trace.touched_count = 0;
}

const chcfuzz_site *chcfuzz_get_sites(std::uint32_t *count) {
    *count = static_cast<std::uint32_t>(sites().size());
    return sites().data();
}

std::uint32_t chcfuzz_enable(const char *tag, int on) {
    std::uint32_t concerned = 0;
    for (chcfuzz_site &site : sites())
        if (!tag || !std::strcmp(site.tag, tag)) {
            site.enabled = on != 0;
            ++concerned;
        }
    for (chcfuzz_site *site = &__start_chcfuzz_sites; site != &__stop_chcfuzz_sites; ++site)
        site->enabled = sites()[site->number].enabled;
    return concerned;
}

chcfuzz_edges chcfuzz_get_edges() { return edges; }

HIDDEN void chcfuzz_event(const chcfuzz_site *site) {
    trace.events[trace.total++ % CAPACITY] = site->number;
    trace.hash = (rotate(trace.hash, 5) ^ site->identity) * GOLDEN;
    const std::uint64_t pair = (rotate(trace.previous, 1) ^ site->identity) * GOLDEN;
    const std::uint32_t slot = static_cast<std::uint32_t>(pair >> (64 - SLOT_BITS));
    if (transitions[slot]++ == 0)
        touched[trace.touched_count++ % SLOTS] = slot;
    trace.previous = site->identity;
}

// The hooks that -fsanitize-coverage calls while the library is loaded. Hidden: libFuzzer defines the same
// names, and neither may answer for the other.
HIDDEN void __sanitizer_cov_8bit_counters_init(std::uint8_t *start, std::uint8_t *stop) {
    edges.counters_start = start;
    edges.counters_stop = stop;
}

HIDDEN void __sanitizer_cov_pcs_init(const std::uintptr_t *start, const std::uintptr_t *stop) {
    edges.table_start = start;
    edges.table_stop = stop;
}
}
