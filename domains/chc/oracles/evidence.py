"""Scripts that show a witness, or a fault of one, with any solver: plain SMT-LIB without anything left to search.

Each script begins with the expected result. cvc5 needs `--incremental`, and `--arrays-exp` for constant arrays.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence, Set
from dataclasses import dataclass

from chcfuzz.domains.chc.oracles.refutation import DerivationStep, PrenexClause, Refutation, prenex
from chcfuzz.grammar.evaluation.values import as_term
from chcfuzz.grammar.printing.constant_arrays import WORDS_ON_WEAKENED, weakened
from chcfuzz.grammar.printing.printer import print_datatypes, print_term
from chcfuzz.grammar.reading.leniences import aliases
from chcfuzz.grammar.substitution import fresh_name, substitute
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Term, Variable, conjunction, free_variables, implication, negation
from chcfuzz.grammar.theory import operator_names
from chcfuzz.oracles.scripts import joined, ordered
from chcfuzz.solvers.model_text import name_of
from chcfuzz.solvers.solver_model import AnyModel

_LOGIC = "(set-logic ALL)"
_DIVISIONS = [name for name in aliases() if name.endswith("_i")]  # SMT-LIB's, as Z3 prints them
_DIVISION_OF_Z3 = re.compile(rf"\(({'|'.join(_DIVISIONS)})(?=\s)")


def model_script(system: System, model: AnyModel) -> str:
    """Return a `check-sat` for each clause, in order: unsat if the clause holds under the model."""
    lines = ["; A model, and the negation of each clause: unsat every time, so every clause holds under it.", _LOGIC]
    lines += [*map(print_datatypes, system.datatypes), *definitions(system, model)]
    for number, clause in enumerate(system.clauses, start=1):
        lines += _query(f"clause {number}", [print_term(negation(clause.formula))])
    return joined(lines)


@dataclass(frozen=True)
class ClauseUnderModel:
    """A clause of a system, and the definitions of a model that it needs.

    The `clause` is in prenex form. Its variables, bound ones included, are named like nothing else.
    """

    system: System
    number: int  # of the clause, from 0
    clause: PrenexClause
    definitions: tuple[str, ...]

    def script(self) -> str:
        """Return a script that is satisfiable if and only if the clause is false for some values of its variables."""
        title = f"; A model, and the negation of clause {self.number + 1}: satisfiable, so the model is wrong."
        asserted = (*self.clause.body, negation(self.clause.head))
        return f"{title}\n{values_script(self.system, self.definitions, self.clause.variables, asserted)}"


def under_model(system: System, model: AnyModel, number: int) -> ClauseUnderModel:
    """Return clause `number` of a system under a model, which is printed once, as that may take longer than solving."""
    clause = system.clauses[number]
    given = definitions(system, model, clause.predicate_names)
    taken = names(system) | {name_of(each).strip("|") for each in given}
    return ClauseUnderModel(system, number, apart(prenex(clause), taken), tuple(given))


def values_script(
    system: System, given: Sequence[str], variables: Sequence[Variable], assertions: Sequence[Term]
) -> str:
    """Return a script that queries values of variables that satisfy the assertions, given some definitions."""
    lines = ["(set-option :produce-models true)", _LOGIC, *map(print_datatypes, system.datatypes), *given]
    lines += [f"(declare-const {quoted(variable.name)} {variable.sort})" for variable in variables]
    lines += [f"(assert {print_term(term)})" for term in assertions]
    return joined([*lines, "(check-sat)", "(get-model)"])


def refutation_script(system: System, refutation: Refutation) -> str:
    """Return a `check-sat` for each step, in order: unsat if the step is right.

    Each query asserts the negated fact of a step, an instance of its clause, and the facts of the steps before it.
    Nothing else is assumed about the predicates. The last step's fact is false. Steps and clauses are counted from 1.
    """
    lines = ["; A derivation of false: unsat every time, so each fact follows from those before it.", _LOGIC]
    lines += [*map(print_datatypes, system.datatypes), *_declarations(system)]
    for number, step in enumerate(refutation):
        lines += _step(system, number, step)
    return joined(lines)


def formula_script(system: System, formula: Term) -> str:
    """Return a `check-sat` whose answer unsat refutes a formula; its free variables are constants."""
    shown = weakened(formula, names(system))
    lines = [] if shown is formula else [WORDS_ON_WEAKENED]
    lines += [_LOGIC, *map(print_datatypes, system.datatypes)]
    lines += [f"(declare-const {quoted(variable.name)} {variable.sort})" for variable in free_variables(shown)]
    return joined([*lines, f"(assert {print_term(shown)})", "(check-sat)"])


def clauses_script(system: System) -> str:
    """Return a `check-sat` of all clauses, the predicates being uninterpreted functions."""
    lines = [_LOGIC, *map(print_datatypes, system.datatypes), *_declarations(system)]
    lines += [f"(assert {print_term(clause.formula)})" for clause in system.clauses]
    return joined([*lines, "(check-sat)"])


def _declarations(system: System) -> Iterator[str]:
    for predicate in system.predicates:
        sorts = " ".join(map(str, predicate.parameters))
        yield f"(declare-fun {quoted(predicate.name)} ({sorts}) Bool)"


def _step(system: System, number: int, step: DerivationStep) -> Iterator[str]:
    clause = apart(prenex(system.clauses[step.clause]), names(system))
    instance = print_term(implication(conjunction(*clause.body), clause.head))
    if clause.variables:
        pairs = zip(clause.variables, step.values, strict=True)
        values = " ".join(f"({quoted(each.name)} {print_term(as_term(value, each.sort))})" for each, value in pairs)
        instance = f"(let ({values}) {instance})"
    fact = "false" if step.fact is None else str(step.fact)
    yield from _query(f"step {number + 1}: clause {step.clause + 1}", [instance, f"(not {fact})"])
    if step.fact is not None:
        yield f"(assert {fact})"


def _query(title: str, assertions: Sequence[str]) -> list[str]:
    """Return a `check-sat` of assertions that no later command sees."""
    return [f'(echo "{title}")', "(push 1)", *(f"(assert {each})" for each in assertions), "(check-sat)", "(pop 1)"]


def apart(clause: PrenexClause, taken: Set[str]) -> PrenexClause:
    """Return the clause with its variables renamed where their names are taken."""
    known = {*taken, *(variable.name for variable in clause.variables)}
    fresh: dict[Variable, Variable] = {}
    for variable in clause.variables:
        name = fresh_name(variable.name, known) if variable.name in taken else variable.name
        known.add(name)
        fresh[variable] = Variable(name, variable.sort)
    body = tuple(substitute(member, fresh) for member in clause.body)
    return PrenexClause(tuple(fresh.values()), body, substitute(clause.head, fresh))


def names(system: System) -> set[str]:
    """Return the names with a meaning in a script about a system: of operators, constructors, selectors, predicates."""
    declared = (datatype for group in system.datatypes for datatype in group)
    constructors = [constructor for datatype in declared for constructor in datatype.constructors]
    selectors = (selector.name for constructor in constructors for selector in constructor.selectors)
    predicates = (predicate.name for predicate in system.predicates)
    return {
        *operator_names(is_smt=False),
        *(constructor.name for constructor in constructors),
        *selectors,
        *predicates,
    }


def definitions(system: System, model: AnyModel, wanted: Container[str] | None = None) -> list[str]:
    """Return a `define-fun` for each predicate, preceded by those that it uses; only for those with `wanted` names."""
    defined = model.defined
    predicates = [each for each in system.predicates if wanted is None or each.name in wanted]

    def standard(found: re.Match[str]) -> str:
        return found[0] if found[1] in defined else f"({aliases()[found[1]]}"

    lines = [_DIVISION_OF_Z3.sub(standard, definition) for definition in ordered(model.definitions, wanted)]
    # A predicate without a definition may be anything: Z3 omits predicates that are false.
    for predicate in predicates:
        if predicate.name not in defined:
            parameters = " ".join(f"(x!{i} {sort})" for i, sort in enumerate(predicate.parameters))
            lines.append(f"(define-fun {quoted(predicate.name)} ({parameters}) Bool false)")
    return lines
