// Trace events in memory, and the edges of the library: what a traced libz3.so exports to chcfuzz.
//
// Every trace site of Z3 is a static record in the section `chcfuzz_sites`. A site that is enabled and
// reached appends its number to a ring buffer and folds its identity into a running hash and into the
// counts of transitions (this event after that one), so hash, counts and total stay right when the ring
// overflows; then the ring holds the last `capacity` events.
//
// An identity is the 64-bit FNV-1a hash of "file\0function\0ordinal", the ordinal being the site's place
// among the sites of that function in that file. It holds no line number, so it survives an edit of Z3
// elsewhere. Instances of one template share identity and number.
//
// Threads: the recorder takes no lock. Spacer runs in one thread, and whoever reads or resets does so
// between two solver calls. Should several threads trace at once (`parallel.enable`), events may be lost or
// misordered; every index is masked, so nothing is ever written out of bounds.

#pragma once

#include <cstdint>

extern "C" {

struct chcfuzz_site {
    const char *function;   // as in __FUNCTION__: no class, no parameters
    const char *file;       // relative to Z3's root: "src/muz/spacer/spacer_context.cpp"
    const char *tag;        // Z3's trace tag, without quotes
    std::uint32_t line;
    std::uint32_t ordinal;  // among the sites of this function in this file
    std::uint32_t number;   // index in the table of sites
    std::uint32_t enabled;  // 0 or 1
    std::uint64_t identity;
};

struct chcfuzz_trace {
    std::uint64_t total;          // events since the last reset
    std::uint64_t hash;           // of their identities, in order; 0 when there are none
    std::uint64_t previous;       // identity of the last event; 0 when there is none
    std::uint32_t capacity;       // of `events`, a power of two
    std::uint32_t slots;          // of `transitions` and `touched`, a power of two
    std::uint32_t touched_count;  // transitions with a count, at most `slots`
    std::uint32_t *events;        // site numbers; event i is at i % capacity, the first `total` are set
    std::uint32_t *transitions;   // slot -> how often
    std::uint32_t *touched;       // slots in the order of their first occurrence
};

struct chcfuzz_edges {  // all null when the build has no edge counters
    std::uint8_t *counters_start, *counters_stop;
    const std::uintptr_t *table_start, *table_stop;  // pairs of PC and flags, one a counter
};

#define CHCFUZZ_API __attribute__((visibility("default")))

// The recorder's state; one address for the life of the process, read in place.
CHCFUZZ_API chcfuzz_trace *chcfuzz_get_trace();

// Forgets the events. Enabled sites stay enabled.
CHCFUZZ_API void chcfuzz_reset();

// The table of sites, by file, function and line; entry i has number i. Its `enabled` field is a copy.
CHCFUZZ_API const chcfuzz_site *chcfuzz_get_sites(std::uint32_t *count);

// Enables or disables every site with this tag, or all sites when tag is null. Returns how many
// entries of the table that concerns. No site is enabled at first.
CHCFUZZ_API std::uint32_t chcfuzz_enable(const char *tag, int on);

// The ranges that the compiler's instrumentation announced for this library, never seen by a libFuzzer.
CHCFUZZ_API chcfuzz_edges chcfuzz_get_edges();

// For the trace macros only: appends the event.
__attribute__((visibility("hidden"))) void chcfuzz_event(const chcfuzz_site *site);
}

// `used` keeps a site whose code the optimizer removed, so that ordinals do not depend on the profile.
#define CHCFUZZ_EVENT(TAG, COND)                                                                       \
    do {                                                                                               \
        __attribute__((section("chcfuzz_sites"), used)) static chcfuzz_site chcfuzz_here = {           \
            __FUNCTION__, __FILE__, TAG, __LINE__, 0, 0, 0, 0};                                        \
        if (__builtin_expect(chcfuzz_here.enabled, 0) && (COND))                                       \
            chcfuzz_event(&chcfuzz_here);                                                              \
    } while (false)
