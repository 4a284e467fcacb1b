"""Every seed has a witness for its status, checked here without Spacer: a model, or a derivation of false.

seeds/find_witnesses.py describes the format of the witnesses.
"""

from functools import cache
from pathlib import Path

import cvc5
import pytest
import z3
from chcfuzz.domains.chc.oracles.refutation import fault
from chcfuzz.domains.chc.oracles.refutation_text import parse_refutation
from chcfuzz.grammar.printing.printer import print_system, print_term
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Predicate

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
    """Return the numbers of the clauses that the model (define-funs) violates, by plain SMT without the Horn engine."""
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
    """Return cvc5's answers to the negated clauses under the model, one per clause."""
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
        answers += command.invoke(solver, parser.getSymbolManager()).split()[:1]  # an unknown comes with its reason
    return answers


@pytest.mark.parametrize("name", names("sat"))
def test_model_satisfies_every_clause(name: str) -> None:
    assert fails_with_z3(seed(name), witness(name, "model")) == []


@pytest.mark.parametrize("name", names("sat"))
def test_spacers_own_model_of_the_seed_is_correct(name: str) -> None:
    """Otherwise every mutant of the seed would show the same known bug."""
    system = seed(name)
    solver = z3.SolverFor("HORN", ctx=z3.Context())
    solver.from_string(print_system(system))
    assert solver.check() == z3.sat
    model = solver.model()
    known = {declaration.name() for declaration in model.decls()}
    rest = [unneeded(predicate) for predicate in system.predicates if predicate.name not in known]
    assert fails_with_z3(system, "\n".join([model.sexpr(), *rest])) == []


def unneeded(predicate: Predicate) -> str:
    """Define a predicate that Z3's model omits as always false."""
    parameters = " ".join(f"(x!{index} {sort})" for index, sort in enumerate(predicate.parameters))
    return f"(define-fun {predicate.name} ({parameters}) Bool false)"


@pytest.mark.slow
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


@pytest.mark.parametrize("name", names("unsat"))
def test_derivation_ends_in_false(name: str) -> None:
    """The evaluator alone checks it; domains/chc/oracles/test_refutation.py shows that it rejects wrong derivations."""
    system = seed(name)
    assert fault(system, parse_refutation(system, witness(name, "derivation"))) is None


def test_every_witness_belongs_to_a_seed() -> None:
    kinds = {"sat": "model", "unsat": "derivation"}
    assert sorted(path for path in WITNESSES.rglob("*") if path.is_file()) == sorted(
        WITNESSES / f"{name}.{kinds[str(seed(name).status)]}" for name in NAMES
    )
