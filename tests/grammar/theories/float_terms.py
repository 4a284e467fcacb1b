"""Terms of floating point on all values of small formats, or on drawn ones, and the solvers that judge our values."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice, product

from chcfuzz.domains.smt.solvers.bitwuzla import Bitwuzla
from chcfuzz.domains.smt.solvers.cvc5 import Cvc5
from chcfuzz.domains.smt.solvers.engine import Engine
from chcfuzz.domains.smt.solvers.z3 import Z3
from chcfuzz.grammar.evaluation import ieee
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.ieee import MODES, Format
from chcfuzz.grammar.evaluation.values import UNDETERMINED, as_term
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.sorts import bitvec
from chcfuzz.grammar.terms import Apply, Term, Value, apply, subterms
from chcfuzz.grammar.theories.float_kinds import MODE, floating, format_of, is_float
from chcfuzz.solvers.watchdog import Watchdog

SMALL = (Format(2, 3), Format(3, 3), Format(3, 4))
LARGE = (Format(5, 11), Format(8, 24), Format(11, 53), Format(15, 113), Format(8, 8), Format(4, 4), Format(2, 20))
STANDARD = LARGE[:4]
UNARY = (
    "fp.abs",
    "fp.neg",
    *(f"fp.is{name}" for name in ("Normal", "Subnormal", "Zero", "Infinite", "NaN", "Negative")),
)
BINARY = ("fp.rem", "fp.min", "fp.max", "fp.leq", "fp.lt", "fp.geq", "fp.gt", "fp.eq", "=")
ROUNDED_1 = ("fp.sqrt", "fp.roundToIntegral")
ROUNDED_2 = ("fp.add", "fp.sub", "fp.mul", "fp.div")
_BATCH = 250  # terms in one script
_RLIMIT = 100_000_000
_SECONDS = 60


def values_of(f: Format) -> list[Value]:
    """Return all values of a format."""
    sort = floating(*f)
    return [Value(bits, sort) for bits in range(1 << f.width) if ieee.of_bits(f, bits) == bits]


def modes() -> list[Value]:
    """Return all rounding modes."""
    return [Value(place, MODE) for place in range(len(MODES))]


def small_terms(formats: Sequence[Format] = SMALL) -> Iterator[Term]:
    """Yield all operators with one and two arguments on all values of small formats, and all conversions."""
    for f in formats:
        values = values_of(f)
        for a in values:
            yield from _of_one(f, a)
        for a, b in product(values, values):
            yield from (apply(name, a, b) for name in BINARY)
            yield from (apply(name, mode, a, b) for name in ROUNDED_2 for mode in modes())
        for width in (1, 3, f.width + 1):
            for bits, mode in product(range(1 << width), modes()):
                vector = Value(bits, bitvec(width))
                yield from (Apply(f"(_ {name} {f[0]} {f[1]})", (mode, vector)) for name in ("to_fp", "to_fp_unsigned"))


def _of_one(f: Format, a: Value) -> Iterator[Term]:
    yield from (apply(name, a) for name in (*UNARY, "fp.isPositive", "fp.to_real"))
    yield Apply(f"(_ to_fp {f[0]} {f[1]})", (Value(a.value, bitvec(f.width)),))
    for mode in modes():
        yield from (apply(name, mode, a) for name in ROUNDED_1)
        yield from (Apply(f"(_ to_fp {g[0]} {g[1]})", (mode, a)) for g in (*SMALL, Format(2, 2), Format(5, 11)))
        yield from (
            Apply(f"(_ {name} {width})", (mode, a)) for name in ("fp.to_ubv", "fp.to_sbv") for width in (1, 3, 7)
        )


def drawn_terms(chance: random.Random, formats: Sequence[Format] = LARGE) -> Iterator[Term]:
    """Yield terms of drawn operators on drawn values, endlessly."""
    while True:
        f = chance.choice(formats)
        a, b, c = (Value(each, floating(*f)) for each in drawn_values(chance, f))
        mode = chance.choice(modes())
        kind = chance.randrange(12)
        if kind == 0:
            yield apply(chance.choice((*UNARY, "fp.to_real")), a)
        elif kind == 1:
            yield apply(chance.choice(BINARY), a, b)
        elif kind == 2:
            yield apply(chance.choice(ROUNDED_1), mode, a)
        elif kind < 5:
            yield _converted(chance, a, mode)
        elif kind < 7:
            yield apply("fp.fma", mode, a, b, c)
        else:
            yield apply(chance.choice(ROUNDED_2), mode, a, b)


def drawn_values(chance: random.Random, f: Format) -> list[int]:
    """Return three values, often special ones, or ones with near exponents."""
    found: list[int] = []
    for _ in range(3):
        bits = chance.getrandbits(f.width)
        if found and chance.random() < 0.5:
            bits = found[-1] ^ chance.getrandbits(chance.randrange(1, f.significand + 2))
        elif chance.random() < 0.3:
            edge = chance.choice((0, 1 << (f.significand - 1), f.infinity, ieee.rounded(f, "RNE", Fraction(1))))
            bits = (edge + chance.randrange(-2, 3)) % f.sign | chance.choice((0, f.sign))
        found.append(ieee.of_bits(f, bits % (1 << f.width)))
    return found


def _converted(chance: random.Random, a: Value, mode: Value) -> Term:
    f, g = format_of(a.sort), chance.choice((*LARGE, *SMALL))
    width = chance.choice((1, 4, 8, 16, 32, 64, 100))
    vector = Value(chance.getrandbits(width), bitvec(width))
    return chance.choice(
        (
            Apply(f"(_ to_fp {g[0]} {g[1]})", (mode, a)),
            Apply(f"(_ to_fp {f[0]} {f[1]})", (mode, vector)),
            Apply(f"(_ to_fp_unsigned {f[0]} {f[1]})", (mode, vector)),
            Apply(f"(_ to_fp {f[0]} {f[1]})", (Value(chance.getrandbits(f.width), bitvec(f.width)),)),
            Apply(f"(_ fp.to_ubv {width})", (mode, a)),
            Apply(f"(_ fp.to_sbv {width})", (mode, a)),
        )
    )


class Comparison:
    """Claims about values, and the solvers that contradict them."""

    def __init__(self, solvers: Sequence[Engine]) -> None:
        self._solvers = solvers
        self.tally: Counter[str] = Counter()
        self.differences: list[str] = []

    def compare(self, terms: Iterable[Term]) -> None:
        """Evaluate terms, and let each solver judge the values."""
        left = iter(terms)
        while batch := list(islice(left, _BATCH)):
            values = [(term, evaluate(term, {})) for term in batch]
            open_terms = sum(value is UNDETERMINED for _, value in values)
            self.tally["left open"] += open_terms
            self.tally["with a value"] += len(batch) - open_terms
            claims = [
                apply("=", term, as_term(value, term.sort)) for term, value in values if value is not UNDETERMINED
            ]
            for solver in self._solvers:
                self._judge(solver, [each for each in claims if _has(solver, each)])

    def _judge(self, solver: Engine, claims: Sequence[Term]) -> None:
        """Find the claims that a solver does not confirm, by halves."""
        if not claims:
            return
        texts = " ".join(f"(not {print_term(each)})" for each in claims)
        outcome = solver.solve(f"(set-logic ALL)\n(assert (or false {texts}))\n(check-sat)\n", (), _RLIMIT)
        answer = outcome.status.value
        if answer == "unsat":
            self.tally[f"{solver.name} confirms"] += len(claims)
        elif len(claims) > 1:
            half = len(claims) // 2
            self._judge(solver, claims[:half])
            self._judge(solver, claims[half:])
        else:
            self.tally[f"{solver.name} {answer} {outcome.reason[:50]}"] += 1
            self.differences += [f"{solver.name} {answer} {outcome.reason}: {texts}"] if answer == "sat" else []


def _has(solver: Engine, claim: Term) -> bool:
    """Return whether a solver reads a claim: Bitwuzla has the standard formats, and no real numbers."""
    formats = {format_of(term.sort) for term in subterms(claim) if is_float(term.sort)}
    return solver.name != "bitwuzla" or (formats <= {*STANDARD} and "fp.to_real" not in print_term(claim))


def engines() -> list[Engine]:
    """Return the solvers, newest installed releases."""
    return [Z3(Watchdog(_SECONDS)), Cvc5((("fp-exp", "true"),)), Bitwuzla()]
