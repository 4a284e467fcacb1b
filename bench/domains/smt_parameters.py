r"""Print the tables of `domains/smt/solvers/parameters.toml` from the installed wheels; run it for a newer wheel.

    python -m bench.domains.smt_parameters > new.toml
    python -m bench.domains.smt_parameters 'rewriter\.som.*'

With a pattern, the script tries only the parameters whose names it matches.
Each value is tried on small problems in a child process. A value that the solver refuses is left out, and so is one
that ends the process or leaves all problems undecided. Values that lead to a wrong answer are reported to the standard
error: either they change the meaning of the problem, and belong into `OMITTED`, or they are findings.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import bitwuzla
import cvc5
from chcfuzz.domains.smt.solvers.isolation import Isolated
from chcfuzz.domains.smt.solvers.selection import BITWUZLA, CVC5, SOLVERS, Z3, selected
from chcfuzz.execution.solving import Solving
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.solver_names import is_harmless
from chcfuzz.solvers.watchdog import Watchdog

NO_LIMIT = 2**32 - 1
RLIMIT = 300_000

# Reasons, each with a pattern of whole names.
OMITTED = {
    Z3: {
        "treats integers as reals": r"smt\.arith\.ignore_int",
        "drops axioms": r"smt\.(array\.(weak|extensional)|bv\.enable_int2bv)",
        "gives models that are not checked": r"smt\.candidate_models",
        "changes the meaning of a division by zero": r"rewriter\.hi_div0",
        "other theories": r"smt\.(ff|finite_set|seq|sls|pb|up)\..*|smt\.string_solver|rewriter\.coalesce_chars"
        r"|sat\.pb\..*"
        r"|rewriter\.hi_fp_unspecified",
        "affects only the output": r"smt\.arith\.(dump.*|print.*|rep_freq|epsilon|nl\.log|nl\.transcendental.*)",
        "not for solving": r"smt\.(core\..*|clause_proof|proof.*|mbqi\.(id|trace)|qi\.(profile.*|cost)|logic"
        r"|cube_depth)"
        r"|sat\.(drat\..*|dimacs\..*|inprocess\.out|core\..*|lookahead_scores|smt\.proof.*)",
        "depends on the schedule, or prints": r".*threads.*|.*local_search_dbg.*",
        "makes answers unknown": r".*(max_memory|max_steps|max_conflicts|restart\.max|qi\.max_instances)",
        "overrides checks of safety": r"sat\.override_incremental",
    },
    CVC5: {
        "changes the problem": r"global-negate|solve-(real-as-int|int-as-bv)",
        "assumes what need not hold": r"fmf-fun.*|fmf-mbqi|quant-fun-wd|dt-cyclic|cegis-.*",
        "other theories": r"sygus.*|strings-.*|re-.*|seq-.*|fp.*|ff.*|se[pt].*|bags|rels.*|mbqi-enum.*"
        r"|conjecture-gen.*",
        "restricts the language": r"(?!arrays).*-exp|oracles|ackermann|bitblast",
        "not for solving": r"proof-.*|.*partition.*|.*portfolio.*|replay.*|tptp.*|plugin.*|check-.*|prop-proof.*"
        r"|opt-res.*"
        r"|interpolants-mode|.*abduct.*|produce-(models|assertions|assignments|interpolants)|block-models.*"
        r"|model-(cores|u-print)",
        "limits": r".*timeout.*|tlimit.*|rlimit.*|r?eproducible.*|rweight|use-approx",
        "for the reader": r"parse.*|.*parsing.*|.*declarations|fresh-binders|term-sort-overload|.*checking"
        r"|semantic-checks",
        "for the program": r"help.*|copyright|version|show-.*|interactive.*|early-exit|segv-spin|preprocess-only"
        r"|safe-mode"
        r"|filesystem-access|force-.*|expr-depth|dag-thresh|filename|uf-ss-abort-card",
        "incomplete models": r"(default|condense|assign)-function-values?(-mode)?|abstract-values",
    },
    BITWUZLA: {
        "not for solving": r"log-level|verbosity|time-limit-per|memory-limit|nthreads|produce-models"
        r"|interpolants-.*|dbg-.*",
    },
}
# Parameters under which maintainers do not want findings at once, by their own descriptions.
EXPERIMENTAL = re.compile(
    r"sat\.(euf|smt|anf.*|abce|acce|bca|bce.*|cce|ddfw.*|local_search.*|prob_search|lookahead.*|reorder.*)"
    r"|smt\.(arith\.solver|bv\.solver|bv\.delay|induction|ho_.*|recfun_finder|term_enumeration|q\.lite|quasi_macros)"
    r"|smt\.(theory_case_split|theory_aware_branching|arith\.nl\.(monomial.*|expp|expensive_patching|tangents\..*))"
)
# Values of parameters that take a word, and of numbers whose description does not list them.
WORDS = {
    "sat.branching.heuristic": "chb",
    "sat.cardinality.encoding": "bimander ordered unate circuit",
    "sat.gc": "psm glue dyn_psm",
    "sat.local_search_mode": "qsat",
    "sat.lookahead.cube.cutoff": "freevars psat adaptive_freevars adaptive_psat",
    "sat.lookahead.reward": "ternary heule_schur heuleu unit",
    "sat.phase": "always_false always_true basic_caching random",
    "sat.restart": "static luby geometric",
    "smt.arith.solver": "2",
    "smt.bv.solver": "1 2",
    "smt.random_seed": "1 7 4711",
    "sat.random_seed": "1 7 4711",
    "seed": "1 7 4711",
    "sat-random-seed": "1 7",
    "random-freq": "0.1 1.0",
    "sat-solver": "minisat",
}
# Small problems of every theory, with their answers.
PROBLEMS = (
    ("sat", "(declare-fun x () (_ BitVec 8))(declare-fun y () (_ BitVec 8))(assert (bvult (bvmul x y) (bvudiv x y)))"),
    ("unsat", "(declare-fun x () (_ BitVec 8))(assert (bvult x (bvand x #x0f)))"),
    (
        "sat",
        "(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))(declare-fun i () (_ BitVec 4))"
        "(assert (= (select (store a i #x3) #x2) (bvnot (select a i))))",
    ),
    ("sat", "(declare-fun x () Int)(declare-fun f (Int) Int)(assert (= (f x) (+ x 3)))(assert (< (f x) (f 7)))"),
    (
        "unsat",
        "(declare-fun x () Int)(declare-fun y () Int)(assert (= (+ (* 2 x) (* 4 y)) 7))",
    ),
    (
        "unsat",
        "(declare-fun x () Int)(declare-fun y () Int)(assert (> x 2))(assert (> y 3))(assert (< (* x y) 12))",
    ),
    ("sat", "(declare-fun x () Real)(declare-fun y () Real)(assert (= (* x y) 2.0))(assert (> x y))(assert (> y 0.5))"),
    (
        "unsat",
        "(declare-datatype L ((nil) (cons (h Int) (t L))))(declare-fun l () L)"
        "(assert (= l (cons 1 l)))(assert ((_ is cons) l))",
    ),
    (
        "unsat",
        "(declare-sort U 0)(declare-fun g (U) U)(declare-fun u () U)(assert (forall ((z U)) (= (g z) u)))"
        "(assert (distinct (g (g u)) u))",
    ),
    (
        "sat",
        "(declare-fun f (Int) Int)(declare-fun p () Bool)(assert (forall ((z Int)) (=> (> z 0) (> (f z) 0))))"
        "(assert (or p (= (f 3) 2)))(assert (or (not p) (= (f 3) 4)))",
    ),
)


@dataclass(frozen=True)
class Row:
    solver: str
    group: str
    name: str
    default: str
    values: tuple[str, ...]


def of_z3() -> Iterator[Row]:
    """Yield the parameters that the `z3` of the wheel describes."""
    program = z3_release.active().executable
    assert program is not None
    text = subprocess.run([program, "-pd"], capture_output=True, text=True, check=True).stdout
    module = ""
    for line in re.sub(r"\n(?! {4}\w[\w.]* \(|\[module\])", " ", text).splitlines():
        if line.startswith("[module] "):
            module = line.removeprefix("[module] ").partition(",")[0].strip()
        found = re.match(
            r" {4}(?P<name>[\w.]+) \((?P<kind>[\w ]+)\)(?P<text>.*?)(?:\(default: (?P<default>[^)]*)\))?\s*$", line
        )
        if found and module in ("smt", "sat", "rewriter"):
            name, default = f"{module}.{found['name']}", found["default"] or ""
            group = "experimental" if EXPERIMENTAL.fullmatch(name) else "usual"
            yield Row(Z3, group, name, default, values(name, found["kind"], default, found["text"]))


def of_cvc5() -> Iterator[Row]:
    solver = cvc5.Solver(cvc5.TermManager())
    known: set[str] = set()
    for name in solver.getOptionNames():
        info = solver.getOptionInfo(name)
        if info["name"] in known or info.get("type") is None:
            continue
        known.add(info["name"])
        default = str(info["default"]).lower() if info["type"] is bool else str(info["default"])
        kind = "mode" if info["type"] == "mode" else info["type"].__name__
        options = values(info["name"], kind, default, " ".join(info.get("modes") or ()))
        yield Row(CVC5, info["category"].name.lower(), info["name"], default, options)


def of_bitwuzla() -> Iterator[Row]:
    options = bitwuzla.Options()
    for option in bitwuzla.Option:
        info = bitwuzla.OptionInfo(options, option)
        kind = info.kind().name.lower()
        default = str(info.dflt())
        text = " ".join(info.modes()) if kind == "mode" else ""
        yield Row(BITWUZLA, "usual", info.lng(), default.lower(), values(info.lng(), kind, default, text))


def values(name: str, kind: str, default: str, text: str) -> tuple[str, ...]:
    """Return values to try; `text` describes the parameter, or lists the words that it takes."""
    if kind == "bool":
        return ("false",) if default.lower() == "true" else ("true",)
    if name in WORDS:
        return tuple(WORDS[name].split())
    if kind == "mode":
        return tuple(word for word in text.split() if word != default)
    if kind in ("unsigned int", "int", "numeric"):
        listed = re.findall(r"\b(\d+) ?- ", text)
        number = int(default)
        usual = (0, 1, 10, 100) if number < 0 or number >= NO_LIMIT else (0, 1, 2, 2 * number)
        wanted = listed if len(listed) > 1 else list(map(str, usual))
        return tuple(value for value in dict.fromkeys(wanted) if value != default)
    if kind in ("double", "float"):
        fraction = float(default)
        return tuple(f"{value:.3f}" for value in (fraction / 2, fraction * 2) if value != fraction)
    return ()


def is_omitted(row: Row) -> bool:
    return any(re.fullmatch(pattern, row.name) for pattern in OMITTED[row.solver].values())


class Trial:
    """Tries values in a child process."""

    def __init__(self, solver: str) -> None:
        (one,) = selected([solver], SOLVERS)
        self._engine = Isolated(one, Solving(), Watchdog(3))

    def accepted(self, row: Row) -> tuple[str, ...]:
        return tuple(value for value in row.values if is_harmless(row.name, value) and self._works(row, value))

    def _works(self, row: Row, value: str) -> bool:
        decided = 0
        for expected, text in PROBLEMS:
            outcome = self._engine.solve(f"(set-logic ALL){text}(check-sat)", ((row.name, value),), RLIMIT)
            if outcome.left_out or outcome.status in (Status.CRASH, Status.HANG):
                self._reports(row, value, outcome.reason or "refused")
                return False
            decided += outcome.status.is_decided
            if outcome.status.is_decided and outcome.status.value != expected:
                self._reports(row, value, f"answers {outcome.status.value} for {text}")
                return False
        if not decided:
            self._reports(row, value, "decides nothing")
        return decided > 0

    @staticmethod
    def _reports(row: Row, value: str, what: str) -> None:
        print(f"{row.solver} {row.name}={value}: {what}", file=sys.stderr)


def table(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of the tables of these rows."""
    groups: dict[str, list[str]] = {}
    for row in sorted(rows, key=lambda row: row.name):
        line = ", ".join(f'"{value}"' for value in (row.default, *row.values))
        groups.setdefault(f"[{row.solver}.{row.group}]", []).append(f'"{row.name}" = [{line}]')
    for group in sorted(groups):
        yield from (group, *groups[group], "")


def main() -> None:
    pattern = sys.argv[1] if len(sys.argv) > 1 else ".*"
    z3_release.activate(None, None)
    for solver, rows in ((Z3, of_z3), (CVC5, of_cvc5), (BITWUZLA, of_bitwuzla)):
        trial = Trial(solver)
        kept = []
        for row in rows():
            if row.values and not is_omitted(row) and re.fullmatch(pattern, row.name):
                accepted = trial.accepted(row)
                if accepted:
                    kept.append(Row(row.solver, row.group, row.name, row.default, accepted))
        print("\n".join(table(kept)))


if __name__ == "__main__":
    main()
