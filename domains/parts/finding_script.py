"""The scripts in the folder of a finding about a part; they do not need chcfuzz.

A part that z3's own command offers has its script in SMT-LIB, a few commands; `ask_part.py` calls all others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from itertools import pairwise

from chcfuzz.domains.parts.part_solver import query_of
from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.domains.parts.solvers.calls import CORE_OPTION, PartQuery, quantified, soft_weights
from chcfuzz.domains.parts.solvers.command_calls import mbp_script
from chcfuzz.domains.smt.finding_script import run_of, script_with
from chcfuzz.triage.findings.contents import INPUT
from chcfuzz.triage.findings.reductions import prefix_of, stem_of
from chcfuzz.triage.findings.shell import limited, quoted, say

RUNNER = "ask_part.py"
_EVIDENCE = "evidence.smt2"
ASK_PART = r'''"""Ask a part of Z3 the question in a file: python ask_part.py FILE. (pip install z3-solver)

The line `(set-info :chcfuzz-part "(PART (SUBJECTS) ((NAME VALUE) ...) ((OPTION VALUE) ...))")` is the question.
"""

import re
import sys

import z3

text = open(sys.argv[1]).read()
question = re.search(r'\(set-info :chcfuzz-part "((?:[^"]|"")*)"\)', text)[1].replace('""', '"')
tokens = re.findall(r"\|[^|]*\||[()]|[^\s()|]+", question)


def parsed():
    token = tokens.pop(0)
    if token != "(":
        return token
    found = []
    while tokens[0] != ")":
        found.append(parsed())
    tokens.pop(0)
    return found


def printed(tree):
    return tree if isinstance(tree, str) else "(" + " ".join(map(printed, tree)) + ")"


part, subjects, values, options = (parsed() + [[], [], []])[:4]
reader = z3.Solver()
terms = subjects if part not in ("tactic", "tactic-proof", "simplifier") else []
equal = [(name, name) for name in terms] + [(name, printed(value)) for name, value in values if part in MODELS]
reader.from_string(text + "".join(f"(assert (= {left} {right}))" for left, right in equal))
found = list(reader.assertions())
formulas, rest = found[: len(found) - len(equal)], found[len(found) - len(equal) :]
F = formulas[0] if len(formulas) == 1 else z3.And(formulas)
variables = [each.arg(0) for each in rest[: len(terms)]]
core, context, size = z3.z3core, F.ctx, len(variables)
model = z3.ModelRef(core.Z3_mk_model(context.ref()), context)
for each in rest[len(terms) :]:
    core.Z3_add_const_interp(context.ref(), model.model, each.arg(0).decl().ast, z3.simplify(each.arg(1)).as_ast())
array = (z3.Ast * size)(*(each.as_ast() for each in variables))
flags = {name: value == "true" for name, value in options}

if part == "project":
    print(z3.BoolRef(core.Z3_qe_model_project(context.ref(), model.model, size, array, F.as_ast())).sexpr())
elif part == "witness":
    bound = z3.AstMap()
    found = core.Z3_qe_model_project_with_witness(context.ref(), model.model, size, array, F.as_ast(), bound.map)
    print(z3.BoolRef(found).sexpr(), [(key, bound[key]) for key in bound.keys()])
elif part == "implicant":
    print(z3.BoolRef(core.Z3_model_extrapolate(context.ref(), model.model, F.as_ast())).sexpr())
elif part == "simplify":
    print(z3.simplify(F, **flags).sexpr())
elif part == "qe-lite":
    left = z3.AstVector()
    for each in variables:
        left.push(each)
    print(z3.BoolRef(core.Z3_qe_lite(context.ref(), left.vector, F.as_ast())).sexpr(), "left:", left)
elif part == "optimum":
    optimize = z3.Optimize()
    optimize.add(formulas)
    goal = (optimize.minimize if dict(options).get("direction") == "minimize" else optimize.maximize)(variables[0])
    print(optimize.check(), goal, optimize.model())
elif part == "pareto":
    optimize = z3.Optimize()
    optimize.set("priority", "pareto")
    optimize.add(formulas)
    for each in variables:
        (optimize.minimize if dict(options).get("direction") == "minimize" else optimize.maximize)(each)
        if z3.is_arith(each):
            optimize.add(-8 <= each, each <= 8)
    for _ in range(7):
        answer = optimize.check()
        print(answer, optimize.model() if answer == z3.sat else "")
        if answer != z3.sat:
            break
elif part == "consequences":
    solver, marks = z3.Solver(), [z3.Bool(f"assumption {number}") for number in range(len(formulas))]
    solver.add([z3.Implies(mark, each) for mark, each in zip(marks, formulas)])
    print(solver.consequences(marks, variables))
elif part == "cube":
    solver = z3.Solver()
    solver.add(formulas)
    print([list(cube) for cube in solver.cube()])
elif part in ("cover", "ground"):
    rest = [each.arg(0) for each in found[len(formulas) + size :]]
    rest = [each for each in rest if not any(each.eq(variable) for variable in variables)]
    states, engine = z3.Function("states", *(each.sort() for each in rest), z3.BoolSort()), z3.Fixedpoint()
    engine.set(**{"engine": "spacer", "xform.slice": False, "xform.inline_linear": False, "xform.inline_eager": False})
    engine.register_relation(states)
    engine.declare_var(*variables, *rest)
    engine.rule(states(*rest), F)
    if part == "ground":
        print(engine.query(z3.Exists(rest, states(*rest)) if rest else states()))
        print(engine.get_ground_sat_answer(), engine.get_answer())
        sys.exit()
    query = z3.Not(z3.substitute(F, *((each, model[each]) for each in variables)))
    print(engine.query(z3.Exists(rest, z3.And(states(*rest), query))))
    print(z3.substitute_vars(engine.get_cover_delta(-1, states), *rest).sexpr())
elif part == "core":
    solver = z3.Solver()
    solver.set("core.minimize", flags.get("minimize", False))
    for number, each in enumerate(formulas):
        solver.assert_and_track(each, f"assertion {number + 1}")
    print(solver.check(), solver.unsat_core())
elif part == "push":
    solver = z3.Solver()
    for each in formulas:
        solver.push()
        solver.add(z3.Not(each))
        solver.check()
        solver.pop()
        solver.add(each)
        solver.check()
    answer = solver.check()
    print(answer, solver.model() if answer == z3.sat else "")
else:
    print(f"{part} is not a part that this script knows; use chcfuzz replay")
'''.replace("MODELS", '("project", "witness", "implicant", "cover", "ground")')


def command_script(problem: PartProblem) -> str:
    """Return a script for z3's own command that states the question; empty for a part that it does not offer."""
    query = query_of(problem)
    asserted = "".join(f"(assert {formula})\n" for formula in query.formulas)
    commands = _commands(query)
    if query.part == "mbp":
        return f"{mbp_script(query)}\n"
    if query.part in ("eliminate", "qsat"):
        return f"{query.declarations}(assert {quantified(query)})\n{commands}"
    if query.part in ("proof", "tactic-proof"):
        return f"(set-option :produce-proofs true)\n{query.declarations}{asserted}{commands}"
    if query.part == "soft":
        return f"{query.declarations}{commands}"
    if query.part == "simplifier":
        return f"{query.declarations}{commands}{asserted}(check-sat)\n(get-model)\n"
    return f"{query.declarations}{asserted}{commands}" if commands else ""


def _commands(query: PartQuery) -> str:
    """Return the commands that name the part; empty for a part that only the interface offers."""
    options = "".join(f" :{name} {value}" for name, value in query.options if name != CORE_OPTION)
    if query.part == "tactic":
        first, *others = query.subjects
        first = f"(using-params {first}{options})" if options else first
        whole = " ".join((first, *others))
        return f"(check-sat-using (then {whole} smt))\n(get-model)\n"
    if query.part == "tactic-proof":
        return f"(check-sat-using (then {' '.join(query.subjects)} smt))\n(get-proof)\n"
    if query.part == "simplifier":
        names = " ".join(query.subjects)
        return f"(set-simplifier (then {names}))\n" if len(query.subjects) > 1 else f"(set-simplifier {names})\n"
    if query.part == "soft":
        return _soft_commands(query)
    command = _SINGLE.get(query.part)
    return "" if command is None else command(query)


def _soft_commands(query: PartQuery) -> str:
    """Return the constraints, and a check with its cost."""
    engine = dict(query.options).get("engine")
    lines = [] if engine is None else [f"(set-option :opt.maxsat_engine {engine})"]
    lines += [f"(assert (or {one} {other}))" for one, other in pairwise(query.formulas)]
    for number, formula in enumerate(query.formulas):
        here, there = soft_weights(number)
        lines.append(f"(assert-soft {formula} :weight {here})\n(assert-soft (not {formula}) :weight {there})")
    return "\n".join([*lines, "(check-sat)\n(get-objectives)\n(get-model)\n"])


def _consequences_command(query: PartQuery) -> str:
    """Return the command without assumptions, which the options may want instead of assertions."""
    return "" if query.options else f"(get-consequences () ({' '.join(query.variables)}))\n"


_SINGLE: Mapping[str, Callable[[PartQuery], str]] = {
    "eliminate": lambda query: f"(apply {dict(query.options).get('by', 'qe')})\n",
    "qsat": lambda _query: "(apply qsat)\n",
    "consequences": _consequences_command,
    "proof": lambda _query: "(check-sat)\n(get-proof)\n",
}


def script(z3: str, headline: str, result: str, names: Set[str]) -> str:
    """Return show.sh: it calls the part, then runs Z3 on the evidence."""

    def shown(system: str) -> Sequence[str]:
        lines = [say(f"{system}: {result}:"), limited(_run(system, names, '"$PYTHON"', '"${PYTHON%python}z3"'))]
        evidence = prefix_of(stem_of(system)) + _EVIDENCE
        if evidence in names:
            lines.append(say(f"{evidence}: the answers that its comments state:"))
            lines.append(limited(run_of(evidence, "z3", is_tested=False, python='"$PYTHON"')))
        return lines

    return script_with((f"z3-solver=={z3}",), (), shown, headline, names)


def commands(z3: str, system: str, names: Set[str]) -> list[str]:
    """Return the commands that install Z3 and call the part."""
    return [quoted(("pip", "install", f"z3-solver=={z3}")), _run(system, names, "python3", "z3")]


def _run(system: str, names: Set[str], python: str, command: str) -> str:
    """Return the command that answers the question of a file: z3's own on its input, else the program."""
    given = prefix_of(stem_of(system)) + INPUT
    return f"{command} {given}" if given in names else f"{python} {RUNNER} {system}"
