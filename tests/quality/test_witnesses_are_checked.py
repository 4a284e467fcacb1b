"""The evaluator alone accepts a thousand correct witnesses and rejects hundreds that were made wrong on purpose.

Correct witnesses are those of the corpus, equivalent forms of each, and the same witnesses for mutants with the same
models. A wrong witness is a correct one with a change. If a change may leave a witness correct, Z3 as a plain SMT
solver first shows that it is wrong; then the evaluator must reject it without Z3.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
import z3
from chcfuzz.domains.chc.oracles import evidence
from chcfuzz.domains.chc.oracles.counterexample import completed, description, holds, meanings, values_of
from chcfuzz.domains.chc.oracles.derive import derive
from chcfuzz.domains.chc.oracles.refutation import DerivationStep, Refutation, fault, prenex
from chcfuzz.domains.chc.oracles.refutation_text import parse_refutation, print_refutation
from chcfuzz.domains.chc.rows.registry import registry
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.values import Constructed, Ground, array_value, as_term
from chcfuzz.grammar.printing.printer import print_datatypes, print_term
from chcfuzz.grammar.printing.witness import Fact
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Atom, Predicate, Quantifier, Term, Variable, conjunction, negation, subterms
from chcfuzz.mutators.mutation import Promise
from chcfuzz.oracles.left_open import some_value
from chcfuzz.solvers.model_text import TextModel, symbols_of
from chcfuzz.solvers.watchdog import Watchdog

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpus"
WITNESSES = ROOT / "seeds" / "witnesses"
RLIMIT = 500_000
SAMPLES = 24  # assignments at which a clause is evaluated

# These mutations change single clauses, or their order: a witness of the seed is one of the mutant.
LOCAL = (
    "boolean.swap-and",
    "boolean.dup-and",
    "boolean.break-and",
    "boolean.swap-or",
    "boolean.dup-or",
    "boolean.flatten-and",
    "quantifiers.mix-bound-vars",
    "arithmetic.add-ineq",
    "rules.add-lin-rule",
    "rules.add-nonlin-rule",
    "order.shuffle-clauses",
    "order.shuffle-declarations",
    "names.rename-variable",
)


@cache
def seed(name: str) -> System:
    return parse((CORPUS / f"{name}.smt2").read_text(), name)


def witnesses(kind: str) -> dict[str, str]:
    """Return the witnesses of a kind by the names of their seeds."""
    files = sorted(WITNESSES.rglob(f"*.{kind}"))
    return {file.relative_to(WITNESSES).with_suffix("").as_posix(): file.read_text() for file in files}


@pytest.fixture(scope="module")
def refutations() -> dict[str, Refutation]:
    return {name: parse_refutation(seed(name), text) for name, text in witnesses("derivation").items()}


@pytest.fixture(scope="module")
def models() -> dict[str, TextModel]:
    return {name: TextModel(text) for name, text in witnesses("model").items()}


def choices(*about: object) -> Choices:
    """Return choices that depend on the arguments only."""
    return Choices(hashlib.shake_128(repr(about).encode()).digest(256))


def mutants(name: str, rows: Sequence[str]) -> Iterator[tuple[str, System]]:
    """Yield the mutants of a seed under each of these mutations, which keep its models."""
    for row in rows:
        mutation = registry().get(row)
        assert mutation is not None
        assert mutation.promise is Promise.EQUIVALENT
        mutant = mutation.rewrite(seed(name), choices(row, name))
        if mutant is not None:
            yield row, mutant


# Right refutations -------------------------------------------------------------------------------------


def equivalent_forms(refutation: Refutation) -> Iterator[Refutation]:
    """Yield the same derivation with repeated steps, with more premises, and in another order."""
    twice = [step for step in refutation[:-1] for _ in range(2)]
    moved = {number: 2 * number + 1 for number in range(len(refutation))}
    twice = [
        replace(step, premises=tuple(moved[premise] - place % 2 for premise in step.premises))
        for place, step in enumerate(twice)
    ]
    yield (*twice, replace(refutation[-1], premises=tuple(moved[premise] for premise in refutation[-1].premises)))
    yield tuple(replace(step, premises=tuple(range(number))) for number, step in enumerate(refutation))
    order = deepest_first(refutation)
    place = {number: at for at, number in enumerate(order)}
    yield tuple(
        replace(refutation[number], premises=tuple(place[premise] for premise in reversed(refutation[number].premises)))
        for number in order
    )


def deepest_first(refutation: Refutation) -> list[int]:
    """Return the steps that false depends on, each after its premises, the last premise first."""
    order: list[int] = []
    stack = [(len(refutation) - 1, False)]
    while stack:
        number, ready = stack.pop()
        if number in order:
            continue
        if ready:
            order.append(number)
        else:
            stack += [(number, True), *((premise, False) for premise in refutation[number].premises)]
    return order


def carried(old: System, new: System, refutation: Refutation) -> Refutation:
    """Translate the refutation of a system to one of its mutant: the same instances of the corresponding clauses."""
    formulas = [clause.formula for clause in new.clauses]
    steps = []
    for step in refutation:
        formula = old.clauses[step.clause].formula
        number = formulas.index(formula) if formula in formulas else step.clause
        before = [variable.name for variable in prenex(old.clauses[step.clause]).variables]
        after = [variable.name for variable in prenex(new.clauses[number]).variables]
        by_name = dict(zip(before, step.values, strict=True))
        values = tuple(by_name[name] for name in after) if set(before) == set(after) else step.values
        steps.append(replace(step, clause=number, values=values))
    return tuple(steps)


def test_right_refutations_are_all_accepted(refutations: dict[str, Refutation]) -> None:
    accepted: Counter[str] = Counter()
    for name, refutation in refutations.items():
        assert fault(seed(name), refutation) is None, name
        accepted["witness"] += 1
        for other in equivalent_forms(refutation):
            assert fault(seed(name), other) is None, print_refutation(seed(name), other)
            accepted["equivalent form"] += 1
        for row, mutant in mutants(name, LOCAL):
            assert fault(mutant, carried(seed(name), mutant, refutation)) is None, f"{name}: {row}"
            accepted[row] += 1
    assert accepted.total() >= 1000
    assert all(accepted[row] for row in LOCAL), accepted


@pytest.mark.slow
def test_refutations_derived_for_simplified_mutants_are_accepted(refutations: dict[str, Refutation]) -> None:
    watchdog = Watchdog(60)
    for name in list(refutations)[::8]:
        for _, mutant in mutants(name, ["simplify.plain"]):
            found = derive(mutant, 10 * RLIMIT, watchdog).refutation
            assert found is not None, name
            assert fault(mutant, found) is None, name


# Wrong refutations -------------------------------------------------------------------------------------


Change = Callable[[System, Refutation], Iterator[Refutation]]


def changed(refutation: Refutation, number: int, step: DerivationStep) -> Refutation:
    return (*refutation[:number], step, *refutation[number + 1 :])


def other_value(value: Ground, sort: Sort) -> Ground:
    """Return another value of the sort."""
    if sort is BOOL:
        return not value
    if sort.is_bitvector:
        return (value + 1) % (1 << sort.width)  # type: ignore[operator]
    if sort is INT or sort is REAL:
        return value + 1  # type: ignore[operator]
    if sort.is_array:
        default = other_value(value.default, sort.element)
        return array_value(sort.index, default, value.entries)
    fallback = some_value(sort)
    if value != fallback:
        return fallback
    assert isinstance(value, Constructed)
    assert sort.datatype is not None
    for constructor in sort.datatype.constructors:
        args = [some_value(selector.sort) for selector in constructor.selectors]
        if Constructed(sort, constructor.operator, args) is not value:
            return Constructed(sort, constructor.operator, args)
    return value


def facts_changed(_system: System, refutation: Refutation) -> Iterator[Refutation]:
    """Yield refutations with another value in a fact, which the step's clause does not derive."""
    for number, step in enumerate(refutation):
        for place, sort in enumerate(step.fact.predicate.parameters if step.fact else ()):
            assert step.fact is not None
            values = list(step.fact.values)
            values[place] = other_value(values[place], sort)
            if values[place] != step.fact.values[place]:
                yield changed(refutation, number, replace(step, fact=Fact(step.fact.predicate, tuple(values))))


def facts_left_out(_system: System, refutation: Refutation) -> Iterator[Refutation]:
    """Yield refutations in which a step derives false instead of a fact, or the last step a fact instead of false."""
    if len(refutation) > 1:
        yield changed(refutation, 0, replace(refutation[0], fact=None))
        yield refutation[:-1]
        yield changed(refutation, len(refutation) - 1, replace(refutation[-1], fact=refutation[0].fact))


def clauses_changed(system: System, refutation: Refutation) -> Iterator[Refutation]:
    """Yield refutations in which a step names a clause with another head, or one that does not exist."""
    for number, step in enumerate(refutation):
        yield changed(refutation, number, replace(step, clause=len(system.clauses)))
        for other, clause in enumerate(system.clauses):
            if predicate_of(clause) is not predicate_of(system.clauses[step.clause]):
                yield changed(refutation, number, replace(step, clause=other))


def predicate_of(clause: Clause) -> object:
    return clause.head.predicate if isinstance(clause.head, Atom) else None


def order_changed(_system: System, refutation: Refutation) -> Iterator[Refutation]:
    """Yield refutations in which a step precedes its premise, or is its own premise."""
    for number, step in enumerate(refutation[:-1]):
        if number - 1 in step.premises:
            place = {number: number - 1, number - 1: number}
            swapped = (*refutation[: number - 1], step, refutation[number - 1], *refutation[number + 1 :])
            yield tuple(
                replace(other, premises=tuple(place.get(premise, premise) for premise in other.premises))
                for other in swapped
            )
        if step.premises:
            yield changed(refutation, number, replace(step, premises=(*step.premises, number)))


def premises_changed(system: System, refutation: Refutation) -> Iterator[Refutation]:
    """Yield refutations in which a step omits its premises although its body has an atom as a conjunct."""
    for number, step in enumerate(refutation):
        if any(isinstance(member, Atom) for member in system.clauses[step.clause].body):
            yield changed(refutation, number, replace(step, premises=()))


def sorts_changed(_system: System, refutation: Refutation) -> Iterator[Refutation]:
    """Yield refutations with a similar value of another sort, or with one value less or more."""
    for number, step in enumerate(refutation):
        for values in each_of_another_sort(step.values):
            yield changed(refutation, number, replace(step, values=values))
        for values in each_of_another_sort(step.fact.values if step.fact else ()):
            assert step.fact is not None
            yield changed(refutation, number, replace(step, fact=Fact(step.fact.predicate, values)))
        if step.values:
            yield changed(refutation, number, replace(step, values=step.values[1:]))
        yield changed(refutation, number, replace(step, values=(*step.values, 0)))


def each_of_another_sort(values: Sequence[Ground]) -> Iterator[tuple[Ground, ...]]:
    for place, value in enumerate(values):
        wrong: object = (value,)
        if isinstance(value, bool) or (isinstance(value, Fraction) and value.denominator == 1):
            wrong = int(value)
        elif isinstance(value, int):
            wrong = Fraction(value)
        yield (*values[:place], wrong, *values[place + 1 :])  # type: ignore[arg-type]


def values_changed(system: System, refutation: Refutation) -> Iterator[Refutation]:
    """Yield refutations with another value of a variable, if Z3 shows that the step is wrong."""
    for number, step in enumerate(refutation):
        variables = prenex(system.clauses[step.clause]).variables
        for place, variable in enumerate(variables):
            value = other_value(step.values[place], variable.sort)
            values = (*step.values[:place], value, *step.values[place + 1 :])
            other = changed(refutation, number, replace(step, values=values))
            if z3_finds_wrong(system, other, number):
                yield other


def z3_finds_wrong(system: System, refutation: Refutation, number: int) -> bool:
    """Let Z3 determine whether a step's body is false at its values, or its head differs from its fact."""
    step = refutation[number]
    clause = prenex(system.clauses[step.clause])
    lines = [print_datatypes(group) for group in system.datatypes]
    given = [fact for premise in step.premises if (fact := refutation[premise].fact)]
    for predicate in system.predicates:
        parameters = [f"x!{place}" for place in range(len(predicate.parameters))]
        cases = [
            f"(and true {' '.join(f'(= {x} {t})' for x, t in zip(parameters, texts(fact), strict=True))})"
            for fact in given
            if fact.predicate is predicate
        ]
        bound = " ".join(f"({x} {sort})" for x, sort in zip(parameters, predicate.parameters, strict=True))
        lines.append(f"(define-fun {quoted(predicate.name)} ({bound}) Bool (or false {' '.join(cases)}))")
    for variable, value in zip(clause.variables, step.values, strict=True):
        text = print_term(as_term(value, variable.sort))
        lines.append(f"(define-fun {quoted(variable.name)} () {variable.sort} {text})")
    lines += [f"(assert {print_term(member)})" for member in clause.body]
    if isinstance(clause.head, Atom) and step.fact is not None:
        pairs = zip(clause.head.children, texts(step.fact), strict=True)
        lines += [f"(assert (= {print_term(argument)} {text}))" for argument, text in pairs]
    else:
        lines.append(f"(assert (not {print_term(clause.head)}))")
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string("\n".join(lines))
    return bool(solver.check() == z3.unsat)


def texts(fact: Fact) -> list[str]:
    sorts = fact.predicate.parameters
    return [print_term(as_term(value, sort)) for value, sort in zip(fact.values, sorts, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [facts_changed, facts_left_out, clauses_changed, order_changed, premises_changed, sorts_changed, values_changed],
)
def test_wrong_refutations_are_all_refused(refutations: dict[str, Refutation], change: Change) -> None:
    refused = 0
    for name, refutation in refutations.items():
        for wrong, _ in zip(change(seed(name), refutation), range(6), strict=False):
            found = fault(seed(name), wrong)
            assert found is not None, f"{name}: {wrong}"
            assert found.certain, f"{name}: {found.message}"
            refused += 1
    assert refused >= 100


def test_the_refutation_of_a_system_does_not_refute_its_safe_twin(refutations: dict[str, Refutation]) -> None:
    refused = 0
    for name, refutation in refutations.items():
        twin = name.removesuffix("-unsafe") + "-safe"
        if (CORPUS / f"{twin}.smt2").exists():
            assert seed(twin).status == "sat"
            assert fault(seed(twin), refutation) is not None, name
            refused += 1
    assert refused >= 100


# Right models ------------------------------------------------------------------------------------------


def small(sort: Sort, drawn: Choices, depth: int = 2) -> Ground:
    """Draw a small value of the sort."""
    if sort is BOOL:
        return drawn.boolean()
    if sort is INT:
        return drawn.integer(-3, 12)
    if sort is REAL:
        return Fraction(drawn.integer(-6, 24), drawn.integer(1, 3))
    if sort.is_bitvector:
        return drawn.integer(-3, 12) % (1 << sort.width)
    if sort.is_array:
        default = small(sort.element, drawn, depth)
        entries = {small(sort.index, drawn, depth): small(sort.element, drawn, depth) for _ in range(drawn.index(4))}
        return array_value(sort.index, default, entries)
    assert sort.datatype is not None
    if depth == 0:
        return some_value(sort)
    constructor = drawn.pick(sort.datatype.constructors)
    args = [small(selector.sort, drawn, depth - 1) for selector in constructor.selectors]
    return Constructed(sort, constructor.operator, args)


def assignments(clause: Clause, number: int) -> Iterator[Mapping[Variable, Ground]]:
    """Yield `number` small assignments to a clause's variables, the same ones each time."""
    for sample in range(number):
        drawn = choices(sample, len(clause.variables))
        yield {variable: small(variable.sort, drawn) for variable in clause.variables}


def truth_values(system: System, witness: TextModel, clauses: Sequence[Clause], samples: int) -> Counter[bool | None]:
    """Count the truth values of the clauses under a model at small assignments."""
    read = meanings(system, evidence.definitions(system, witness))
    assert read is not None
    return Counter(holds(read, clause, values) for clause in clauses for values in assignments(clause, samples))


@pytest.mark.slow
def test_right_models_are_all_accepted(models: dict[str, TextModel]) -> None:
    accepted = 0
    seen: Counter[bool | None] = Counter()
    for name, witness in models.items():
        found = truth_values(seed(name), witness, seed(name).clauses, SAMPLES)
        assert not found[False], name
        seen += found
        accepted += 1
        for row, mutant in mutants(name, (*LOCAL[::2], "simplify.plain")):
            assert not truth_values(mutant, witness, mutant.clauses, 4)[False], f"{name}: {row}"
            accepted += 1
    assert accepted >= 1000
    assert seen[True] > 100 * seen[None], seen


def without_body(clause: Clause) -> Term:
    """Return a formula: the body of the clause is false."""
    matrix = negation(conjunction(*clause.body))
    return Quantifier("forall", clause.variables, matrix) if clause.variables else matrix


@pytest.mark.slow
def test_bodies_hold_at_the_assignments_often_enough(models: dict[str, TextModel]) -> None:
    """The test above is not vacuous: for most systems, some clause's body holds at some assignment."""
    reached = 0
    for name, witness in models.items():
        system = seed(name)
        bodies = [Clause(without_body(clause)) for clause in system.clauses]
        reached += truth_values(system, witness, bodies, SAMPLES)[False] > 0
    assert reached > 0.9 * len(models)


# Wrong models ------------------------------------------------------------------------------------------


def wrapped(witness: TextModel, system: System, body: Callable[[str, Sequence[str]], str]) -> Iterator[TextModel]:
    """Yield models in which one predicate has another meaning; `body` gets the name of the correct definition."""
    for predicate in system.predicates:
        name = quoted(predicate.name)
        right = quoted(f"{predicate.name} right")
        moved = witness.definitions.replace(f"(define-fun {name} ", f"(define-fun {right} ")
        names = [f"y!{place}" for place in range(len(predicate.parameters))]
        bound = " ".join(f"({y} {sort})" for y, sort in zip(names, predicate.parameters, strict=True))
        new = body(right, names)
        yield TextModel(f"{moved}\n(define-fun {name} ({bound}) Bool {new})")


def called(right: str, names: Sequence[str]) -> str:
    return f"({right} {' '.join(names)})" if names else right


def negated(system: System, witness: TextModel) -> Iterator[TextModel]:
    yield from wrapped(witness, system, lambda right, names: f"(not {called(right, names)})")


def never(system: System, witness: TextModel) -> Iterator[TextModel]:
    yield from wrapped(witness, system, lambda _right, _names: "false")


def always(system: System, witness: TextModel) -> Iterator[TextModel]:
    yield from wrapped(witness, system, lambda _right, _names: "true")


def one_value_less(system: System, witness: TextModel) -> Iterator[TextModel]:
    for sample in range(2):
        for predicate, changed_model in zip(
            system.predicates,
            wrapped(witness, system, lambda right, names: f"(and {called(right, names)} HERE)"),
            strict=True,
        ):
            drawn = choices(sample)
            at = " ".join(
                f"(= y!{place} {print_term(as_term(small(sort, drawn), sort))})"
                for place, sort in enumerate(predicate.parameters)
            )
            yield TextModel(changed_model.definitions.replace("HERE", f"(not (and true {at}))"))


def numbers_changed(_system: System, witness: TextModel) -> Iterator[TextModel]:
    text = witness.definitions
    for found in re.finditer(r"(?<= )\d+(?=[ )])", text):
        if "(_ " not in text[text.rindex("(", 0, found.start()) : found.start()]:  # neither a width nor a bit index
            yield TextModel(replaced(text, found, str(int(found[0]) + 1)))


def comparisons_changed(_system: System, witness: TextModel) -> Iterator[TextModel]:
    others = {"<=": "<", ">=": ">", "<": "<=", ">": ">=", "=": "distinct", "bvule": "bvult", "bvsle": "bvslt"}
    for found in re.finditer(r"(?<=\()(<=|>=|<|>|=|bvule|bvsle)(?= )", witness.definitions):
        yield TextModel(replaced(witness.definitions, found, others[found[0]]))


def connectives_changed(_system: System, witness: TextModel) -> Iterator[TextModel]:
    for found in re.finditer(r"(?<=\()(and|or)(?= )", witness.definitions):
        yield TextModel(replaced(witness.definitions, found, "or" if found[0] == "and" else "and"))


def replaced(text: str, found: re.Match[str], new: str) -> str:
    return text[: found.start()] + new + text[found.end() :]


def counterexample(system: System, wrong: TextModel) -> tuple[Clause, Mapping[Variable, Ground]] | None:
    """Return a clause that the model violates, and Z3's values for it; None if Z3 does not find one."""
    for number, clause in enumerate(system.clauses):
        solver = z3.Solver(ctx=z3.Context())
        solver.set("rlimit", RLIMIT)
        solver.from_string(evidence.under_model(system, wrong, number).script())
        if solver.check() == z3.sat:
            values = completed(system, clause.variables, values_of(solver.model()))
            assert values is not None, solver.model()
            return clause, values
    return None


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [negated, never, always, one_value_less, numbers_changed, comparisons_changed, connectives_changed],
)
def test_wrong_models_are_all_refused(
    models: dict[str, TextModel], change: Callable[[System, TextModel], Iterator[TextModel]]
) -> None:
    refused, undetermined = 0, 0
    for name, witness in list(models.items())[::2]:
        if "(forall " in witness.definitions:
            continue  # an evaluator cannot decide it for all numbers
        for wrong, _ in zip(change(seed(name), witness), range(2), strict=False):
            found = counterexample(seed(name), wrong)
            if found is not None:
                read = meanings(seed(name), evidence.definitions(seed(name), wrong))
                value = None if read is None else holds(read, *found)
                if value is None and (is_partial(seed(name), wrong) or is_quantified(found[0])):
                    undetermined += 1
                    continue
                assert value is False, f"{name}: {description(found[1])}\n{wrong.definitions}"
                refused += 1
    assert refused >= 30
    assert undetermined <= refused // 10


def is_quantified(clause: Clause) -> bool:
    """Determine whether a clause has a quantifier below its outermost ones."""
    inside = (term for term in subterms(clause.formula) if term is not clause.formula)
    return any(isinstance(term, Quantifier) for term in inside)


def is_partial(system: System, witness: TextModel) -> bool:
    """Determine whether the model uses selectors, whose values SMT-LIB leaves open for other constructors."""
    selectors = {s.operator for group in system.datatypes for d in group for c in d.constructors for s in c.selectors}
    return bool(selectors & set(symbols_of(witness.definitions)))


def predicates_of(clause: Clause) -> set[Predicate]:
    return {atom.predicate for atom in (*clause.atoms, clause.head) if isinstance(atom, Atom)}


def test_a_model_of_other_sorts_is_not_read(models: dict[str, TextModel]) -> None:
    refused = 0
    for name, witness in models.items():
        system = seed(name)
        wrong = re.sub(r"\(\((x!0) (Int|Bool|Real)\)", r"((\1 (Array \2 \2))", witness.definitions)
        used = {predicate for clause in system.clauses for predicate in predicates_of(clause)}
        if wrong != witness.definitions and used == set(system.predicates):
            assert meanings(system, evidence.definitions(system, TextModel(wrong))) is None, name
            refused += 1
    assert refused >= 100
