"""Checks a traced build: `python self_check.py PREFIX PROFILE`, with the standard library alone.

Loads PREFIX/lib/libz3.so with the bindings that were generated beside it, solves two systems, and shows events and
edge counters; runs PREFIX/bin/z3 on the same systems. Exits with status 0, or with one line that describes the fault.
"""

import builtins
import ctypes
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

TWO_STEPS = """
(declare-fun reached (Int) Bool)
(assert (forall ((n Int)) (=> (= n 0) (reached n))))
(assert (forall ((n Int) (m Int)) (=> (and (reached n) (= m (+ n 2)) (< n 10)) (reached m))))
(assert (forall ((n Int)) (=> (and (reached n) {goal}) false)))
"""
GOAL_OUT_OF_REACH, GOAL_IN_REACH = "(> n 11)", "(> n 8)"
GOLDEN = 0x9E3779B97F4A7C15
MASK = 2**64 - 1


class SiteStruct(ctypes.Structure):
    """`chcfuzz_site` of chcfuzz_events.h."""

    _fields_ = (
        ("function", ctypes.c_char_p),
        ("file", ctypes.c_char_p),
        ("tag", ctypes.c_char_p),
        ("line", ctypes.c_uint32),
        ("ordinal", ctypes.c_uint32),
        ("number", ctypes.c_uint32),
        ("enabled", ctypes.c_uint32),
        ("identity", ctypes.c_uint64),
    )


class TraceStruct(ctypes.Structure):
    """`chcfuzz_trace` of chcfuzz_events.h."""

    _fields_ = (
        ("total", ctypes.c_uint64),
        ("hash", ctypes.c_uint64),
        ("previous", ctypes.c_uint64),
        ("capacity", ctypes.c_uint32),
        ("slots", ctypes.c_uint32),
        ("touched_count", ctypes.c_uint32),
        ("events", ctypes.POINTER(ctypes.c_uint32)),
        ("transitions", ctypes.POINTER(ctypes.c_uint32)),
        ("touched", ctypes.POINTER(ctypes.c_uint32)),
    )


class EdgesStruct(ctypes.Structure):
    """`chcfuzz_edges` of chcfuzz_events.h."""

    _fields_ = (
        ("counters_start", ctypes.c_void_p),
        ("counters_stop", ctypes.c_void_p),
        ("table_start", ctypes.c_void_p),
        ("table_stop", ctypes.c_void_p),
    )


def require(condition: bool, complaint: str) -> None:
    """Exit with the complaint unless the condition holds."""
    if not condition:
        sys.exit(f"self-check: {complaint}")


def load_bindings(prefix: Path) -> Any:
    """Return the build's own z3 module with the build's own library; `Z3_LIB_DIRS` excludes all others."""
    builtins.Z3_LIB_DIRS = [str(prefix / "lib")]  # type: ignore[attr-defined]
    sys.path.insert(0, str(prefix / "python"))
    # Bindings of 4.8 query setuptools for a folder that Z3_LIB_DIRS overrides; new setuptools lacks the module.
    resources = types.ModuleType("pkg_resources")
    resources.resource_filename = lambda *_: str(prefix / "lib")  # type: ignore[attr-defined]
    sys.modules.setdefault("pkg_resources", resources)
    import z3

    return z3


def loaded_from(path: Path) -> bool:
    """Return whether this file is mapped into the process."""
    return any(line.rstrip().endswith(str(path)) for line in Path("/proc/self/maps").read_text().splitlines())


def check_text(z3: Any) -> None:
    """Check that Z3's own traces are written to a file in the current folder."""
    z3.enable_trace("spacer")
    solver = z3.SolverFor("HORN", ctx=z3.Context())
    solver.from_string(TWO_STEPS.format(goal=GOAL_OUT_OF_REACH))
    solver.check()
    text = Path(".z3-trace").read_text(errors="replace")
    require("[spacer]" in text, "no text trace of spacer in .z3-trace")
    print(f"text      {len(text)} characters")


def check_program(program: Path) -> None:
    """Check that the z3 program answers as the library does."""
    goals = ((GOAL_OUT_OF_REACH, "sat"), (GOAL_IN_REACH, "unsat"))
    for goal, expected in goals:
        text = f"(set-logic HORN){TWO_STEPS.format(goal=goal)}(check-sat)"
        done = subprocess.run([program, "-in"], input=text, capture_output=True, text=True, check=False)
        require(done.stdout.strip() == expected, f"{program}: {done.stdout}{done.stderr}, not {expected}")
    print(f"program   {program}")


def main(prefix: Path, profile: str) -> None:
    """Run the check and print the results."""
    z3 = load_bindings(prefix)
    library = ctypes.CDLL(str(prefix / "lib" / "libz3.so"))  # the one that z3 has loaded
    require(loaded_from((prefix / "lib" / "libz3.so").resolve()), "another libz3.so was loaded")
    print(f"library   {prefix}/lib/libz3.so, {z3.get_full_version()}")
    check_program(prefix / "bin" / "z3")
    if profile == "text":
        check_text(z3)
        return

    library.chcfuzz_get_sites.restype = ctypes.POINTER(SiteStruct)
    library.chcfuzz_get_trace.restype = ctypes.POINTER(TraceStruct)
    library.chcfuzz_get_edges.restype = EdgesStruct
    count = ctypes.c_uint32()
    table = library.chcfuzz_get_sites(ctypes.byref(count))
    sites = [table[i] for i in range(count.value)]
    identities = {site.identity for site in sites}
    require(len(sites) > 1000, f"only {len(sites)} trace sites")
    require(len(identities) == len(sites), "two sites share an identity")
    print(f"sites     {len(sites)}, {len({site.tag for site in sites})} tags")

    trace = library.chcfuzz_get_trace().contents
    require(library.chcfuzz_enable(b"spacer", 1) > 0, "no site has the tag 'spacer'")
    edges = library.chcfuzz_get_edges()
    counters = (edges.counters_stop or 0) - (edges.counters_start or 0)
    require((counters > 0) == (profile != "coverage"), f"{counters} edge counters in profile {profile}")
    require(counters * 16 == (edges.table_stop or 0) - (edges.table_start or 0), "counters and PC table differ")

    hashes = []
    for goal, expected in ((GOAL_OUT_OF_REACH, "sat"), (GOAL_IN_REACH, "unsat"), (GOAL_OUT_OF_REACH, "sat")):
        library.chcfuzz_reset()
        if counters:
            ctypes.memset(edges.counters_start, 0, counters)
        solver = z3.SolverFor("HORN", ctx=z3.Context())
        solver.from_string(TWO_STEPS.format(goal=goal))
        answer = str(solver.check())
        require(answer == expected, f"n in 0, 2 .. 10 with goal {goal}: {answer}, not {expected}")
        require(0 < trace.total <= trace.capacity, f"{trace.total} events")
        recomputed = 0
        for number in trace.events[: trace.total]:
            rotated = (recomputed << 5 | recomputed >> 59) & MASK
            recomputed = (rotated ^ sites[number].identity) * GOLDEN & MASK
        require(recomputed == trace.hash, "the hash is not that of the events")
        counted = sum(trace.transitions[slot] for slot in trace.touched[: trace.touched_count])
        require(counted == trace.total, f"{counted} transitions counted for {trace.total} events")
        reached = counters - ctypes.string_at(edges.counters_start, counters).count(0) if counters else 0
        require((reached > 0) == (counters > 0), "no edge was reached")
        hashes.append(trace.hash)
        print(
            f"{answer:9} {trace.total} events, {trace.touched_count} transitions, hash {trace.hash:016x}, "
            f"{reached} of {counters} edges"
        )
    require(hashes[0] == hashes[2] != hashes[1], "the hash does not distinguish the two systems, or is not stable")
    last = sites[trace.events[trace.total - 1]]
    print(f"last      {last.function.decode()} in {last.file.decode()}:{last.line}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), sys.argv[2])
