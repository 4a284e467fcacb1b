"""Broken text gives a `GrammarError` and nothing else; what still parses survives the round trip."""

import hashlib
import re
from collections import Counter
from pathlib import Path

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse

CORPUS = sorted((Path(__file__).resolve().parents[3] / "corpus").rglob("*.smt2"))
TOKENS = re.compile(r"\|[^|]*\||\"[^\"]*\"|;[^\n]*|[()]|[^\s()|\";]+|\s+|[|\"]")
PIECES = TOKENS.findall("""
    ( ) and or not => = + - * / div mod rem ite let forall exists true false 0 1 -1 1.5 #x1f #b101 select
    store x y p Int Bool Real Array (_ BitVec 8) (_ bv5 8) |a b| :named ! as const _ is :x " ; @ .x par match
    assert 99999999999999999999 \x00 é \ud800 declare-fun declare-datatypes declare-const define-fun set-info
    rule query ((as const (Array Int Int)) 0) ((_ extract 3 1) x) ((_ is cons) nil) to_real to_int abs xor
""")


def broken(text: str, choices: Choices) -> str:
    """The text with a few tokens dropped, doubled, swapped, replaced, cut or moved."""
    tokens = TOKENS.findall(text)
    for _ in range(1 + choices.index(3)):
        i, j = choices.index(len(tokens)), choices.index(len(tokens))
        match choices.index(8):
            case 0:
                del tokens[i]
            case 1:
                tokens.insert(i, tokens[j])
            case 2:
                tokens[i], tokens[j] = tokens[j], tokens[i]
            case 3:
                tokens[i] = choices.pick(PIECES)
            case 4:
                tokens.insert(i, choices.pick(PIECES))
            case 5:
                tokens[i] = tokens[j]
            case 6:
                tokens[i] = tokens[i][1:]
            case _:
                del tokens[i : i + choices.index(20)]
        tokens = tokens or ["("]
    return "".join(tokens)


def refusal(text: str) -> GrammarError | None:
    """Why the text is refused, or None if it parses."""
    try:
        parse(text)
    except GrammarError as error:
        return error
    return None


@pytest.mark.parametrize("number", [1500, pytest.param(20_000, marks=pytest.mark.slow)])
def test_mutated_systems_parse_or_are_refused(number: int) -> None:
    ends: Counter[str] = Counter()
    texts = [text for file in CORPUS if len(text := file.read_text()) < 3000]
    for seed in range(number):
        choices = Choices(hashlib.shake_256(b"broken text %d" % seed).digest(200))
        text = broken(choices.pick(texts), choices)
        error = refusal(text)
        if error is not None:
            ends["refused"] += 1
            assert re.match(r"<text>:\d+:\d+: [^\n]+$", str(error)), str(error)
            assert 1 <= error.line <= text.count("\n") + 2
            continue
        ends["parsed"] += 1
        system = parse(text)
        printed = print_system(system)
        assert parse(printed) == system
        assert print_system(parse(printed)) == printed
    assert min(ends["parsed"], ends["refused"]) > number // 20, ends


def test_every_prefix_of_a_system_is_refused_or_parsed() -> None:
    text = next(file.read_text() for file in CORPUS if "declare-datatypes" in file.read_text())
    ends = {refusal(text[:end]) is None for end in range(len(text))}
    assert ends == {True, False}


@pytest.mark.parametrize("data", [b"\x00" * 100, bytes(range(256)), b"\x7fELF\x02\x01", b"\x1f\x8b\x08" * 9])
def test_binary_data_is_refused(data: bytes) -> None:
    for encoding in ("latin-1", "utf-16-be", "utf-8"):
        assert refusal(data.decode(encoding, "surrogateescape" if encoding == "utf-8" else "replace")) is not None
