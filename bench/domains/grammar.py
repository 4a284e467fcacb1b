"""Check the parser and the printer on real systems, and measure their speed.

Each file is parsed, printed and parsed again; Z3 compares every printed clause with the original one, and both Z3 and
cvc5 read the printed script.

    python -m bench.domains.grammar ../shared/benchmarks
    python -m bench.domains.grammar corpus --json grammar.json
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import quantiles

import cvc5
import z3
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printing.printer import print_clause, print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System

ROOT = Path(__file__).resolve().parents[2]
RLIMIT = 2_000_000  # Z3's resource limit for the comparison of two clauses


@dataclass
class Row:
    """Measurements of one file. `clauses` counts the results of comparing its clauses."""

    file: str
    kilobytes: float
    refused: str | None = None
    parse_ms: float = 0.0
    print_ms: float = 0.0
    reprint_ms: float = 0.0
    round_trip: bool = False
    z3_reads: bool = False
    cvc5_reads: bool = False
    clauses: dict[str, int] = field(default_factory=dict)


def measure(file: Path) -> Row:
    """Measure one file."""
    text = file.read_text()
    row = Row(file.name, len(text) / 1024)
    start = time.perf_counter()
    try:
        system = parse(text, file.name)
    except GrammarError as error:
        row.refused = str(error)
        return row
    parsed = time.perf_counter()
    printed = print_system(system)
    end = time.perf_counter()
    print_system(system)
    row.parse_ms, row.print_ms = 1000 * (parsed - start), 1000 * (end - parsed)
    row.reprint_ms = 1000 * (time.perf_counter() - end)
    again = parse(printed, "printed")
    row.round_trip = again == system and print_system(again) == printed
    row.z3_reads = _read_by_z3(printed) == len(system.clauses)
    row.cvc5_reads = _read_by_cvc5(printed) == len(system.clauses)
    row.clauses = dict(Counter(compare(text, system)))
    return row


def compare(text: str, system: System) -> list[str]:
    """Compare each printed clause with the original: "identical", "proved", "undecided" or "different".

    Both are read in one Z3 context, so that equal formulas are one object.
    """
    printed = "\n".join(print_clause(replace(clause, name=None)) for clause in system.clauses)
    context = z3.Context()
    if "(declare-rel" in text:  # Z3's older commands for rules, which parse_smt2_string does not read
        engine = z3.Fixedpoint(ctx=context)
        queries = engine.parse_string(text)
        originals = [*engine.get_rules(), *(z3.Not(query) for query in queries)]
        signature = "\n".join(line for line in print_system(system).splitlines() if line.startswith("(declare-"))
        copies = z3.parse_smt2_string(signature + printed, ctx=context)
    else:
        both = z3.parse_smt2_string(f"{text.replace('(exit)', '')}\n{printed}", ctx=context)
        originals, copies = both[: len(system.clauses)], both[len(system.clauses) :]
    if len(originals) != len(copies):
        return ["different"] * len(system.clauses)
    return [_relation(original, copy) for original, copy in zip(originals, copies, strict=True)]


def _relation(original: z3.BoolRef, copy: z3.BoolRef) -> str:
    if original.eq(copy):
        return "identical"
    answers = []
    for a, b in ((_opened(original), _opened(copy)), (original, copy)):
        solver = z3.SimpleSolver(ctx=original.ctx)
        solver.set("rlimit", RLIMIT)
        solver.add(a != b)
        answers.append(solver.check())
        if answers[-1] == z3.unsat:
            return "proved"
    return "different" if answers[-1] == z3.sat else "undecided"


def _opened(formula: z3.BoolRef) -> z3.BoolRef:
    """Replace the variables of the outermost universal quantifiers by constants of the same names."""
    while z3.is_quantifier(formula) and formula.is_forall():
        constants = [z3.Const(formula.var_name(i), formula.var_sort(i)) for i in reversed(range(formula.num_vars()))]
        formula = z3.substitute_vars(formula.body(), *constants)
    return formula


def _read_by_z3(text: str) -> int:
    """Return the number of assertions that Z3 reads."""
    return len(z3.parse_smt2_string(text, ctx=z3.Context()))


def _read_by_cvc5(text: str) -> int:
    """Return the number of assertions that cvc5 reads; it raises an error for a text that it rejects."""
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("parse-only", "true")
    solver.setOption("parsing-mode", "lenient")  # real systems have names such as @Fail!0, which SMT-LIB reserves
    solver.setOption("arrays-exp", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text.replace("(check-sat)", ""), "printed")
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, parser.getSymbolManager())
    return len(solver.getAssertions())


def table(rows: Sequence[Row]) -> str:
    """Return a summary of the rows as text."""
    read = [row for row in rows if row.refused is None]
    clauses = sum((Counter(row.clauses) for row in read), Counter())
    lines = [
        f"files          {len(rows)}",
        f"parsed         {len(read)}",
        f"refused        {len(rows) - len(read)}",
        *(f"               {row.refused}" for row in rows if row.refused),
        f"round trips    {sum(row.round_trip for row in read)}",
        f"read by Z3     {sum(row.z3_reads for row in read)}",
        f"read by cvc5   {sum(row.cvc5_reads for row in read)}",
        f"clauses        {clauses.total()}",
        *(f"  {kind:<13}{clauses[kind]}" for kind in ("identical", "proved", "undecided", "different")),
    ]
    if read:
        lines.append("milliseconds for each KB      median   90 %   99 %    max")
        for name in ("parse", "print", "reprint"):
            lines.append(f"  {name:<26}" + "".join(f"{q:7.2f}" for q in _quantiles(read, f"{name}_ms")))
    return "\n".join(lines)


def _quantiles(rows: Iterable[Row], name: str) -> tuple[float, float, float, float]:
    """Return the median, 90 %, 99 % and maximum of a time per KB."""
    values = sorted(getattr(row, name) / row.kilobytes for row in rows)
    if len(values) < 2:
        return (values[0],) * 4
    cuts = quantiles(values, n=100, method="inclusive")
    return cuts[49], cuts[89], cuts[98], values[-1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if a file was refused or a printed clause differs in meaning."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[ROOT / "corpus"], help="files and folders")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every row to FILE")
    options = parser.parse_args(arguments)
    files = [file for path in options.paths for file in (sorted(path.rglob("*.smt2")) if path.is_dir() else [path])]
    if not files:
        parser.error("no .smt2 file in these paths")
    parse("(set-logic HORN)(declare-fun p () Bool)(assert p)")  # builds the parser's tables before the measurement
    rows = []
    for file in files:
        rows.append(measure(file))
        if sys.stderr.isatty():
            print(f"{len(rows)}/{len(files)}", end="\r", file=sys.stderr, flush=True)
    print(table(rows))
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))
    good = all(
        row.round_trip and row.z3_reads and row.cvc5_reads and not {"different", "undecided"} & set(row.clauses)
        for row in rows
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
