"""Compare the answers of SMT solvers to files with those to chcfuzz's reading of the same files.

python -m bench.domains.as_written FOLDER --solver z3 --files 200
python -m bench.domains.as_written FOLDER --solver cvc5 --rows cvc5.jsonl

FOLDER is any tree of `.smt2` files, for example the regression tests of a solver. A file runs in the solver's own front
end, in a process of its own: the z3 program, the reader and interpreter of commands of cvc5, that of Bitwuzla. Then it
runs as a root without steps, as `chcfuzz replay` runs it. The last answers are compared; the other files are counted by
the reason. Each side has `--seconds`, and chcfuzz a hundred times the usual resources. The files are spread evenly over
the tree. Takes half a second for each file.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.domains.smt.solvers.selection import BITWUZLA, CVC5, SOLVERS, Z3
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solving import DEFAULT_RLIMIT, Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators import roots
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.solvers import process, python
from chcfuzz.solvers.z3_release import activate, active

from bench.campaigns import ResultFile, print_table

MOST_BYTES = 50_000
MEGABYTES = 4096
_ANSWER = re.compile(r"^(sat|unsat|unknown)\s*$", re.MULTILINE)
_ERROR = re.compile(r'\(error .*|.*(?:Exception|Error|error): .*|.*"\)$')
_DECIDED = ("sat", "unsat")
# The cvc5 program leaves `incremental` off, which scripts with several checks then switch on.
_CVC5 = """
import cvc5, sys
text = open(sys.argv[1]).read()
def run(incremental):
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("incremental", incremental)
    parser = cvc5.InputParser(solver)
    parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
    while not (command := parser.nextCommand()).isNull():
        print(command.invoke(solver, parser.getSymbolManager()), end="", flush=True)
        if command.getCommandName() == "exit":
            return
run("true" if text.count("(check-sat") > 1 else "false")
"""
_BITWUZLA = """
import bitwuzla, sys
bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options()).parse(sys.argv[1])
"""
_FRONT_ENDS = {CVC5: _CVC5, BITWUZLA: _BITWUZLA}


@dataclass(frozen=True)
class Row:
    """The last answer of each side to a file, and the reason for a missing one, which is empty."""

    file: str
    own: str
    own_reason: str
    read: str
    read_reason: str

    @property
    def verdict(self) -> str:
        """The result of the comparison in words."""
        if self.own in _DECIDED and self.read in _DECIDED:
            return "same" if self.own == self.read else "different"
        if self.own in _DECIDED:
            return f"chcfuzz: {_short(self.read_reason)}"
        return f"own: {_short(self.own_reason)}"


def _short(reason: str) -> str:
    without_places = re.sub(r"^(line|column|:|\d|\s|in )*|\d+", "", reason.partition("\n")[0])
    return without_places[:60] or "no answer"


def own_answer(solver: str, file: Path, seconds: float) -> tuple[str, str]:
    """Return the last answer of the solver's own front end to a file, or an empty one and the reason."""
    words: Sequence[str] = (str(active().executable), str(file))
    if solver in _FRONT_ENDS:
        words = python.command("-c", _FRONT_ENDS[solver], str(file))
    with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as folder:
        ended = process.run(words, seconds, MEGABYTES, Path(folder))
    answers = _ANSWER.findall(ended.out)
    if ended.stopped or (answers and answers[-1] in _DECIDED):
        return (answers[-1], "") if answers and not ended.stopped else ("", ended.stopped)
    errors = _ERROR.findall(ended.out) or _ERROR.findall(ended.err)
    return "", answers[-1] if answers else errors[-1] if errors else f"exit code {ended.code}"


def answer_to_reading(pipeline: Pipeline, text: str) -> tuple[str, str]:
    """Return the answer to a text as chcfuzz reads it, or an empty one and the reason."""
    try:
        pipeline.domain.roots.parse(text, "file")
    except ChcfuzzError as error:
        return "", f"not read: {getattr(error, 'what', error)}"
    mutant = pipeline.chains.apply(Recipe(text))
    if refusal := pipeline.solver.refused(mutant.problem):
        return "", refusal
    outcome = pipeline.solve(mutant.text, mutant.parameters)
    return outcome.status.value, f"{outcome.status.value}: {outcome.reason}"


def compared(solver: str, file: Path, pipeline: Pipeline, seconds: float) -> Row:
    """Return the answers of both sides to a file."""
    text = file.read_text(errors="replace")
    own, own_reason = own_answer(solver, file, seconds)
    return Row(str(file), own, own_reason, *answer_to_reading(pipeline, text))


def spread(folder: Path, number: int) -> Sequence[Path]:
    """Return at most `number` files of a tree, evenly spread, without large ones."""
    files = [file for file in sorted(folder.rglob("*.smt2")) if file.stat().st_size <= MOST_BYTES]
    return [files[place * len(files) // number] for place in range(min(number, len(files)))]


def main(arguments: list[str]) -> int:
    """Compare the answers, print the files with different ones, and the totals."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("folder", type=Path, metavar="FOLDER")
    flags.add_argument("--solver", choices=SOLVERS, default=Z3)
    flags.add_argument("--files", type=int, default=200, metavar="N")
    flags.add_argument("--seconds", type=float, default=10.0, metavar="S", help="for each side (default: 10)")
    flags.add_argument("--rows", type=Path, metavar="FILE", help="keep the rows in this file, and continue them")
    given: argparse.Namespace = flags.parse_args(arguments)
    activate()
    solving = Solving(
        domain="smt", solvers=(given.solver,), isolate=SOLVERS, rlimit=100 * DEFAULT_RLIMIT, wall_seconds=given.seconds
    )
    roots.activate(roots.load("smt").roots)
    pipeline = Pipeline(solving)
    kept = ResultFile(given.rows, Row)
    rows = {row.file: row for row in kept.read()}
    for file in spread(given.folder.resolve(), given.files):
        if str(file) not in rows:
            rows[str(file)] = compared(given.solver, file, pipeline, given.seconds)
            kept.add(rows[str(file)])
    for row in rows.values():
        if row.verdict == "different":
            print(f"{row.file}: own {row.own}, chcfuzz {row.read}")
    print_table([("verdict", "files"), *Counter(row.verdict for row in rows.values()).most_common()])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
