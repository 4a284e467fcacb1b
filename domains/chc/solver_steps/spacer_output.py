r"""The steps of Spacer in its own output, which has one format from 4.8.12 on (`src/muz/spacer/spacer_context.cpp`).

The progress log (`fp.spacer.trace_file`) has the formulas::

    ** expand-pob: Start level: 1 depth: 0 exprID: 583 pobID: 1
    (and (= Start_2_n 16) (= Start_0_n 0))

    ** add-lemma: 1 exprID: 3706 pobID: 583
    Start
    (or (not (= Start_2_n 16)) (< Start_0_n 0))

Only a build with `tracing/native/facts.patch` logs the facts of the run itself; auxiliary variables are quantified::

    ** add-fact: Start
    (exists ((aux!1 Int)) (and (= Start_2_n aux!1) (= Start_0_n 0)))

`pobID` of an obligation is the expression of its parent, that of a lemma the expression of the obligation for which it
was made; several predicates may share one, as `true` is expression 1 of each. After `Propagating`, lemmas are raised,
until the next obligation.

Verbosity 2 shows how each obligation was made: `create_child: Start (1, 0) FAR 583 U`. With `U` or `X` a full model was
projected. With `UNDEF` the model is that of an abstraction (`fp.spacer.weak_abs`), and the obligation is a guess.
`CONJ` and `SUBS` mark guesses of `fp.spacer.global`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chcfuzz.domains.chc.solver_steps.steps import Lemma, Obligation, ReachFact, SolverStep, level_of

FACT = "** add-fact: "
_EVENT = re.compile(
    r"^\*\* expand-pob: (?P<pob>.*?)(?P<mark> CONJ| SUBS| CONJ SUBS)? level: (?P<plevel>\d{1,9}|oo) depth: \d+ "
    r"exprID: (?P<expression>\d+) pobID: (?P<parent>\S+)$"
    r"|^\*\* add-lemma: (?P<level>\d{1,9}|oo) exprID: \d+ pobID: (?P<blocked>\S+)\n(?P<of>.*)$"
    rf"|^{re.escape(FACT)}(?P<fact>.*)$"
    r"|^\* LEVEL \d+$|^(?P<propagates>Propagating)$",
    re.MULTILINE,
)
_CHILD = re.compile(r"create_child: (?P<of>.*?) \(\d+, \d+\) (?:FAR|SUB) (?P<expression>\d+)(?: (?P<how>[A-Z]+))?")
_EXACT = ("U", "X")
_OF_EVENT = re.compile(r"^\*.*\n|^.*\b(?:expand-pob|add-lemma|add-fact): .*\n", re.MULTILINE)
_OF_CHILD = re.compile(r"^.*create_child: .*\n", re.MULTILINE)


def broken_line(log: str, printed: str) -> str:
    """Return a line of a step that other output broke; empty without one.

    The step would be missing, and with it the numbers of all later steps would be others. A last line without its end
    is cut, and no step follows it.
    """
    events = iter(_EVENT.finditer(log))
    event = next(events, None)
    for line in _OF_EVENT.finditer(log):
        while event is not None and event.end() <= line.start():
            event = next(events, None)
        if event is None or line.start() < event.start():
            return line[0].strip()
    return next((line[0].strip() for line in _OF_CHILD.finditer(printed) if not _CHILD.search(line[0])), "")


def steps_in(log: str, printed: str) -> Iterator[SolverStep]:
    """Yield the steps of a progress log; `printed` is the output at verbosity 2 of the same run."""
    how: dict[tuple[str, str], set[str]] = {}
    for child in _CHILD.finditer(printed):
        how.setdefault((child["of"], child["expression"]), set()).add(child["how"] or "")
    known: dict[str, dict[str, str]] = {}  # by the number of the expression: predicate and formula
    is_pushed = False
    matches = list(_EVENT.finditer(log))
    ends = [*(match.start() for match in matches[1:]), len(log)]
    for match, end in zip(matches, ends, strict=False):
        formula = log[match.end() : end].partition("\nBindings:")[0].strip()
        is_pushed = match["propagates"] is not None or (is_pushed and match["of"] is not None)
        if match["of"] is not None:
            blocked = known.get(match["blocked"], {}).get(match["of"], "")
            yield Lemma(match["of"], level_of(match["level"]), formula, blocked, is_pushed)
        elif match["pob"] is not None:
            predicate, expression = match["pob"], match["expression"]
            ways = how.get((predicate, expression), set())
            is_exact = match["mark"] is None and bool(ways) and ways.issubset(_EXACT)
            parents = tuple(known.get(match["parent"], {}).items())
            yield Obligation(predicate, level_of(match["plevel"]), formula, parents, is_exact)
            known.setdefault(expression, {})[predicate] = formula
        elif match["fact"] is not None:
            yield ReachFact(match["fact"], formula)
