"""Checks of an outcome by itself, without the problem or a solver: its errors, answer, resources, cost and repetition.

A release build of Z3 turns failed UNREACHABLE and VERIFY checks into plain exceptions (`util/debug.cpp`,
`invoke_exit_action`), so a crash of a debug build looks like bad input here. The text of Z3's message distinguishes the
two: refusals of input that Spacer does not support are not findings. A command that dies from a signal is always a
finding. Its output is an exception only if it refers to the solver's own code: a failed assertion, or an uncaught
error. Everything else is a refusal.

The answer is compared with the promise of the chain: a mutant of a sat seed whose chain preserves sat must not be
unsat, and so on. The table is HornFuzz's (EASE 2023). `unknown` and `limit` are not answers, so they give no verdict.

Z3 only polls its limits (issues 599, 7247, 10417). Resources are checked by Z3's own count and never by a clock, so the
same execution gets the same verdict on any machine.

A process that has solved other systems before must answer like a fresh one.
"""

from __future__ import annotations

import re

from chcfuzz.oracles.verdict import ANSWER, CARRY_OVER, COST, ERRORS, RESOURCES, Verdict, VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.outcome import Outcome, Status

_FAILED = re.compile(
    r"^(unreachable|internal fatal|unknown)$"  # thrown by invoke_exit_action
    r'|: (unreachable|internal fatal|unknown)"\)$'  # the same while Z3 reads a script
    r"|ASSERTION VIOLATION|UNEXPECTED CODE|Failed to verify|unreachable"
    r"|[Oo]verflow|out of bounds|bad_alloc|invalid (iterator|pointer)"
    r"|[Ii]nvalid (proof|model|interpolant|lemma)"
)
# A tactic catches what a failed check throws in the search: the answer is `unknown`, for this reason.
_FAILED_IN_SEARCH = re.compile(r"^(unreachable|internal fatal)$")
# Messages of the script reader quote names of the input, which may be any text.
_OF_READER = re.compile(r'\(error "line \d+ column \d+: (?!(unreachable|internal fatal|unknown)"\)$)')

# Errors of Java and Scala, by their names or typical messages, then those of C++, C and Rust.
_OF_COMMAND = re.compile(
    r"^Exception in thread "
    r"|\b(java|scala)\.[\w.]*(Error|Exception)\b|\bassertion failed\b|\bnone\.get\b|\bkey not found: "
    r"|\(of class [\w.$]+\)|^Fatal failure within |^terminate called after |: Assertion `|^thread '[^']*' panicked at "
    r"|Internal witness validation failed|Verification of clause failed|ERROR: (Address|UndefinedBehavior)Sanitizer"
    r"|ASSERTION VIOLATION|UNEXPECTED CODE|Failed to verify: |\binternal (fatal )?error\b"
    r'|: (unreachable|internal fatal)"\)$',
    re.IGNORECASE,
)

_BEYOND = 10  # times the resource limit
_COSTLIER = 100  # times the seed's cost
_LEAST_COST = 10_000  # assumed for a cheaper seed, whose cost is mainly start-up
_OF_A_CLOCK = (Status.HANG, Status.LIMIT)  # or of memory: the other run need not reach the same limit


def errors(outcome: Outcome) -> Verdict:
    """Return a finding for a crash, or for an exception that reports a failed check inside the solver."""
    raised = f"Z3 raises: {outcome.reason}"
    if outcome.status is Status.CRASH:
        return Verdict(
            ERRORS.name, VerdictKind.CRASH, f"it {outcome.reason}", fault=FaultClass.DEATH.of(outcome.reason)
        )
    if has_failed_in_search(outcome):
        return Verdict(ERRORS.name, VerdictKind.EXCEPTION, raised, fault=FaultClass.Z3_RAISES.of(outcome.reason))
    if outcome.status is not Status.ERROR:
        return Verdict(ERRORS.name, VerdictKind.PASS)
    if outcome.command:
        failed = _OF_COMMAND.search(outcome.reason)
        kind = VerdictKind.EXCEPTION if failed else VerdictKind.UNDECIDED
        return Verdict(ERRORS.name, kind, f"it says: {outcome.reason}", fault=FaultClass.REPORTS.of(outcome.reason))
    if _FAILED.search(outcome.reason) and not _OF_READER.match(outcome.reason):
        return Verdict(ERRORS.name, VerdictKind.EXCEPTION, raised, fault=FaultClass.Z3_RAISES.of(outcome.reason))
    return Verdict(ERRORS.name, VerdictKind.UNDECIDED, f"Z3 refuses: {outcome.reason}")


def has_failed_in_search(outcome: Outcome) -> bool:
    """Return whether Z3 answers `unknown` because a check inside it has failed."""
    return outcome.status is Status.UNKNOWN and not outcome.command and bool(_FAILED_IN_SEARCH.search(outcome.reason))


def answer(expected: str | None, status: Status) -> Verdict:
    """Check an answer against `expected`, the answer that the chain still promises (None if it promises nothing)."""
    if not status.is_decided or expected is None:
        return Verdict(ANSWER.name, VerdictKind.UNDECIDED)
    if status.value == expected:
        return Verdict(ANSWER.name, VerdictKind.PASS)
    return Verdict(ANSWER.name, VerdictKind.WRONG_ANSWER, f"answers {status.value}, but {expected} is promised")


def resources(outcome: Outcome, rlimit: int) -> Verdict:
    """Report an execution far beyond its resource limit, or one that used all its memory (see `Spacer`)."""
    if outcome.status is Status.LIMIT and "out of memory" in outcome.reason:
        detail = f"takes all its memory at {outcome.cost} resource units"
        return Verdict(RESOURCES.name, VerdictKind.MEMORY, detail, fault=FaultClass.MEMORY)
    if outcome.cost > _BEYOND * rlimit:
        detail = f"counts {outcome.cost} resource units under a limit of {rlimit}"
        return Verdict(RESOURCES.name, VerdictKind.LIMIT, detail, fault=FaultClass.LIMIT)
    return Verdict(RESOURCES.name, VerdictKind.PASS)


def cost(outcome: Outcome, seed_cost: int) -> Verdict:
    """Report a mutant with its seed's models and parameters that costs a hundred times as much as the seed."""
    if outcome.cost >= _COSTLIER * max(seed_cost, _LEAST_COST):
        detail = f"costs {outcome.cost} resource units, its seed {seed_cost}"
        return Verdict(COST.name, VerdictKind.PERFORMANCE, detail, fault=FaultClass.COST)
    return Verdict(COST.name, VerdictKind.PASS)


def carry_over(fresh: Status, later: Status, number: int) -> Verdict:
    """Return CARRY_OVER if a process that had solved `number` other systems answers differently than a fresh one."""
    if fresh is later:
        return Verdict(CARRY_OVER.name, VerdictKind.PASS)
    if fresh in _OF_A_CLOCK or later in _OF_A_CLOCK:
        return Verdict(CARRY_OVER.name, VerdictKind.UNDECIDED, "a limit ended one of the two runs")
    after = f"{number} other system{'s' * (number != 1)} in the same process"
    detail = f"{later.value} after {after}, {fresh.value} in a process of its own"
    return Verdict(
        CARRY_OVER.name, VerdictKind.CARRY_OVER, detail, fault=FaultClass.CARRY_OVER.of(fresh.value, later.value)
    )
