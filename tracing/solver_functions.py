"""Functions of a traced Z3 that a Horn system can reach, and those that were reached.

The compiler counts the entry of every function, so a function was reached if the edge of its entry was, or an edge of a
copy that was inlined. Functions without branches are left out, since no edge shows that an inlined copy ran.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Set
from pathlib import Path

import numpy as np
from chcfuzz.tracing.edges import Edges
from chcfuzz.tracing.solver_coverage import SourcePlace, load_address, places, symbolized
from numpy.typing import NDArray

FOLDERS = ("muz/spacer/", "muz/transforms/", "qe/mbp/")
_IS_ENTRY = 1  # flag of an edge in the compiler's table

# Files that `(check-sat)` of a Horn system hardly reaches under any `fp.*` parameter: the file, its guard, the reason.
GUARDS = (
    ("muz/spacer/spacer_callback.cpp", "Z3_fixedpoint_add_callback", "only callers of the API register one"),
    ("muz/spacer/spacer_legacy_frames.cpp", "nobody", "nothing calls it any more"),
    ("muz/spacer/spacer_legacy_mbp.cpp", "nobody", "spacer_util.cpp has another qe_project instead"),
    ("muz/spacer/spacer_legacy_mev.cpp", "nobody", "the two files above alone use it"),
    ("muz/transforms/dl_mk_array_instantiation.cpp", "xform.instantiate_arrays", "the HORN tactic refuses it"),
    ("muz/transforms/dl_mk_backwards.cpp", "nobody", "no engine registers it"),
    ("muz/transforms/dl_mk_karr_invariants.cpp", "context::karr", "is always false"),
    ("muz/transforms/dl_mk_loop_counter.cpp", "nobody", "no engine registers it"),
    ("muz/transforms/dl_mk_magic_sets.cpp", "datalog.magic_sets_for_queries", "the HORN tactic refuses it"),
    ("muz/transforms/dl_mk_magic_symbolic.cpp", "xform.magic", "the HORN tactic refuses it"),
    ("muz/transforms/dl_mk_quantifier_abstraction.cpp", "xform.quantify_arrays", "the HORN tactic refuses it"),
    ("muz/transforms/dl_mk_quantifier_instantiation.cpp", "quantifiers in bodies", "unsupported: Z3 issue 4712"),
    ("muz/transforms/dl_mk_scale.cpp", "xform.scale", "the HORN tactic refuses it"),
    ("muz/transforms/dl_mk_separate_negated_tails.cpp", "negated predicates in bodies", "are not Horn"),
    ("muz/transforms/dl_mk_synchronize.cpp", "nobody", "no engine registers it"),
    ("muz/transforms/dl_mk_unbound_compressor.cpp", "engine=datalog", "the Datalog engine alone registers it"),
    ("qe/mbp/mbp_euf.cpp", "uninterpreted functions", "Horn systems have predicates only"),
)
# Functions in reached files that `(check-sat)` of a Horn system never calls: a pattern, and the callers.
UNCALLED = (
    (
        r"spacer::\w+::(add_cover|get_cover_delta|add_constraint|get_constraints|query_from_lvl|get_reachable"
        r"|get_ground_sat_answer|get_rules_along_trace)\(",
        "callers of the fixedpoint API",
    ),
    (r"(mbp|spacer)::\w+::(display|display_dot|dump_farkas_stats)\(", "developers who debug Z3: they print"),
    (
        r"mbp::arith_project(_plugin::(imp::)?(maximize|optdefs2mbpdef|from_def|apply_projection|set_\w+))?\(",
        "optimization, and quantifier elimination with definitions",
    ),
    (
        r"mbp::\w+_project_plugin::(imp::)?(saturate|assert_\w+|add_array|add_index_sort|for_each_store_proc)\b"
        r"|mbp::array_project_plugin::imp::for_each_index_proc",
        "interpolation of formulas (qe/qe_mbi.cpp)",
    ),
    (
        r"mbp::datatype_project_plugin::((imp::)?project1|imp::(project_(non)?rec|reduce|solve))\(",
        "none: the term graph has already eliminated data types (qe/qe_mbp.cpp, spacer_qel)",
    ),
    (
        r"mbp::term_graph::(projector\b|project\(|solve\(|dcert|get_partition|shared_occurrences|rep_of"
        r"|set_vars\(ref_vector<func_decl|add_model_based_terms|get_ackerman_disequalities|compute_cground)",
        "interpolation of formulas, and projection of uninterpreted functions (mbp_euf.cpp)",
    ),
)

_UNCALLED = re.compile("|".join(pattern for pattern, _ in UNCALLED))


def edge_table(edges: Edges, library: Path) -> NDArray[np.int64]:
    """Return (n, 2): the address of each edge in the library's file, and 1 at the entry of a function with branches.

    The library is loaded in this process.
    """
    return edge_table_of(edges, load_address(library))


def edge_table_of(edges: Edges, load_address: int) -> NDArray[np.int64]:
    """Return the table for the address at which the library is loaded."""
    enters = edges.pcs[:, 1] & _IS_ENTRY != 0
    branches = enters & ~np.append(enters[1:], True)  # the edges of a function follow its entry
    addresses = edges.pcs[:, 0].astype(np.int64) - load_address
    return np.stack([addresses, branches.astype(np.int64)], axis=1)


def reachable(library: Path, entries: Iterable[int]) -> list[SourcePlace | None]:
    """Return the function at each entry that checks of Horn systems can call, as far as is known; None for others.

    Files are named from the folder `src` of Z3 on. Raises `CoverageError` if LLVM's symbolizer is missing or fails.
    """
    return [_of_horn(place) for place in places(library, np.fromiter(entries, np.uintp))]


def inlined(library: Path, edges: Iterable[int]) -> frozenset[SourcePlace]:
    """Return the lines at these edges of functions that are inlined there; `function` is without its class.

    Raises `CoverageError` as `reachable` does.
    """
    found = symbolized(library, np.fromiter(edges, np.uintp), "--inlines")
    frames = (frame for frames in found for frame in frames[:-1])
    return frozenset(
        SourcePlace(frame.function_name, _in_sources(os.path.realpath(frame.file_name)), frame.line) for frame in frames
    )


def never_reached(library: Path, table: NDArray[np.int64], reached: NDArray[np.bool_]) -> list[SourcePlace]:
    """Return the functions that systems can reach and no execution did, by file and line.

    `table` is that of `edge_table`, `reached` (n,) are the edges that were counted. Raises `CoverageError` as
    `reachable` does.
    """
    enters = table[:, 1] > 0
    entered = frozenset(filter(None, reachable(library, table[reached & enters, 0])))
    others = frozenset(filter(None, reachable(library, table[~reached & enters, 0])))
    inside = with_lines(entered | others, inlined(library, table[reached & ~enters, 0]))
    return sorted(others - entered - inside, key=lambda place: (place.file, place.line, place.function))


def with_lines(functions: Set[SourcePlace], lines: Set[SourcePlace]) -> frozenset[SourcePlace]:
    """Return the functions that have one of the `inlined` lines.

    Debug information has only the names of such functions, so a line belongs to the last function before it with its
    name in its file.
    """
    starts: dict[tuple[str, str], list[SourcePlace]] = defaultdict(list)
    for function in sorted(functions, key=lambda function: function.line):
        starts[function.file, function.name.rpartition("::")[2]].append(function)
    found = set()
    for line in lines:
        before = [function for function in starts[line.file, line.function] if function.line <= line.line]
        found.update(before[-1:])
    return frozenset(found)


def _in_sources(file: str) -> str:
    """Return the name of a file from the folder `src` of Z3 on."""
    return file.rpartition("/src/")[2]


def _of_horn(place: SourcePlace | None) -> SourcePlace | None:
    if place is None:
        return None
    file = _in_sources(place.file)
    guarded = any(Path(file).with_suffix(".cpp") == Path(name) for name, _, _ in GUARDS)
    if not file.startswith(FOLDERS) or guarded or _UNCALLED.search(place.function):
        return None
    return SourcePlace(place.function, file, place.line)
