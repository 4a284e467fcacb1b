"""Candidate fixes of Z3 in our own words, as replacements of one text in one function; `diff` makes patches of them."""

import difflib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Replacement:
    """`number` occurrences of `old` after the first text `after` of a file become `new`."""

    file: str
    after: str
    old: str
    new: str
    number: int = 1

    def apply(self, text: str) -> str:
        place = text.index(self.after)
        assert text[place:].count(self.old) >= self.number, f"{self.file} has no {self.old!r} after {self.after!r}"
        return text[:place] + text[place:].replace(self.old, self.new, self.number)


_VALUE, _UNIQUE = "m.is_value(", "m.is_unique_value("

# Finding 1 of docs/z3-5.4.0.md. A chain of stores over a constant array is a value, and two different values of this
# form may be equal, so that they must not be arguments of a predicate: unification takes different values for unequal.
UNIQUE_VALUES = (
    Replacement(
        "src/muz/base/dl_rule.cpp", "m_args.reset();\n        for (unsigned i = 0; i < fml->get", _VALUE, _UNIQUE
    ),
    Replacement("src/muz/base/dl_rule.cpp", "!is_var(arg) && !", _VALUE, _UNIQUE),
    Replacement("src/muz/base/dl_rule.cpp", "rule_manager::is_fact(", _VALUE, _UNIQUE),
)

_UNFOLD = "src/muz/transforms/dl_mk_unfold.cpp"

# Findings 2 and 3: unfolding replaces each rule by its resolvents. A model of the resolvents need not be a model of
# the rules, and a model converter is missing. The rules themselves are kept here, which the resolvents follow from.
KEPT_RULES = (
    Replacement(
        _UNFOLD,
        "mk_unfold::operator()",
        "expand_tail(*r, 0, source, *rules);",
        "expand_tail(*r, 0, source, *rules);\n"
        "            if (r->get_uninterpreted_tail_size() > 0)\n"
        "                rules->add_rule(r);",
    ),
)

# Findings 4 and 6: the resolvent has fewer atoms than the next index, because equal atoms of its body are merged.
END_OF_TAIL = (
    Replacement(
        _UNFOLD,
        "SASSERT(tail_idx",
        "if (tail_idx == r.get_uninterpreted_tail_size())",
        "if (tail_idx >= r.get_uninterpreted_tail_size())",
    ),
)

# Finding 5: an array that is an argument of a predicate keeps its elements, so variables must not replace its selects.
NO_OTHER_USE_OF_ARRAYS = (
    Replacement(
        "src/muz/transforms/dl_mk_array_blast.cpp",
        "mk_array_blast::ackermanize",
        "                expr* arg;\n",
        "                expr* arg;\n"
        "                if (!a.is_select(ap) && is_var(ap->get_arg(i)) && a.is_array(ap->get_arg(i)->get_sort()))\n"
        "                    return false;\n",
    ),
)


def diff(source: Path, changes: tuple[Replacement, ...]) -> str:
    """Return the patch that makes these replacements in the sources."""
    texts: dict[str, str] = {}
    for change in changes:
        texts[change.file] = change.apply(texts.get(change.file) or (source / change.file).read_text())
    lines: list[str] = []
    for file, text in texts.items():
        before = (source / file).read_text().splitlines(keepends=True)
        lines += difflib.unified_diff(before, text.splitlines(keepends=True), f"a/{file}", f"b/{file}")
    return "".join(lines)
