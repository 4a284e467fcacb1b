"""Other names for symbols that a script declares, and that some solver takes for words of its own.

Z3 reads `(exp x)` as the exponential function where a script declares an `exp` of one number, too, and `(is-nil x)` as
a tester if `nil` is a constructor, without an error: its answer is about another problem. Z3 and cvc5 refuse a sort
`Set` or a function `concat` that the logic of the script allows, because texts for them have the logic ALL. So `exp` is
read as `exp!`.
"""

from __future__ import annotations

import re

from chcfuzz.grammar.symbols import PART
from chcfuzz.grammar.theory import derived, theories

# Words of theories that the project does not have; `Theory.taken` has those of the others.
_FUNCTIONS = "sep bag tuple choice lambda"
_SORTS = "Bag List RegEx RegLan Relation Seq String Table Unicode UnitTuple"
_TESTER = "is-"


def _one_of(*words: str) -> str:
    return rf"\|?({'|'.join((*words, _TESTER + PART + '+'))})(?!{PART})"


_TEXT = r'"(?:[^"]|"")*"|;[^\r\n]*'  # strings and comments
_QUOTED = r"\|[^|\\]*\|"
_NO_NAME = re.compile(rf"{_TEXT}|{_QUOTED}")
_TOKEN = re.compile(rf"{_TEXT}|{_QUOTED}|\(\s*_\s+{PART}+|{PART}+")  # the `repeat` of `(_ repeat 2)` keeps its name


@derived
def _declared() -> re.Pattern[str]:
    """Match declarations and labels, and sorts in the head of `declare-datatypes`; a `List` there hides that of Z3."""
    functions = [*_FUNCTIONS.split(), *(word for theory in theories() for word in theory.taken)]
    sorts = [*_SORTS.split(), *(word for theory in theories() for word in theory.taken_sorts)]
    return re.compile(
        rf"(?:\(\s*(?:declare|define)-[a-z-]+|:named)\s+{_one_of(*functions, *sorts)}"
        rf"|\(\s*{_one_of(*(word for word in sorts if word != 'List'))}\|?\s+[0-9]+\s*\)"
    )


def without_taken_words(text: str) -> str:
    """Return a script with other names for the symbols that it declares and that solvers take for their own."""
    pattern = _declared()
    if not pattern.search(text):
        return text
    code = _NO_NAME.sub(lambda found: found[0] if re.fullmatch(rf"\|{PART}+\|", found[0]) else " ", text)
    declared = {word for found in pattern.findall(code) for word in found if word}
    tokens = {_name(token) for token in _TOKEN.findall(text)}
    has_datatypes = "declare-datatype" in text
    names: dict[str, str] = {}
    for word in sorted(declared):
        if not word.startswith(_TESTER) or (has_datatypes and word.removeprefix(_TESTER) in tokens):
            names[word] = word + "!"
            while names[word] in tokens:
                names[word] += "!"
    return _TOKEN.sub(lambda found: names.get(_name(found[0]), found[0]), text)


def _name(token: str) -> str:
    return token[1:-1] if token.startswith("|") else token
