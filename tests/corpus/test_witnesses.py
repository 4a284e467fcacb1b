"""Every seed has a witness for its status, checked here without Spacer: a model, or a derivation of false.

seeds/find_witnesses.py says how the witnesses are written down.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import cvc5
import pytest
import z3
from chcfuzz.grammar.evaluate import evaluate
from chcfuzz.grammar.parse import parse, parse_term
from chcfuzz.grammar.printer import print_system, print_term
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import FALSE, Atom, Predicate, Quantifier, Term, Variable

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpus"
WITNESSES = ROOT / "seeds" / "witnesses"
NAMES = [path.relative_to(CORPUS).with_suffix("").as_posix() for path in sorted(CORPUS.rglob("*.smt2"))]

# For one clause.
RLIMIT = 1_000_000
CVC5_RLIMIT = "500000"


@cache
def seed(name: str) -> System:
    return parse((CORPUS / f"{name}.smt2").read_text(), name)


def witness(name: str, kind: str) -> str:
    return (WITNESSES / f"{name}.{kind}").read_text()


def names(status: str) -> list[str]:
    return [name for name in NAMES if seed(name).status == status]


# Models -------------------------------------------------------------------------------------------


def datatypes(system: System) -> list[str]:
    text = print_system(system.with_clauses(()))
    return [line for line in text.splitlines() if line.startswith("(declare-datatypes")]


def negations(system: System) -> list[str]:
    return [f"(assert (not {print_term(clause.formula)}))" for clause in system.clauses]


def fails_with_z3(system: System, model: str) -> list[int]:
    """The clauses that the model (define-funs) does not satisfy, by number: plain SMT, no Horn engine."""
    solver = z3.SimpleSolver(ctx=z3.Context())
    solver.set("rlimit", RLIMIT)
    text = "\n".join([*datatypes(system), model, *negations(system)])
    failed = []
    for index, negated in enumerate(z3.parse_smt2_string(text, ctx=solver.ctx)):
        solver.push()
        solver.add(negated)
        if solver.check() != z3.unsat:
            failed.append(index)
        solver.pop()
    return failed


def answers_of_cvc5(system: System, model: str) -> list[str]:
    """cvc5's answers to the negated clauses under the model, one a clause."""
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("rlimit-per", CVC5_RLIMIT)
    solver.setOption("incremental", "true")
    solver.setOption("arrays-exp", "true")
    parser = cvc5.InputParser(solver)
    checks = [f"(push 1)\n{negated}\n(check-sat)\n(pop 1)" for negated in negations(system)]
    text = "\n".join(["(set-logic ALL)", *datatypes(system), model, *checks])
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "model")
    answers = []
    while not (command := parser.nextCommand()).isNull():
        answers += command.invoke(solver, parser.getSymbolManager()).split()
    return answers


@pytest.mark.parametrize("name", names("sat"))
def test_model_satisfies_every_clause(name: str) -> None:
    assert fails_with_z3(seed(name), witness(name, "model")) == []


@pytest.mark.parametrize("name", names("sat"))
def test_seed_is_no_finding_itself(name: str) -> None:
    """Spacer's own model is right too; else every mutant of the seed would show the same known mistake."""
    system = seed(name)
    solver = z3.SolverFor("HORN", ctx=z3.Context())
    solver.from_string(print_system(system))
    assert solver.check() == z3.sat
    model = solver.model()
    known = {declaration.name() for declaration in model.decls()}
    rest = [unneeded(predicate) for predicate in system.predicates if predicate.name not in known]
    assert fails_with_z3(system, "\n".join([model.sexpr(), *rest])) == []


def unneeded(predicate: Predicate) -> str:
    """A predicate that Z3's model leaves out, as one that never holds."""
    parameters = " ".join(f"(x!{index} {sort})" for index, sort in enumerate(predicate.parameters))
    return f"(define-fun {predicate.name} ({parameters}) Bool false)"


def test_cvc5_confirms_the_models() -> None:
    answers = {name: answers_of_cvc5(seed(name), witness(name, "model")) for name in names("sat")}
    assert {name: answer for name, answer in answers.items() if set(answer) - {"unsat", "unknown"}} == {}
    assert all(len(answer) == len(seed(name).clauses) for name, answer in answers.items())
    undecided = [name for name, answer in answers.items() if "unknown" in answer]
    assert len(undecided) <= len(answers) // 50, undecided


def test_a_model_that_is_not_inductive_is_refused() -> None:
    name = "lia/count-up-safe"
    for wrong, clause in (("(<= x 9)", 1), ("(<= x 11)", 2), ("(> x 0)", 0)):
        model = f"(define-fun loop ((x Int)) Bool {wrong})"
        assert fails_with_z3(seed(name), model)[0] == clause
        assert answers_of_cvc5(seed(name), model)[clause] == "sat"


# Derivations --------------------------------------------------------------------------------------


class BrokenDerivationError(Exception):
    """A step of a derivation does not follow, or the last one is not false."""


def check_derivation(system: System, text: str) -> None:
    """Raises BrokenDerivationError unless each step is right and the last one derives false."""
    facts: list[Term] = []
    for line in text.splitlines():
        number, rest = line.split(": ", 1)
        left, fact_text = rest.split(" |- ")
        what, *details = left.split(", ")
        clause = system.clauses[int(what.removeprefix("clause "))]
        earlier = []
        if details and details[0].startswith("from "):
            earlier = [int(word) for word in details.pop(0).split()[1:]]
        if int(number) != len(facts):
            raise BrokenDerivationError(f"step {number} stands at place {len(facts)}")
        if any(premise not in range(len(facts)) for premise in earlier):
            raise BrokenDerivationError(f"step {number} follows from a step that is not before it")
        premises = [facts[premise] for premise in earlier]
        variables = {variable.name: variable for variable in all_variables(clause)}
        values = {}
        for detail in details:
            name, value = detail.split(" = ", 1)
            values[variables[name]] = evaluate(parse_term(value, (), system), {}, None)
        fact = parse_term(fact_text, (), system)
        check_step(clause, values, premises, fact, f"step {number}")
        facts.append(fact)
    if not facts or facts[-1] is not FALSE:
        raise BrokenDerivationError("the last step does not derive false")


def check_step(
    clause: Clause, values: Mapping[Variable, object], premises: list[Term], fact: Term, where: str
) -> None:
    given = {ground(premise) for premise in premises}

    def holds(predicate: Predicate, args: Sequence[object]) -> bool:
        return (predicate, tuple(args)) in given

    for member in clause.body:
        if evaluate(instantiated(member), values, holds) is not True:
            raise BrokenDerivationError(f"{where}: {print_term(member)} does not hold")
    if isinstance(clause.head, Atom):
        args = tuple(evaluate(argument, values, None) for argument in clause.head.children)
        if fact is FALSE or (clause.head.predicate, args) != ground(fact):
            raise BrokenDerivationError(f"{where}: the head is not {print_term(fact)}")
    elif fact is not FALSE or evaluate(clause.head, values, None) is not False:
        raise BrokenDerivationError(f"{where}: {print_term(clause.head)} is not false")


def ground(atom: Term) -> tuple[Predicate, tuple[object, ...]]:
    assert isinstance(atom, Atom)
    return atom.predicate, tuple(evaluate(argument, {}, None) for argument in atom.children)


def instantiated(term: Term) -> Term:
    """The term with `exists` left out: a derivation has values for what it binds, and bodies are monotone."""
    if isinstance(term, Quantifier):
        assert term.kind == "exists"
        return instantiated(term.body)
    return term.rebuild([instantiated(child) for child in term.children])


def all_variables(clause: Clause) -> Iterator[Variable]:
    yield from clause.variables
    open_terms = list(clause.body)
    while open_terms:
        term = open_terms.pop()
        if isinstance(term, Quantifier):
            yield from term.variables
        open_terms += term.children


@pytest.mark.parametrize("name", names("unsat"))
def test_derivation_ends_in_false(name: str) -> None:
    check_derivation(seed(name), witness(name, "derivation"))


STEPS = ["0: clause 0 |- (loop 0)", "1: clause 1, from 0, x = 0, y = 2 |- (loop 2)"]
END = "2: clause 2, from 1, x = 2 |- false"


@pytest.mark.parametrize(
    ("steps", "complaint"),
    [
        ([], "the last step does not derive false"),
        (STEPS, "the last step does not derive false"),
        ([*STEPS, "2: clause 2, from 0, x = 2 |- false"], r"step 2: \(loop x\) does not hold"),
        ([*STEPS, "2: clause 2, from 1, x = 1 |- false"], r"step 2: \(loop x\) does not hold"),
        ([*STEPS, "2: clause 0 |- false"], r"step 2: the head is not false"),
        ([STEPS[0], STEPS[1].replace("y = 2", "y = 3"), END], r"step 1: \(= y \(\+ x 2\)\) does not hold"),
        ([STEPS[0], STEPS[1].replace("(loop 2)", "(loop 4)"), END], r"step 1: the head is not \(loop 4\)"),
        ([STEPS[1], END], "step 1 stands at place 0"),
        ([STEPS[0], STEPS[1].replace("from 0", "from 2"), END], "follows from a step that is not before it"),
    ],
)
def test_a_broken_derivation_is_refused(steps: list[str], complaint: str) -> None:
    system = parse(
        """(set-logic HORN)
        (declare-fun loop (Int) Bool)
        (assert (loop 0))
        (assert (forall ((x Int) (y Int)) (=> (and (loop x) (= y (+ x 2))) (loop y))))
        (assert (forall ((x Int)) (=> (and (loop x) (= x 2)) false)))
        (check-sat)"""
    )
    check_derivation(system, "\n".join([*STEPS, END]))
    with pytest.raises(BrokenDerivationError, match=complaint):
        check_derivation(system, "\n".join(steps))


def test_every_witness_belongs_to_a_seed() -> None:
    kinds = {"sat": "model", "unsat": "derivation"}
    assert sorted(path for path in WITNESSES.rglob("*") if path.is_file()) == sorted(
        WITNESSES / f"{name}.{kinds[str(seed(name).status)]}" for name in NAMES
    )
