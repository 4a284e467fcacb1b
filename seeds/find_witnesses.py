"""Finds a witness for the status of each seed and writes it to seeds/witnesses/.

    python seeds/find_witnesses.py              for every file in corpus/
    python seeds/find_witnesses.py NAME...      only for these, e.g. lia/count-up-safe

A witness that begins with the line ``; by hand`` is left as it is.

Nothing depends on how a witness was found: tests/corpus checks each without asking Spacer. For a seed that is
sat, `NAME.model` holds one `define-fun` for each predicate. For one that is unsat, `NAME.derivation` holds a
ground derivation of false, one step a line:

    0: clause 0, x = 0 |- (loop 0)
    1: clause 1, from 0, x = 0, y = 1 |- (loop 1)
    2: clause 2, from 1, x = 1 |- false

Step 1 is the second assertion of the file under the values given: its body holds, the atoms in it being facts
of the earlier steps named after `from`, and so the fact on the right holds. Variables bound by `exists` in a
body have their values there too. Spacer names the facts; the values come from Z3 as a plain SMT solver.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import z3
from chcfuzz.grammar.parse import parse, parse_term
from chcfuzz.grammar.printer import print_system, print_term
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Atom, Predicate, Quantifier, Term, Variable

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "corpus"
WITNESSES = ROOT / "seeds" / "witnesses"

BY_HAND = "; by hand\n"
RLIMIT = 5_000_000
FALSE = "query!"  # stands for false where rules are given to Z3's Fixedpoint: every head there is a predicate
# With these transforms the answers speak of fewer predicates than the system has.
TRANSFORMS = ("inline_eager", "inline_linear", "slice", "subsumption_checker", "coi")
OPTIONS = {f"xform.{name}": False for name in TRANSFORMS}


def main() -> None:
    parser = argparse.ArgumentParser(description="Finds a witness for the status of each seed.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a seed, such as lia/count-up-safe")
    names = parser.parse_args().names or [
        path.relative_to(CORPUS).with_suffix("").as_posix() for path in sorted(CORPUS.rglob("*.smt2"))
    ]
    for name in names:
        text = (CORPUS / f"{name}.smt2").read_text(encoding="ascii")
        system = parse(text, name)
        kind = "model" if system.status == "sat" else "derivation"
        path = WITNESSES / f"{name}.{kind}"
        if path.is_file() and path.read_text(encoding="ascii").startswith(BY_HAND):
            continue
        witness = _model(text, system) if kind == "model" else _derivation(system)
        if witness is None:
            sys.exit(f"{name}: Spacer does not find a {kind} within rlimit {RLIMIT}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(witness, encoding="ascii")


# Models -------------------------------------------------------------------------------------------


def _model(text: str, system: System) -> str | None:
    for options in (OPTIONS, {}):
        solver = z3.SolverFor("HORN", ctx=z3.Context())
        solver.set("rlimit", RLIMIT)
        for option, value in options.items():
            solver.set(f"fp.{option}", value)
        solver.from_string(text)
        if solver.check() == z3.sat:
            model = solver.model()
            known = {declaration.name() for declaration in model.decls()}
            # Z3 leaves out predicates that no clause needs.
            rest = [_extension(p, []) for p in system.predicates if p.name not in known]
            return "\n".join(filter(None, [model.sexpr().rstrip(), *rest])) + "\n"
    return None


# Derivations --------------------------------------------------------------------------------------


def _derivation(system: System) -> str | None:
    facts = _facts(system)
    if facts is None:
        return None
    numbers: dict[str, int] = {}
    lines = []
    for fact, premises in facts.items():
        clause, values = _instance(system, fact, premises)
        words = [
            f"{len(numbers)}: clause {clause}",
            *([f"from {' '.join(str(numbers[premise]) for premise in premises)}"] if premises else []),
            *(f"{name} = {value}" for name, value in values),
        ]
        lines.append(f"{', '.join(words)} |- {'false' if fact == FALSE else fact}\n")
        numbers[fact] = len(numbers)
    return "".join(lines)


def _facts(system: System) -> dict[str, tuple[str, ...]] | None:
    """The facts of a ground derivation of false with those they follow from, which stand before them."""
    context = z3.Context()
    text = [*_declarations(system), f"(declare-fun {FALSE} () Bool)", *map(_rule, system.clauses)]
    rules = z3.parse_smt2_string("\n".join(text), ctx=context)
    solver = z3.Fixedpoint(ctx=context)
    solver.set(engine="spacer", rlimit=RLIMIT, **OPTIONS)
    query = z3.Bool(FALSE, context)
    predicates = {FALSE: query.decl()} | {p.name(): p for rule in rules for p in _predicates(rule)}
    for predicate in predicates.values():
        solver.register_relation(predicate)
    for rule in rules:
        solver.add_rule(rule)
    if solver.query(query) != z3.sat:
        return None

    last = solver.get_answer()
    while _fact(last, predicates) != FALSE:  # Spacer goes on from our false to its own
        last = next(child for child in last.children() if _is_derived(child))
    found: dict[str, tuple[str, ...]] = {}
    open_steps = [last]
    while open_steps:
        step = open_steps[-1]
        before = {_fact(child, predicates): child for child in step.children()[1:-1]}
        before.pop("", None)
        missing = [child for fact, child in before.items() if fact not in found]
        if missing:
            open_steps += missing
        else:
            found.setdefault(_fact(step, predicates), tuple(before))
            open_steps.pop()
    return found


def _fact(step: z3.ExprRef, predicates: dict[str, z3.FuncDeclRef]) -> str:
    """What a proof step concludes, as text; nothing if that is no ground atom of the system."""
    fact = step.children()[-1] if step.num_args() else step
    return _text(fact) if z3.is_app(fact) and fact.decl().name() in predicates else ""


def _is_derived(step: z3.ExprRef) -> bool:
    return z3.is_app(step) and step.decl().name() == "hyper-res"


def _text(term: z3.ExprRef) -> str:
    return re.sub(r"\s+", " ", term.sexpr())


def _predicates(rule: z3.ExprRef) -> Iterator[z3.FuncDeclRef]:
    if z3.is_quantifier(rule):
        yield from _predicates(rule.body())
    elif z3.is_app(rule):
        if z3.is_bool(rule) and rule.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            yield rule.decl()
        for child in rule.children():
            yield from _predicates(child)


def _declarations(system: System) -> list[str]:
    text = print_system(system.with_clauses(()))
    return [line for line in text.splitlines() if line.startswith("(declare")]


def _rule(clause: Clause) -> str:
    head = print_term(clause.head) if isinstance(clause.head, Atom) else FALSE
    rule = f"(=> {_body(clause)} {head})"
    bound = " ".join(f"({print_term(variable)} {variable.sort})" for variable in clause.variables)
    return f"(assert (forall ({bound}) {rule}))" if bound else f"(assert {rule})"


def _body(clause: Clause) -> str:
    members = [print_term(member) for member in clause.body]
    if clause.is_query:
        members.append(f"(not {print_term(clause.head)})")
    return f"(and true {' '.join(members)})"


def _instance(system: System, fact: str, premises: tuple[str, ...]) -> tuple[int, list[tuple[str, str]]]:
    """A clause, and values for its variables, with which the fact follows from the premises."""
    conclusion = None if fact == FALSE else parse_term(fact, (), system)
    atoms = [parse_term(premise, (), system) for premise in premises]
    extensions = [_extension(predicate, atoms) for predicate in system.predicates]
    for index, clause in enumerate(system.clauses):
        if clause.is_query if conclusion is None else _predicate(clause.head) is _predicate(conclusion):
            solver = z3.Solver(ctx=z3.Context())
            variables = list(clause.variables)
            body = [_opened(member, variables) for member in clause.body]
            text = [line for line in _declarations(system) if line.startswith("(declare-datatype")]
            text += extensions
            text += [f"(declare-const {print_term(variable)} {variable.sort})" for variable in variables]
            text += [f"(assert {print_term(member)})" for member in body]
            if conclusion is None:
                text.append(f"(assert (not {print_term(clause.head)}))")
            else:
                pairs = zip(clause.head.children, conclusion.children, strict=True)
                text += [f"(assert (= {print_term(one)} {print_term(other)}))" for one, other in pairs]
            solver.from_string("\n".join(text))
            if solver.check() == z3.sat:
                model = solver.model()
                values = {declaration.name(): model[declaration] for declaration in model.decls()}
                return index, [(variable.name, _text(values[variable.name])) for variable in variables]
    raise AssertionError(f"{fact} does not follow from {premises} by one clause")


def _predicate(term: Term) -> Predicate | None:
    return term.predicate if isinstance(term, Atom) else None


def _extension(predicate: Predicate, atoms: list[Term]) -> str:
    """The predicate as what holds of these atoms only."""
    names = [f"x!{index}" for index in range(len(predicate.parameters))]
    parameters = " ".join(f"({name} {sort})" for name, sort in zip(names, predicate.parameters, strict=True))
    cases = [
        " ".join(f"(= {name} {print_term(value)})" for name, value in zip(names, atom.children, strict=True))
        for atom in atoms
        if _predicate(atom) is predicate
    ]
    values = f"(or {' '.join(f'(and true {case})' for case in cases)})" if cases else "false"
    return f"(define-fun {predicate.name} ({parameters}) Bool {values})"


def _opened(term: Term, variables: list[Variable]) -> Term:
    """The term without `exists`; what they bound is added to the variables."""
    if isinstance(term, Quantifier):
        variables += term.variables
        return _opened(term.body, variables)
    return term.rebuild([_opened(child, variables) for child in term.children])


if __name__ == "__main__":
    main()
