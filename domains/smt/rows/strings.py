"""Strings, sequences and regular expressions: a term becomes an equal one, by splitting, definitions and algebra.

Every identity holds for all values, positions outside of strings and empty patterns included, where most mistakes of
solvers are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.sorts import INT, Sort
from chcfuzz.grammar.terms import Apply, Term, Value, apply, conjunction, disjunction, integer, negation
from chcfuzz.grammar.theories.sequences import empty, is_sequence
from chcfuzz.grammar.theories.strings import REGLAN, STRING, string
from chcfuzz.grammar.theory import joined, named_constants, split_operator
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.rewriting.term_rows import About, row_of_term

_MOST = 60  # nodes of a term that may be duplicated
_WORDS = ("", "a", "ab", "0", "\U0002ffff")
_LAST = 0x2FFFF
Options = Sequence[Callable[[], Term]]


def is_text(sort: Sort) -> bool:
    """Return whether terms of the sort are strings or sequences."""
    return sort is STRING or is_sequence(sort)


def _extract(sort: Sort, term: Term, start: Term, length: Term) -> Term:
    return apply("str.substr" if sort is STRING else "seq.extract", term, start, length)


def of_text(term: Term, name: str, *others: Term) -> Term:
    """Apply an operator that strings and sequences have."""
    return apply(f"{'str' if term.sort is STRING else 'seq'}.{name}", term, *others)


def same(t: Term, choices: Choices) -> Term:
    """Return a string or a sequence that is split and joined, or where something is replaced by itself."""
    nothing = _nothing(t.sort)
    other: Term = string(choices.pick(_WORDS)) if t.sort is STRING else nothing
    k, length = integer(choices.integer(0, 3)), of_text(t, "len")
    options: Options = (
        lambda: of_text(t, "++", nothing),
        lambda: of_text(nothing, "++", t),
        lambda: _extract(t.sort, t, integer(0), length),
        lambda: of_text(_extract(t.sort, t, integer(0), k), "++", _extract(t.sort, t, k, length)),
        lambda: of_text(of_text(t, "at", integer(0)), "++", _extract(t.sort, t, integer(1), length)),
        lambda: of_text(t, "replace", other, other),
        lambda: of_text(t, "replace_all", other, other),
        lambda: of_text(t, "replace", t, t),
        lambda: _extract(t.sort, of_text(other, "++", t), of_text(other, "len"), length),
        lambda: _extract(t.sort, of_text(t, "++", other), integer(0), length),
        lambda: apply("ite", of_text(other, "prefixof", t), t, of_text(nothing, "++", t)),
        lambda: apply("ite", apply("=", t, other), other, t),
    )
    return choices.pick(options)()


def _is_atom(term: Term) -> bool:
    if not isinstance(term, Apply) or term.size > _MOST or len(term.children) != 2:
        return False
    return term.operator in _ATOMS and term.children[0].sort is STRING


def _equality(a: Term, b: Term) -> Options:
    return (
        lambda: conjunction(apply("str.prefixof", a, b), apply("=", apply("str.len", a), apply("str.len", b))),
        lambda: conjunction(apply("str.prefixof", a, b), apply("str.prefixof", b, a)),
        lambda: conjunction(apply("str.suffixof", b, a), apply("str.suffixof", a, b)),
        lambda: conjunction(apply("str.contains", a, b), apply("str.contains", b, a)),
        lambda: conjunction(apply("str.<=", a, b), apply("str.<=", b, a)),
        lambda: apply("=", apply("str.++", a, string("x")), apply("str.++", b, string("x"))),
        *([lambda: apply("str.in_re", a, apply("str.to_re", b))] if isinstance(b, Value) else []),
    )


def _contains(text: Term, part: Term) -> Options:
    everything = _language("re.all")
    return (
        lambda: apply("distinct", apply("str.indexof", text, part, integer(0)), integer(-1)),
        lambda: apply("<=", integer(0), apply("str.indexof", text, part, integer(0))),
        lambda: apply("str.in_re", text, apply("re.++", everything, apply("str.to_re", part), everything)),
    )


def _language(name: str) -> Term:
    return named_constants()[name]  # type: ignore[no-any-return]


def _prefix(part: Term, text: Term) -> Options:
    return (
        lambda: apply("=", part, apply("str.substr", text, integer(0), apply("str.len", part))),
        lambda: apply("=", apply("str.indexof", text, part, integer(0)), integer(0)),
    )


def _suffix(part: Term, text: Term) -> Options:
    length = apply("str.len", part)
    return (lambda: apply("=", part, apply("str.substr", text, apply("-", apply("str.len", text), length), length)),)


def _less(a: Term, b: Term) -> Options:
    return (
        lambda: negation(apply("str.<=", b, a)),
        lambda: conjunction(apply("str.<=", a, b), apply("distinct", a, b)),
    )


def _at_most(a: Term, b: Term) -> Options:
    return (lambda: negation(apply("str.<", b, a)), lambda: disjunction(apply("=", a, b), apply("str.<", a, b)))


def _member(text: Term, language: Term) -> Options:
    return (
        lambda: negation(apply("str.in_re", text, apply("re.comp", language))),
        lambda: apply("str.in_re", apply("str.++", string("x"), text), apply("re.++", _word("x"), language)),
        lambda: apply("str.in_re", apply("str.++", text, string("x")), apply("re.++", language, _word("x"))),
    )


def _word(text: str) -> Term:
    return apply("str.to_re", string(text))


_ATOMS: dict[str, Callable[[Term, Term], Options]] = {
    "=": _equality, "str.contains": _contains, "str.prefixof": _prefix, "str.suffixof": _suffix, "str.<": _less,
    "str.<=": _at_most, "str.in_re": _member,
}  # fmt: skip


def defined(term: Term, choices: Choices) -> Term:
    """Return a comparison of strings in terms of others."""
    assert isinstance(term, Apply)
    return choices.pick(_ATOMS[term.operator](*term.children))()


# Numbers


def _is_number(term: Term) -> bool:
    return term.sort is INT and term.size <= _MOST and any(is_text(child.sort) for child in term.children)


def through_text(n: Term, choices: Choices) -> Term:
    """Return a number that goes through a string and back, or the length of a string in parts."""
    (text, *_) = n.children
    is_digits = apply("<=", integer(0), n)
    is_code = conjunction(is_digits, apply("<=", n, integer(_LAST)))
    options: list[Callable[[], Term]] = [
        lambda: apply("ite", is_digits, apply("str.to_int", apply("str.from_int", n)), n),
        lambda: apply("ite", is_code, apply("str.to_code", apply("str.from_code", n)), n),
    ]
    if isinstance(n, Apply) and n.operator.endswith(".len"):
        options.append(lambda: apply("-", of_text(of_text(text, "++", text), "len"), n))
        if isinstance(text, Apply) and text.operator.endswith(".++"):
            options.append(lambda: apply("+", *(of_text(part, "len") for part in text.children)))
    return choices.pick(options)()


# Positions


def _nothing(sort: Sort) -> Term:
    return string("") if sort is STRING else empty(sort)


def _clamped(t: Term, start: Term, length: Term) -> Options:
    """Return forms of a part of a text from a position on."""
    rest = apply("-", of_text(t, "len"), start)
    is_inside = conjunction(apply("<=", integer(0), start), apply("<", integer(0), length))
    return (
        lambda: apply("ite", is_inside, _extract(t.sort, t, start, length), _nothing(t.sort)),
        lambda: _extract(t.sort, t, start, apply("ite", apply("<", length, rest), length, rest)),
        lambda: _extract(t.sort, _extract(t.sort, t, integer(0), apply("+", start, length)), start, length),
    )


def _one_at(t: Term, at: Term) -> Options:
    """Return forms of the text of one element at a position."""
    is_inside = conjunction(apply("<=", integer(0), at), apply("<", at, of_text(t, "len")))
    return (
        lambda: _extract(t.sort, t, at, integer(1)),
        lambda: apply("ite", is_inside, of_text(t, "at", at), _nothing(t.sort)),
    )


def _found_at(t: Term, part: Term, start: Term) -> Options:
    """Return forms of the position of a part: the place in the rest of the text, and the definition outside."""
    length = of_text(t, "len")
    is_inside = conjunction(apply("<=", integer(0), start), apply("<=", start, length))
    at = of_text(_extract(t.sort, t, start, apply("-", length, start)), "indexof", part, integer(0))
    in_rest = apply("ite", apply("<", at, integer(0)), integer(-1), apply("+", start, at))
    return (
        lambda: apply("ite", is_inside, of_text(t, "indexof", part, start), integer(-1)),
        lambda: apply("ite", is_inside, in_rest, integer(-1)),
    )


_BY_POSITION: dict[str, Callable[..., Options]] = {
    "str.substr": _clamped, "seq.extract": _clamped, "str.at": _one_at, "seq.at": _one_at, "str.indexof": _found_at,
    "seq.indexof": _found_at,
}  # fmt: skip


def _has_position(term: Term) -> bool:
    return isinstance(term, Apply) and term.operator in _BY_POSITION and term.size <= _MOST


def by_position(term: Term, choices: Choices) -> Term:
    """Return a term that takes a part of a text, or finds one, with its cases by position."""
    assert isinstance(term, Apply)
    return choices.pick(_BY_POSITION[term.operator](*term.children))()


# Regular expressions


def _is_language(term: Term) -> bool:
    return term.sort is REGLAN and term.size <= _MOST


def same_language(r: Term, choices: Choices) -> Term:
    """Return a regular expression with the same words."""
    none, everything = map(_language, ("re.none", "re.all"))
    options: list[Callable[[], Term]] = [
        lambda: apply("re.union", r, choices.pick((r, none))),
        lambda: apply("re.inter", r, choices.pick((r, everything))),
        lambda: apply("re.++", r, _word("")),
        lambda: apply("re.++", _word(""), r),
        lambda: apply("re.comp", apply("re.comp", r)),
        lambda: apply("re.diff", r, none),
        lambda: Apply(choices.pick(("(_ re.^ 1)", "(_ re.loop 1 1)")), (r,)),
        *(partial(make, r) for make in _FORMS.get(_name(r), ())),
    ]
    return choices.pick(options)()


def _name(term: Term) -> str:
    return split_operator(term.operator)[0] if isinstance(term, Apply) else ""


def _de_morgan(other: str) -> Callable[[Term], Term]:
    return lambda r: apply("re.comp", apply(other, *(apply("re.comp", part) for part in r.children)))


def _swapped(r: Term) -> Term:
    return r.rebuild(r.children[::-1])


def _difference(r: Term) -> Term:
    first, *others = r.children
    return apply("re.inter", first, *(apply("re.comp", other) for other in others))


def _split_loop(r: Term) -> Term:
    assert isinstance(r, Apply)
    low, high = split_operator(r.operator)[1]
    if low > high:
        return _language("re.none")
    return apply(
        "re.++", Apply(joined("re.^", (low,)), r.children), Apply(joined("re.loop", (0, high - low)), r.children)
    )


def _spelled(r: Term) -> Term:
    (text,) = r.children
    if isinstance(text, Value):
        letters: str = str(text.value)
        return apply("re.++", _word(letters[:1]), _word(letters[1:]))
    if isinstance(text, Apply) and text.operator == "str.++":
        return apply("re.++", *(apply("str.to_re", part) for part in text.children))
    return apply("re.++", r, _word(""))


_FORMS: dict[str, tuple[Callable[[Term], Term], ...]] = {
    "re.union": (_de_morgan("re.inter"), _swapped),
    "re.inter": (_de_morgan("re.union"), _swapped),
    "re.diff": (_difference,),
    "re.comp": (lambda r: apply("re.diff", _language("re.all"), *r.children),),
    "re.*": (
        lambda r: apply("re.*", r),
        lambda r: apply("re.opt", apply("re.+", *r.children)),
        lambda r: apply("re.union", _word(""), apply("re.++", *r.children, r)),
        lambda r: apply("re.++", r, r),
    ),
    "re.+": (lambda r: apply("re.++", *r.children, apply("re.*", *r.children)),),
    "re.opt": (lambda r: apply("re.union", _word(""), *r.children),),
    "re.loop": (_split_loop,),
    "str.to_re": (_spelled,),
}


def _is_splittable(term: Term) -> bool:
    return is_text(term.sort) and term.size <= _MOST


def _about(name: str, summary: str) -> About:
    source = "SMT-LIB's theory of Unicode strings; sequence rewriters of Z3 and cvc5"
    return About(f"smt_strings.{name}", Promise.EQUIVALENT, summary, source, light=True)


MUTATIONS = (
    row_of_term(_about("same", "a string or a sequence is split and joined"), _is_splittable, same),
    row_of_term(_about("defined", "a comparison of strings becomes its definition by others"), _is_atom, defined),
    row_of_term(_about("through-text", "a number is converted to a string and back"), _is_number, through_text),
    row_of_term(_about("position", "a part of a text gets its cases by position"), _has_position, by_position),
    row_of_term(_about("language", "a regular expression gets another form"), _is_language, same_language),
)
