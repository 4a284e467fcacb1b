"""The facts that Spacer has found, by `Z3_fixedpoint_get_reachable`, in a run of its own through the API.

Slicing must be off for it. Inlining and unfolding are off, so that a fact follows by one rule of the file: an unfolded
rule takes several steps at once. Z3 returns the facts of a
predicate in the order in which it found them. It refuses those of a predicate with a rule without predicates in its
body that has a variable which its head lacks: such facts have auxiliary variables.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

import z3
from chcfuzz.domains.chc.solver_steps.observation import FoundFacts
from chcfuzz.domains.chc.solver_steps.text_format import without_queries
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.problem import Pairs
from chcfuzz.grammar.system import System
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import message
from chcfuzz.solvers.z3_parameters import fixedpoint_parameters

_OWN = {
    "engine": "spacer",
    "xform.slice": False,
    "xform.inline_eager": False,
    "xform.inline_linear": False,
    "xform.unfold_rules": 0,
}
_MOST_FACTS = 200  # of a run


def found_facts(system: System, parameters: Pairs, rlimit: int, watchdog: Watchdog) -> FoundFacts:
    """Return the facts that Spacer finds for a system, but not those that it cannot print.

    If Z3 refuses the run, or a limit ends it, the result is the message of Z3 alone.
    """
    rules = without_queries(system)
    fixedpoint = z3.Fixedpoint(ctx=z3.Context(rlimit=rlimit))  # as a parameter of a fixedpoint, old releases refuse it
    with watchdog.guard(fixedpoint.ctx), _silent():
        try:
            _set(fixedpoint, parameters)
            asserted = z3.parse_smt2_string(print_system(rules.system.with_header((), ())), ctx=fixedpoint.ctx)
            declared = _declared(asserted)
            for declaration in declared.values():
                fixedpoint.register_relation(declaration)
            for rule in asserted:
                fixedpoint.add_rule(rule)
            if rules.query in declared:
                fixedpoint.query(declared[rules.query]())
        except z3.Z3Exception as error:
            return FoundFacts(refusal=message(error))
        known = ((name, text) for name in sorted(declared) for text in _facts(fixedpoint, declared[name]))
        return FoundFacts(tuple(islice(known, _MOST_FACTS)))


def _set(fixedpoint: z3.Fixedpoint, parameters: Pairs) -> None:
    kinds = {f"fp.{row.name}": row.kind for row in fixedpoint_parameters()}
    for name, value in parameters:
        if kinds.get(name) == "bool":
            fixedpoint.set(name.removeprefix("fp."), value == "true")
        elif kinds.get(name) == "unsigned int":
            fixedpoint.set(name.removeprefix("fp."), int(value))
    for name, own in _OWN.items():
        fixedpoint.set(name, own)


def _declared(asserted: z3.AstVector) -> dict[str, z3.FuncDeclRef]:
    """Return the predicates in assertions by name."""
    found: dict[str, z3.FuncDeclRef] = {}
    stack, seen = list(asserted), set[int]()
    while stack:
        here = stack.pop()
        if here.get_id() in seen:
            continue
        seen.add(here.get_id())
        stack += here.children()
        if z3.is_app(here) and z3.is_bool(here) and here.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found[here.decl().name()] = here.decl()
    return found


def _facts(fixedpoint: z3.Fixedpoint, declaration: z3.FuncDeclRef) -> Iterator[str]:
    """Yield the facts of a predicate, over its arguments as the progress log names them."""
    context = fixedpoint.ctx
    try:
        reached = z3.ExprRef(
            z3.Z3_fixedpoint_get_reachable(context.ref(), fixedpoint.fixedpoint, declaration.ast), context
        )
    except z3.Z3Exception:
        return
    names = [z3.Const(f"{declaration.name()}_{i}_n", declaration.domain(i)) for i in range(declaration.arity())]
    reached = z3.substitute_vars(reached, *names) if names else reached
    if not z3.is_false(reached):
        yield from (each.sexpr() for each in (reached.children() if z3.is_or(reached) else [reached]))


@contextmanager
def _silent() -> Iterator[None]:
    """Drop the output of this process: Z3 prints a line for facts that it cannot return."""
    null, kept = os.open(os.devnull, os.O_WRONLY), [os.dup(number) for number in (1, 2)]
    try:
        for number in (1, 2):
            os.dup2(null, number)
        yield
    finally:
        for number, copy in zip((1, 2), kept, strict=True):
            os.dup2(copy, number)
            os.close(copy)
        os.close(null)
