"""How the seeds are written down, and how that becomes SMT-LIB text.

A program gives its rules one after another as ``body ... => head``: SMT-LIB terms, the members of the body
side by side. Variables are declared once for the whole program; a rule is quantified over those that it uses.

    program(
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

This makes two systems, ``lia/count-up-safe`` (sat) and ``lia/count-up-unsafe`` (unsat), which differ in what
stands for ``{last}``. Between rules, a line that begins with ``;`` is a comment on the next rule, a word such
as ``:disjunction`` says how the next rule is asserted (see SHAPES), and ``assert`` asserts the formula after
it as it stands.
"""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")
WIDTH = 100


@dataclass(frozen=True)
class Seed:
    """One system. `name` is its path below corpus/, without the suffix; `text` is the whole file."""

    name: str
    status: str
    text: str


def program(
    name: str,
    story: str,
    *,
    rules: str,
    predicates: str,
    variables: str = "",
    datatypes: str = "",
    shape: str = "implication",
    safe: Mapping[str, str] | None = None,
    unsafe: Mapping[str, str] | None = None,
) -> list[Seed]:
    """The systems of one program: `name`-safe (sat) and `name`-unsafe (unsat), or only the one that is given.

    `safe` and `unsafe` say what stands in the places ``{...}`` of `story` and `rules`.
    """
    seeds = []
    for version, status, places in (("safe", "sat", safe), ("unsafe", "unsat", unsafe)):
        if places is not None:
            lines = [
                *(f"; {line}".rstrip() for line in _plain(story.format(**places)).splitlines()),
                "(set-logic HORN)",
                f"(set-info :status {status})",
                *_plain(datatypes).splitlines(),
                *(_declaration(words) for words in _expressions(predicates)),
                *_assertions(rules.format(**places), _variables(variables), shape),
                "(check-sat)",
            ]
            seeds.append(Seed(f"{name}-{version}", status, "\n".join(lines) + "\n"))
    return seeds


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


def _expressions(text: str) -> Iterator[str]:
    """The S-expressions and comments of a text, white space evened out."""
    words: list[str] = []
    depth = 0
    for word in TOKEN.findall(text):
        depth += (word == "(") - (word == ")")
        words.append(word)
        if depth == 0:
            yield " ".join(words).replace("( ", "(").replace(" )", ")")
            words = []
    if words:
        raise ValueError(f"unbalanced parentheses: {' '.join(words)[:80]}")


def _variables(text: str) -> dict[str, str]:
    """``x y Int; a (Array Int Int)`` as name -> sort, in the order of the text."""
    sorts = {}
    for group in filter(str.strip, text.split(";")):
        *names, sort = _expressions(group)
        sorts.update(dict.fromkeys(names, sort))
    return sorts


def _declaration(predicate: str) -> str:
    name, *sorts = _expressions(predicate.removeprefix("(").removesuffix(")"))
    return f"(declare-fun {name} ({' '.join(sorts)}) Bool)"


def _assertions(rules: str, variables: Mapping[str, str], shape: str) -> Iterator[str]:
    body: list[str] = []
    this_shape = shape
    expressions = _expressions(rules)
    for expression in expressions:
        if expression.startswith(";"):
            yield expression
        elif expression.startswith(":"):
            this_shape = expression.removeprefix(":")
        elif expression == "assert":
            yield _laid_out(_call("assert", next(expressions)))
        elif expression == "=>":
            head = next(expressions)
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
    """The expression on one line where it fits; else its arguments on lines of their own."""
    if indent + len(expression) <= WIDTH or not expression.startswith("("):
        return expression
    parts = list(_expressions(expression[1:-1]))
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
