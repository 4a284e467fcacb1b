"""The three solvers as printers of models, for tests."""

from __future__ import annotations

from typing import Any

import bitwuzla
import cvc5
import z3


def z3_model(text: str) -> str | None:
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(text)
    return str(solver.model().sexpr()) if solver.check() == z3.sat else None


def cvc5_model(text: str) -> str | None:
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("produce-models", "true")
    solver.setOption("arrays-exp", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"{text}(get-model)", "text")
    answers = []
    while not (command := parser.nextCommand()).isNull():
        answers.append(command.invoke(solver, parser.getSymbolManager()).strip())
    answer, model = [each for each in answers if each][:2]
    return model if answer == "sat" else None


def bitwuzla_model(text: str) -> str | None:
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(text, True, False)
    solver = parser.bitwuzla()
    if solver.check_sat() != bitwuzla.Result.SAT:
        return None
    return "\n".join(_definition(solver, function) for function in parser.get_declared_funs())


def _definition(solver: Any, function: Any) -> str:
    body, sort = solver.get_value(function), function.sort()
    if not sort.is_fun():
        return f"(define-fun {function} () {sort} {body})"
    parameters = []
    for domain in sort.fun_domain():
        variable, body = body.children()
        parameters.append(f"({variable} {domain})")
    return f"(define-fun {function} ({' '.join(parameters)}) {sort.fun_codomain()} {body})"


MODELS = {"z3": z3_model, "cvc5": cvc5_model, "bitwuzla": bitwuzla_model}
