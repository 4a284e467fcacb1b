"""What every row of the registry promises, checked on seeds of all theories by solvers and by structure."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.parse import parse
from chcfuzz.grammar.printer import print_system, print_term
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Atom, Quantifier, Term, Value, Variable, apply, negation, real
from chcfuzz.mutators.mutation import Kind, Mutation, Promise
from chcfuzz.mutators.registry import Registry
from chcfuzz.mutators.symbols import with_predicates_renamed

RLIMIT = 300_000

# What no small seed has: nested connectives of both kinds, other shapes of clauses, names of clauses.
WRITTEN = """(set-logic HORN)
(declare-fun p (Int Bool) Bool)
(declare-fun |q r| (Real) Bool)
(assert (! (forall ((x Int) (b Bool)) (or (not (or (< x 3) (or b (> x 7)) (= x 5))) (p x b))) :named first))
(assert (forall ((x Int) (y Int) (b Bool)) (not (and (p x b) (and (< y x) (or b (or b (< x y)))) (not (p y b))))))
(assert (forall ((x Int) (u Real)) (=> (and (exists ((b Bool) (y Int)) (and (p y b) (< y x))) (<= u 0.5)) (|q r| u))))
(assert (forall ((x Int) (u Real)) (=> (|q r| u) (p x (> u 1.0)) (or (< x 3) (> x 100)))))
(check-sat)
"""


@dataclass(frozen=True)
class Applied:
    """A system before and after one row struck."""

    row: Mutation
    name: str
    before: System
    after: System

    def __str__(self) -> str:
        return f"{self.row.id} on {self.name}:\n{print_system(self.before)}\n{print_system(self.after)}"

    @property
    def changed(self) -> list[tuple[Clause, Clause]]:
        """Clauses with what they became, where a row rewrites them one by one."""
        assert len(self.after.clauses) == len(self.before.clauses)
        both = zip(self.before.clauses, self.after.clauses, strict=True)
        return [(old, new) for old, new in both if old != new]


@pytest.fixture(
    scope="module", params=[pytest.param(False, id="few"), pytest.param(True, id="all", marks=pytest.mark.slow)]
)
def applied(
    request: pytest.FixtureRequest, rows: Registry, texts: dict[str, str], small_texts: dict[str, str]
) -> Sequence[Applied]:
    """Every row on seeds, with a few choices. Z3's own rewrites, which are slow, get a third of the seeds."""
    chosen = texts if request.param else small_texts
    seeds = {"written": parse(WRITTEN), **{name: parse(text, name) for name, text in chosen.items()}}
    found = []
    for place, row in enumerate(rows.mutations):
        for number, (name, seed) in enumerate(seeds.items()):
            if row.kind is Kind.REWRITE and (place + number) % 3:
                continue
            attempts = 1 if row.kind is Kind.REWRITE else 12 if name == "written" else 3
            for attempt in range(attempts):
                choices = hashlib.shake_128(f"{row.id} {name} {attempt}".encode()).digest(64)
                after = row.rewrite(seed, Choices(choices))
                if after is not None:
                    found.append(Applied(row, name, seed, after))
    return found


def declarations(system: System) -> str:
    """The script of a system without its clauses, for solvers that are asked about one of them."""
    empty = print_system(replace(system, clauses=(), info=(), options=()))
    return empty.replace("(set-logic HORN)\n", "").replace("(check-sat)\n", "")


def z3_says(system: System, claim: Term) -> str:
    import z3

    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", RLIMIT)
    solver.from_string(f"{declarations(system)}(assert {print_term(claim)})")
    return str(solver.check())


def cvc5_says(system: System, claim: Term) -> str:
    cvc5 = pytest.importorskip("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    for option, value in (("parsing-mode", "lenient"), ("rlimit-per", "20000")):
        solver.setOption(option, value)
    parser = cvc5.InputParser(solver)
    script = f"(set-logic ALL){declarations(system)}(assert {print_term(claim)})(check-sat)"
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "claim")
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said = str(command.invoke(solver, parser.getSymbolManager())) or said
    return said.partition(" ")[0].strip()  # `unknown` comes with its reason


def family(applied: Sequence[Applied], *names: str) -> list[Applied]:
    found = [each for each in applied if each.row.family in names]
    assert found
    return found


def nameless(term: Term, bound: tuple[Variable, ...] = ()) -> object:
    """A term with numbers in the place of its bound variables: equal for terms that differ in those names only."""
    children = tuple(nameless(child, bound) for child in term.children if not isinstance(term, Quantifier))
    if isinstance(term, Quantifier):
        inner = (*bound, *term.variables)
        return term.kind, tuple(variable.sort for variable in term.variables), nameless(term.body, inner)
    if isinstance(term, Variable):
        return max(i for i, variable in enumerate(bound) if variable is term)
    if isinstance(term, Value):
        return term
    return term.predicate if isinstance(term, Atom) else term.operator, term.sort, children  # type: ignore[attr-defined]


def test_every_own_row_and_most_rewrites_strike_somewhere(applied: Sequence[Applied], rows: Registry) -> None:
    struck = {each.row.id for each in applied}
    assert {row.id for row in rows.of_kind(Kind.OWN)} <= struck
    assert len(struck & {row.id for row in rows.of_kind(Kind.REWRITE)}) > len(rows.of_kind(Kind.REWRITE)) / 2


def test_a_row_that_strikes_says_that_it_applies(applied: Sequence[Applied]) -> None:
    assert not [str(each) for each in applied if not each.row.applies(each.before)]


def test_a_result_is_never_equal_to_what_it_was_made_from(applied: Sequence[Applied]) -> None:
    assert not [str(each) for each in applied if each.after == each.before]


def test_every_result_reads_back_as_itself(applied: Sequence[Applied]) -> None:
    assert not [str(each) for each in applied if parse(print_system(each.after)) != each.after]


def test_every_clause_of_every_result_is_horn(applied: Sequence[Applied]) -> None:
    for each in applied:
        for clause in each.after.clauses:
            assert clause.reading is not None


def test_what_a_seed_says_of_itself_is_kept(applied: Sequence[Applied]) -> None:
    for each in applied:
        assert (each.after.info, each.after.options) == (each.before.info, each.before.options)
        assert each.after.datatypes == each.before.datatypes


def test_the_same_choices_give_the_same_result(rows: Registry, small_seeds: dict[str, System]) -> None:
    for row in rows.of_kind(Kind.OWN):
        for seed in small_seeds.values():
            assert row.rewrite(seed, Choices(b"\x03\x01\x02")) == row.rewrite(seed, Choices(b"\x03\x01\x02"))


def test_rewritten_clauses_are_equivalent_says_z3(applied: Sequence[Applied]) -> None:
    """All rows that promise it and are not checked otherwise below, so that a new family is checked from its start."""
    answers: Counter[str] = Counter()
    asked = set()
    for each in applied:
        if each.row.promise is not Promise.EQUIVALENT or each.row.family in ("rules", "order"):
            continue
        assert each.after.predicates == each.before.predicates
        for old, new in each.changed:
            assert new.name == old.name
            claim = apply("distinct", old.formula, new.formula)
            if (each.before.predicates, claim) in asked:
                continue
            asked.add((each.before.predicates, claim))
            answer = z3_says(each.before, claim)
            assert answer != "sat", str(each)
            answers[answer] += 1
    assert answers["unsat"] > 100
    assert answers["unknown"] <= 0.02 * answers.total()


def test_rewritten_clauses_are_equivalent_says_cvc5(applied: Sequence[Applied]) -> None:
    """A sample, because Z3 should not be the only judge of its own rewrites."""
    answers: Counter[str] = Counter()
    asked = set()
    for each in applied:
        key = each.row.id, each.name.partition("/")[0]
        if each.row.promise is not Promise.EQUIVALENT or each.row.family in ("rules", "order") or key in asked:
            continue
        asked.add(key)
        old, new = each.changed[0]
        answer = cvc5_says(each.before, apply("distinct", old.formula, new.formula))
        assert answer != "sat", str(each)
        answers[answer] += 1
    assert answers["unsat"] > 50
    assert answers["unsat"] >= 0.95 * answers.total()


def test_an_added_rule_holds_whatever_the_predicates_mean(applied: Sequence[Applied]) -> None:
    for each in family(applied, "rules"):
        assert each.after.predicates == each.before.predicates
        added = Counter(each.after.clauses) - Counter(each.before.clauses)
        assert not Counter(each.before.clauses) - Counter(each.after.clauses)
        assert added.total() == 1
        assert z3_says(each.after, negation(next(iter(added)).formula)) == "unsat", str(each)


def test_another_order_keeps_every_clause_and_every_declaration(applied: Sequence[Applied]) -> None:
    for each in family(applied, "order"):
        assert Counter(each.after.clauses) == Counter(each.before.clauses)
        assert Counter(each.after.predicates) == Counter(each.before.predicates)


def test_renaming_predicates_back_gives_the_same_system(applied: Sequence[Applied]) -> None:
    renamed = [each for each in family(applied, "names") if each.after.predicates != each.before.predicates]
    assert renamed
    for each in renamed:
        names = [predicate.name for predicate in each.after.predicates]
        assert len(set(names)) == len(names)
        back = dict(zip(each.after.predicates, each.before.predicates, strict=True))
        assert with_predicates_renamed(each.after, back) == each.before, str(each)


def test_renaming_a_variable_changes_nothing_but_its_name(applied: Sequence[Applied]) -> None:
    renamed = [each for each in family(applied, "names") if each.after.predicates == each.before.predicates]
    assert renamed
    for each in renamed:
        assert len(each.changed) == 1
        for old, new in each.changed:
            assert nameless(old.formula) == nameless(new.formula), str(each)


def test_the_judges_see_a_clause_that_is_not_equivalent() -> None:
    system = parse(WRITTEN)
    weaker = parse(WRITTEN.replace("(= x 5)", "(= x 6)"))
    claim = apply("distinct", system.clauses[0].formula, weaker.clauses[0].formula)
    assert z3_says(system, claim) == "sat"
    assert cvc5_says(system, claim) == "unknown"  # it finds no models of quantified formulas
    assert cvc5_says(system, Atom(system.predicates[1], [real(0)])) == "sat"
    assert z3_says(system, negation(system.clauses[0].formula)) == "sat"
    assert nameless(system.clauses[0].formula) != nameless(weaker.clauses[0].formula)
