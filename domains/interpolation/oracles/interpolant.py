"""Check interpolants by their definition, with Z3 in a fresh context for each implication.

The interpolant of a cut may only have symbols that both of its sides share. The interpolants directly below a group,
together with the group, must imply the interpolant above it; below the last group and its axioms they must imply false.
For a pair, that is: A implies I, and I contradicts B. An implication fails if our evaluator finds values at which it is
false, or if cvc5 finds it false, too. Where Z3 does not decide, other paths with the same prefix are tried
(`another_path`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import z3
from chcfuzz.domains.interpolation.oracles.another_path import not_refuted
from chcfuzz.domains.interpolation.oracles.evidence import implication_script, symbol_script, text_script
from chcfuzz.domains.interpolation.solvers.quick_z3 import Queries
from chcfuzz.domains.smt.oracles import model as smt_model
from chcfuzz.grammar.errors import ChcfuzzError, GrammarError, Refusal
from chcfuzz.grammar.interpolation.grouped import Interpolation, symbols_of
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.reading.shared_terms import ambiguous_name
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import FALSE, TRUE, Term, negation
from chcfuzz.oracles import left_open, second_solver
from chcfuzz.oracles.verdict import EVALUATOR, INTERPOLANT, INTERPOLANT_BY_CVC5, Verdict, VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.outcome import Outcome, Status, texts_of
from chcfuzz.solvers.watchdog import Watchdog

RLIMIT = 500_000  # for each implication
_FOR_OTHER_PATHS = 10  # the share of this limit that each query about another path gets
MOST_LENGTH = 1_000_000  # characters of an interpolant
_WORD = re.compile(r"\|[^|]*\||[^\s()|]+")
_OLD = re.compile(r"\(_ nat2bv (\d+)\)")
EXTENSIONS = ("@diff", "@/0", "@div0", "@mod0")  # functions that SMTInterpol adds to the theories
# Princess adds the size of a value to the theory of data types: its reader takes `(_size x)`. `Rat_denom`, the
# denominator of its encoding of Reals, is not such a function: its own reader refuses the symbol.
SYMBOLS = frozenset(("_size",))
# Bitwuzla's news of 0.9.0: interpolants over floats, which are experimental, may have these functions of its own. The
# news lacks the last one, a rounding mode.
COMPONENTS = frozenset(f"fp.symfpu_{part}" for part in ("exp", "sig", "sign", "inf", "nan", "zero", "rm"))


@dataclass(frozen=True)
class Implication:
    """A condition on interpolants: the premises imply the conclusion. `cut` counts from 1.

    `message` describes a failure, and `fault` is its class.
    """

    cut: int
    message: str
    fault: FaultClass
    premises: tuple[Term, ...]
    conclusion: Term

    def problem(self, of: Problem) -> Problem:
        """Return the problem that has a model if and only if the implication is wrong."""
        terms = (*self.premises, *(() if self.conclusion is FALSE else (negation(self.conclusion),)))
        return replace(of, assertions=tuple(map(Assertion, terms)), info=(), options=())

    @property
    def is_evident(self) -> bool:
        """Whether the implication holds by its form, so that it needs no solver."""
        return self.conclusion is TRUE or FALSE in self.premises or self.conclusion in self.premises


@dataclass(frozen=True)
class Checker:
    """Checks outcomes of interpolating solvers; each implication gets `rlimit` units of Z3."""

    watchdog: Watchdog
    rlimit: int = RLIMIT

    def check(self, interpolation: Interpolation, outcome: Outcome) -> Verdict:
        """Return the first fault of the interpolants; UNDECIDED without interpolants, or if an implication is open."""
        if outcome.status is not Status.UNSAT:
            return _undecided("no interpolants")
        texts = texts_of(outcome)
        if len(texts) != interpolation.cuts:
            what = f"{len(texts)} interpolants instead of {interpolation.cuts}"
            return Verdict(INTERPOLANT.name, VerdictKind.UNREADABLE, what, fault=FaultClass.NUMBER)
        interpolants: list[Term] = []
        for number, text in enumerate(texts):
            found = read(interpolation, number, text)
            if isinstance(found, Verdict):
                return found
            interpolants.append(found)
        return self._checked(interpolation, interpolants)

    def check_with_cvc5(self, interpolation: Interpolation, outcome: Outcome) -> Verdict:
        """Return a fault that cvc5 finds and our evaluator confirms; PASS without one, even if cvc5 does not decide."""
        interpolants = [read(interpolation, number, text) for number, text in enumerate(texts_of(outcome))]
        if any(isinstance(each, Verdict) for each in interpolants) or len(interpolants) != interpolation.cuts:
            return _undecided("interpolants that are not read", INTERPOLANT_BY_CVC5.name)
        terms = [each for each in interpolants if not isinstance(each, Verdict)]
        for implication in implications(interpolation, terms):
            problem = implication.problem(interpolation.problem)
            printed = second_solver.output(f"(set-option :produce-models true)\n{print_problem(problem)}(get-model)\n")
            if second_solver.answers_in(printed) != ("sat",) or left_open.in_terms(*problem.formulas):
                continue
            model = printed.partition("sat")[2]
            if smt_model.check_text(problem, model).kind is VerdictKind.PASS:
                detail = f"cut {implication.cut} of {interpolation.cuts}: {implication.message}"
                script = implication_script(interpolation, terms, implication.cut, problem, detail)
                kind, judges = VerdictKind.WRONG_INTERPOLANT, (EVALUATOR, "cvc5")
                return Verdict(INTERPOLANT_BY_CVC5.name, kind, detail, script, judges, fault=implication.fault)
        return Verdict(INTERPOLANT_BY_CVC5.name, VerdictKind.PASS)

    def _checked(self, interpolation: Interpolation, interpolants: Sequence[Term]) -> Verdict:
        foreign = _foreign(interpolation, interpolants)
        if foreign is not None:
            return foreign
        undecided = []
        for implication in implications(interpolation, interpolants):
            if implication.is_evident:
                continue
            verdict = self._implied(interpolation, interpolants, implication)
            if verdict.kind.is_finding:
                return verdict
            if verdict.kind is VerdictKind.UNDECIDED:
                undecided.append(verdict.detail)
        return _undecided("; ".join(undecided)) if undecided else Verdict(INTERPOLANT.name, VerdictKind.PASS)

    def _implied(self, interpolation: Interpolation, interpolants: Sequence[Term], implication: Implication) -> Verdict:
        problem, queries = implication.problem(interpolation.problem), Queries(self.watchdog, self.rlimit)
        answer, model = queries.answer(problem)
        if answer == "unsat":
            return Verdict(INTERPOLANT.name, VerdictKind.PASS)
        detail = f"cut {implication.cut} of {interpolation.cuts}: {implication.message}"
        if answer != "sat":
            return self._on_another_path(interpolation, interpolants, implication, detail, answer)
        if left_open.in_terms(*problem.formulas):
            problem = left_open.closed_problem(problem)
            answer, model = queries.answer(problem)
            if answer != "sat":
                return _undecided(f"{detail}: it depends on a value that SMT-LIB leaves open")
        script = implication_script(interpolation, interpolants, implication.cut, problem, detail)
        return _confirmed(problem, model, detail, implication.fault, script)

    def _on_another_path(
        self,
        interpolation: Interpolation,
        interpolants: Sequence[Term],
        implication: Implication,
        detail: str,
        answer: str,
    ) -> Verdict:
        """Return a fault that another path with the same prefix shows; UNDECIDED without one."""
        undecided = _undecided(f"{detail}: Z3 answers {answer}")
        if implication.conclusion is FALSE:
            return undecided
        _, rest = interpolation.sides(implication.cut - 1)
        plain, queries = interpolation.problem, Queries(self.watchdog, self.rlimit // _FOR_OTHER_PATHS)
        found = not_refuted(plain, implication.premises, rest, implication.conclusion, queries.answer)
        if found is None or left_open.in_terms(*found[0].formulas):
            return undecided
        path, model = found
        words = f"{detail}: A and another path that it contradicts have a model"
        script = implication_script(interpolation, interpolants, implication.cut, path, words)
        return _confirmed(path, model, detail, implication.fault, script)


def _confirmed(problem: Problem, model: str, detail: str, fault: FaultClass, script: str) -> Verdict:
    """Return the verdict on an implication that Z3 finds false under a model."""
    evaluated = smt_model.check_text(problem, model).kind
    cvc5 = second_solver.answers(script)
    judges = ((EVALUATOR,) if evaluated is VerdictKind.PASS else ()) + (("cvc5",) if cvc5 == ("sat",) else ())
    if not judges or cvc5 == ("unsat",):
        return _undecided(f"{detail}: Z3 finds a model, which our evaluator or cvc5 does not confirm")
    return Verdict(INTERPOLANT.name, VerdictKind.WRONG_INTERPOLANT, detail, script, (*judges, "Z3"), fault=fault)


def implications(interpolation: Interpolation, interpolants: Sequence[Term]) -> Iterator[Implication]:
    """Yield the conditions on the interpolants of a problem, one for each group."""
    last = len(interpolation.groups) - 1
    for group in range(last + 1):
        below = interpolation.children(group)
        premises = [*(interpolants[cut] for cut in below), *interpolation.group(group)]
        if group == last:
            premises += interpolation.axiom_formulas
            message = f"it does not contradict the {'side B' if len(below) == 1 else 'last group'}"
            yield Implication(max(below) + 1, message, FaultClass.NOT_CONTRADICTING, tuple(premises), FALSE)
        else:
            message = f"it is not implied by {'its group and the interpolants below' if below else 'A'}"
            yield Implication(group + 1, message, FaultClass.NOT_IMPLIED, tuple(premises), interpolants[group])


def read(interpolation: Interpolation, cut: int, text: str) -> Term | Verdict:
    """Return the interpolant that a text states, or the verdict on a text that is not read; `cut` counts from 0."""
    where = f"cut {cut + 1} of {interpolation.cuts}"
    if len(text) > MOST_LENGTH:
        return _undecided(f"{where}: an interpolant of {len(text)} characters; {MOST_LENGTH} are read")
    if name := ambiguous_name(text, interpolation.problem.declared_names):
        return _undecided(f"{where}: the printed interpolant may bind the constant {name}")
    try:
        term = parse_term(_OLD.sub(r"(_ int_to_bv \1)", text), (), interpolation.problem, "interpolant")
    except ChcfuzzError as error:
        return _unread(interpolation, cut, text, error)
    if term.sort is not BOOL:
        what = f"{where}: the interpolant has sort {term.sort}"
        script, fault = text_script(interpolation, text, what), FaultClass.WRONG_SORT.of(term.sort)
        return Verdict(INTERPOLANT.name, VerdictKind.UNREADABLE, what, script, fault=fault)
    return term


def _unread(interpolation: Interpolation, cut: int, text: str, error: ChcfuzzError) -> Verdict:
    """Return the verdict on a text that our reader refuses: a finding if Z3 and cvc5 refuse it, too."""
    where = f"cut {cut + 1} of {interpolation.cuts}"
    what, symbol, refusal = str(error), "", Refusal.OTHER
    if isinstance(error, GrammarError):
        what, symbol, refusal = error.what, error.text, error.refusal
    script = text_script(interpolation, text, f"{where}: the interpolant is not read: {what}")
    if symbol in COMPONENTS and (foreign := _one_sided(interpolation, cut, text)):
        detail = f"{where}: the interpolant has a symbol of one side, `{foreign}`"
        return Verdict(INTERPOLANT.name, VerdictKind.FOREIGN_SYMBOL, detail, script, fault=FaultClass.ONE_SIDED)
    if any(extension in text for extension in EXTENSIONS) or symbol in SYMBOLS | COMPONENTS or _is_read(script):
        return _undecided(f"{where}: the interpolant is not read here: {what} {symbol}")
    if refusal is Refusal.UNKNOWN:
        detail = f"{where}: the interpolant has a symbol of the solver's own, `{symbol}`"
        fault = FaultClass.OWN_SYMBOL.of(re.sub(r"\d+", "0", symbol))
        return Verdict(INTERPOLANT.name, VerdictKind.FOREIGN_SYMBOL, detail, script, fault=fault)
    detail = f"{where}: the interpolant is not read: {what} `{symbol}`"
    is_ill_sorted = refusal is Refusal.ILL_SORTED
    fault = FaultClass.ILL_SORTED if is_ill_sorted else FaultClass.UNREAD.of(refusal.value, symbol)
    return Verdict(INTERPOLANT.name, VerdictKind.UNREADABLE, detail, script, fault=fault)


def _one_sided(interpolation: Interpolation, cut: int, text: str) -> str:
    """Return a symbol of a text that only one side of a cut has, or nothing; `_let0` is Bitwuzla's own."""
    a, b = interpolation.sides(cut)
    names = {quoted(symbol.name) for symbol in symbols_of(*a, *b) - interpolation.shared_symbols(cut)}
    return min((each for each in _WORD.findall(text) if each in names and not each.startswith("_let")), default="")


def _is_read(script: str) -> bool:
    try:
        z3.parse_smt2_string(script, ctx=z3.Context())
    except z3.Z3Exception:
        return bool(second_solver.answers(script))
    return True


def _foreign(interpolation: Interpolation, interpolants: Sequence[Term]) -> Verdict | None:
    """Return the verdict on the first interpolant with a symbol that its sides do not share."""
    for cut, interpolant in enumerate(interpolants):
        foreign = sorted({symbol.name for symbol in symbols_of(interpolant) - interpolation.shared_symbols(cut)})
        if foreign:
            detail = f"cut {cut + 1} of {interpolation.cuts}: the interpolant has a symbol of one side, `{foreign[0]}`"
            script = symbol_script(interpolation, interpolants, cut + 1, detail)
            fault, kind = FaultClass.ONE_SIDED, VerdictKind.FOREIGN_SYMBOL
            return Verdict(INTERPOLANT.name, kind, detail, script, (EVALUATOR,), fault=fault)
    return None


def _undecided(detail: str, oracle: str = INTERPOLANT.name) -> Verdict:
    return Verdict(oracle, VerdictKind.UNDECIDED, detail)
