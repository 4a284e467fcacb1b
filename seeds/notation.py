"""Notation of the seeds, and its translation to SMT-LIB.

A program lists rules of the form ``body ... => head``, in which all parts are SMT-LIB terms and the body is a sequence
of conjuncts. Variables are declared once per program; each rule is quantified over the variables that it uses.

    Program(
        "lia/count-up",
        "x := 0; while x < 10: x := x + 1; assert x = {last}",
        predicates="(loop Int)",
        variables="x y Int",
        rules='''
            => (loop 0)
            (loop x) (< x 10) (= y (+ x 1)) => (loop y)
            (loop x) (>= x 10) (not (= x {last})) => false
        ''',
        safe={"last": "10"},
        unsafe={"last": "11"},
    )

These are two systems, ``lia/count-up-safe`` (sat) and ``lia/count-up-unsafe`` (unsat), which differ in the value of
``{last}``. Between rules, a line that begins with ``;`` is a comment on the next rule, a word such as ``:disjunction``
chooses the shape of the next rule (see SHAPES), and ``assert`` asserts the formula after it unchanged.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

from expressions import TOKEN, expressions

WIDTH = 100


@dataclass(frozen=True)
class Seed:
    """A system: `name` is its path below corpus/ without the suffix, `text` the contents of the file."""

    name: str
    status: str
    text: str


@dataclass(frozen=True)
class Program:
    """A program whose iterator yields its systems: `name`-safe (sat) and `name`-unsafe (unsat).

    `safe` and `unsafe` are the values of the placeholders ``{...}`` in `story` and `rules`; a system without values is
    left out.
    """

    name: str
    story: str
    _: KW_ONLY
    rules: str
    predicates: str
    variables: str = ""
    datatypes: str = ""
    shape: str = "implication"
    safe: Mapping[str, str] | None = None
    unsafe: Mapping[str, str] | None = None

    def __iter__(self) -> Iterator[Seed]:
        for version, status, values in (("safe", "sat", self.safe), ("unsafe", "unsat", self.unsafe)):
            if values is not None:
                lines = [
                    *(f"; {line}".rstrip() for line in _plain(self.story.format(**values)).splitlines()),
                    "(set-logic HORN)",
                    f"(set-info :status {status})",
                    *_plain(self.datatypes).splitlines(),
                    *(_declaration(predicate) for predicate in expressions(self.predicates)),
                    *_assertions(self.rules.format(**values), _variables(self.variables), self.shape),
                    "(check-sat)",
                ]
                yield Seed(f"{self.name}-{version}", status, "\n".join(lines) + "\n")


# The shapes of a clause ---------------------------------------------------------------------------


def _implication(body: Sequence[str], head: str) -> str:
    return _call("=>", _conjunction(body), head) if body else head


def _curried(body: Sequence[str], head: str) -> str:
    formula = head
    for member in reversed(body):
        formula = _call("=>", member, formula)
    return formula


def _n_ary(body: Sequence[str], head: str) -> str:
    return _call("=>", *body, head) if body else head


def _disjunction(body: Sequence[str], head: str) -> str:
    members = [_negation(member) for member in body] + ([] if head == "false" else [head])
    return _call("or", *members) if len(members) > 1 else members[0]


def _head_first(body: Sequence[str], head: str) -> str:
    return _call("or", head, _negation(_conjunction(body))) if body else head


def _negated_conjunction(body: Sequence[str], head: str) -> str:
    members = list(body) if head == "false" else [*body, _negation(head)]
    return _negation(_conjunction(members))


SHAPES = {
    "implication": _implication,  # (=> (and b c) h)
    "curried": _curried,  # (=> b (=> c h))
    "n-ary": _n_ary,  # (=> b c h)
    "disjunction": _disjunction,  # (or (not b) (not c) h)
    "head-first": _head_first,  # (or h (not (and b c)))
    "negated-conjunction": _negated_conjunction,  # (not (and b c (not h)))
    "negated-exists": _negated_conjunction,  # (not (exists (...) (and b c))) for queries, else as above
}


def _conjunction(members: Sequence[str]) -> str:
    return _call("and", *members) if len(members) > 1 else members[0]


def _negation(formula: str) -> str:
    return _call("not", formula)


def _call(operator: str, *arguments: str) -> str:
    return f"({operator} {' '.join(arguments)})"


# Reading the notation -----------------------------------------------------------------------------


def _plain(text: str) -> str:
    return textwrap.dedent(text).strip("\n").rstrip()


def _variables(text: str) -> dict[str, str]:
    """Parse ``x y Int; a (Array Int Int)`` into a mapping from names to sorts, in the order of the text."""
    sorts = {}
    for group in filter(str.strip, text.split(";")):
        *names, sort = expressions(group)
        sorts.update(dict.fromkeys(names, sort))
    return sorts


def _declaration(predicate: str) -> str:
    name, *sorts = expressions(predicate.removeprefix("(").removesuffix(")"))
    return f"(declare-fun {name} ({' '.join(sorts)}) Bool)"


def _assertions(rules: str, variables: Mapping[str, str], shape: str) -> Iterator[str]:
    body: list[str] = []
    this_shape = shape
    rest = expressions(rules)
    for expression in rest:
        if expression.startswith(";"):
            yield expression
        elif expression.startswith(":"):
            this_shape = expression.removeprefix(":")
        elif expression == "assert":
            yield _laid_out(_call("assert", next(rest)))
        elif expression == "=>":
            head = next(rest)
            yield _laid_out(_call("assert", _closed(body, head, variables, this_shape)))
            body, this_shape = [], shape
        else:
            body.append(expression)
    if body:
        raise ValueError(f"a rule without a head: {' '.join(body)}")


def _closed(body: Sequence[str], head: str, variables: Mapping[str, str], shape: str) -> str:
    used = set(TOKEN.findall(" ".join([*body, head])))
    bound = " ".join(f"({name} {sort})" for name, sort in variables.items() if name in used)
    matrix = SHAPES[shape](body, head)
    if not bound:
        return matrix
    if shape == "negated-exists" and head == "false":
        return f"(not (exists ({bound}) {matrix.removeprefix('(not ')})"
    return f"(forall ({bound}) {matrix})"


# Laying out ---------------------------------------------------------------------------------------


def _laid_out(expression: str, indent: int = 0) -> str:
    """Return the expression on one line if it fits, otherwise with its arguments on separate lines."""
    if indent + len(expression) <= WIDTH or not expression.startswith("("):
        return expression
    parts = list(expressions(expression[1:-1]))
    kept = 2 if parts[0] in ("forall", "exists", "let") else 1
    first = " ".join(parts[:kept])
    if parts[0] in ("assert", "forall", "exists", "let", "not", "!"):
        rest = [_laid_out(part, indent + 2) for part in parts[kept:]]
        if parts[0] == "assert":
            return f"({first} {_laid_out(parts[1], indent)})"
        return f"({first}\n" + "\n".join(" " * (indent + 2) + part for part in rest) + ")"
    column = indent + len(first) + 2
    rest = [_laid_out(part, column) for part in parts[1:]]
    return f"({first} " + ("\n" + " " * column).join(rest) + ")"
