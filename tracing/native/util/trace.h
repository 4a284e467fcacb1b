// Shadows Z3's util/trace.h (found first through -iquote): Z3's declarations, with other trace macros.
//
// A trace macro becomes an event (see chcfuzz_events.h). Its body is dropped, exactly as in a release
// build, so tracing never prints, allocates or steers the solver. The condition of CTRACE and SCTRACE is
// evaluated, but only while the site is enabled. Everything else (TRACE_CODE, is_trace_enabled, tout) is
// what a build without tracing sees; debug builds, which define _TRACE, are brought to the same.

#pragma once

#undef _TRACE
#include_next "util/trace.h"
#include "chcfuzz_events.h"

// Some conditions name what smt/old_interval.cpp and smt/smt_conflict_resolution.cpp declare in debug builds
// or in builds with text tracing alone.
#ifndef Z3DEBUG
#define contains_zero1 false
#define contains_zero2 false
#endif
#define invocation_counter 0u
#define DUMP_AFTER_NUM_INVOCATIONS 1u

#undef TRACE
#undef STRACE
#undef CTRACE
#undef SCTRACE

// #TAG is the tag's name where tags are an enumeration, and its name in quotes where they are strings.
#define TRACE(TAG, CODE) CHCFUZZ_EVENT(#TAG, true)
#define STRACE(TAG, CODE) CHCFUZZ_EVENT(#TAG, true)
#define CTRACE(TAG, COND, CODE) CHCFUZZ_EVENT(#TAG, COND)
#define SCTRACE(TAG, COND, CODE) CHCFUZZ_EVENT(#TAG, COND)
