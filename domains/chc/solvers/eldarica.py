"""Eldarica's options that change its solving, from its source code; a test compares them with Eldarica on PATH.

`eld -ssol` prints models as `define-fun`s.
"""

from __future__ import annotations

import re

from chcfuzz.domains.chc.solvers.derivation import derivation_in
from chcfuzz.solvers import solver_session
from chcfuzz.solvers.command_options import ON, Option
from chcfuzz.solvers.dialect import Accepted, Dialect

_MAIN = "src/main/scala/lazabs/Main.scala"

# Messages with which it refuses input, and messages that may precede an answer.
REFUSALS = re.compile(
    r"Combination of theories is not supported|[Uu]nsupported|not supported|not handled|Cannot eliminate|cannot handle"
)
COMPLAINTS = re.compile(r"^(Error|ERROR|WARNING|Warning)\b.*", re.MULTILINE)
CLOCK = re.compile(r"\bTIMEOUT$", re.MULTILINE)  # of -abstractTO: no abstraction was found within two seconds
# The abstraction of each loop head (AbstractionBuilder.scala), in the order of a hash table of objects.
UNORDERED = re.compile(r".*-\d+/\d+ \(\d+ clauses, \d+ templates\)$")

OPTIONS = (
    # Interpolation abstraction (Leroux, Ruemmer, Subotic: Guiding Craig interpolation, Acta Informatica 2016).
    Option("abstract", "relEqs2", ("off", "manual", "term", "oct", "relEqs", "relIneqs", "relIneqs2"), _MAIN),
    Option("splitClauses", "1", ("0", "2"), _MAIN),
    Option("disj", "off", (ON,), _MAIN),
    Option("lbe", "off", (ON,), _MAIN),
    Option("noSlicing", "off", (ON,), _MAIN),
    Option("noIntervals", "off", (ON,), _MAIN),
    Option("cex", "off", (ON,), _MAIN),
    Option("assert", "off", (ON,), _MAIN),
    # Not listed by `eld -h`.
    Option("solutionReconstruction", "cegar", ("wp",), _MAIN),
    Option("verifyInterpolants", "off", (ON,), _MAIN),
    Option("sym", "off", ("bfs", "dfs"), _MAIN, "another engine, which need not end"),
    Option("arrayQuans", "off", ("1", "2"), _MAIN, "an abstraction: its unsat may be spurious"),
    Option("cloneArrays", "off", (ON,), _MAIN, "needs separate theories for arrays that never meet"),
)

# The other options of `eld -h`, and the reasons why mutations do not vary them.
EXCLUDED = {
    "abstractPO": "runs in parallel: the first result wins",
    "abstractTO": "a clock",
    "conc": "another language",
    "dotCEX": "what is written out",
    "eogCEX": "what is written out",
    "fairNIASplitting": "older releases refuse it",
    "h": "the help",
    "heapSolver": "another theory",
    "hin": "another language",
    "hints": "needs a file",
    "horn": "SMT-LIB input chooses it",
    "hsmt": "the file name chooses it",
    "in": "the standard input",
    "ints": "another language",
    "log": "what is written out",
    "logPreds": "what is written out",
    "logSimplified": "what is written out",
    "logSimplifiedSMT": "what is written out",
    "m": "of programs",
    "p": "prints, and does not solve",
    "pHints": "what is written out",
    "pPredicates": "writes a file",
    "portfolio": "runs in parallel: the first result wins",
    "postHints": "needs a file",
    "scex": "what is written out; `cex` is built the same way",
    "sol": "what is written out",
    "sp": "prints, and does not solve",
    "ssol": "what is written out; a part of the command",
    "stac": "needs Yices 1: Eldarica starts it, and answers nothing where it is not there",
    "statistics": "what is written out",
    "symDepth": "makes answers unknown",
    "t": "a clock",
    "verifySolutions": "older releases refuse it; `assert` does it too",
}

DIALECT = Dialect(
    "eldarica",
    programs=("eld", "eldarica"),
    website="https://github.com/uuverifiers/eldarica",
    options=OPTIONS,
    witness=("-ssol", "-scex"),
    proof_in=derivation_in,
    log=("-log:3",),
    protocol=solver_session.ELDARICA,
    server="eld-server",
    accepted=Accepted((frozenset(("LIA", "LRA", "Arrays", "BV", "ADT")),)),
    refusals=REFUSALS,
    complaints=COMPLAINTS,
    clock=CLOCK,
    unordered=UNORDERED,
)
