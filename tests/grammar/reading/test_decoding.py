"""Bytes to text: encodings, marks and line ends, and errors with name and place."""

import codecs
import gzip
from pathlib import Path

import pytest
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.reading.decoding import content_of, looks_like_script, states_horn, text_of
from chcfuzz.grammar.reading.parse import parse

TEXT = "(set-logic HORN)\n(declare-fun |pé| (Int) Bool) ; é\n(assert (forall ((x Int)) (=> (> x 0) (|pé| x))))\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(set-logic HORN)", True),
        ("( set-logic\n ; of clauses\n  HORN )(check-sat)", True),
        ("; (set-logic HORN)\n(set-logic LIA)", False),
        ("(set-logic HORNS)", False),
    ],
)
def test_comments_and_white_space_do_not_hide_or_make_the_logic_of_clauses(text: str, expected: bool) -> None:
    assert states_horn(text) == expected


@pytest.mark.parametrize("most", [7, 1 << 50, 1 << 90])
def test_a_limit_does_not_take_memory(tmp_path: Path, most: int) -> None:
    (tmp_path / "a").write_bytes(b"content")
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"content"))
    assert content_of(tmp_path / "a", most) == content_of(tmp_path / "a.gz", most) == b"content"
    assert content_of(tmp_path / "a", 6) is content_of(tmp_path / "a.gz", 6) is None


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.encode("latin-1"),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.replace("\n", "\r\n").encode(),
        b"\n \t" + TEXT.encode(),
        b"; a comment\r\n" + TEXT.encode(),
    ],
)
def test_one_system_is_read_however_it_is_written(data: bytes) -> None:
    assert looks_like_script(data)
    assert parse(text_of(data)) == parse(TEXT)


@pytest.mark.parametrize("data", [b"", b"chcfuzz\x01(", b"\x00(", b"\x80(assert)", b"set-logic", b"\xff\xfe\x00\x01"])
def test_other_bytes_are_not_taken_for_scripts(data: bytes) -> None:
    assert not looks_like_script(data)


def test_bytes_that_are_no_text_by_their_mark_are_letters() -> None:
    assert text_of(b"\xff\xfe(") == "ÿþ("
    assert text_of(b"\xef\xbb\xbf(\xff") == "(ÿ"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_a_refusal_names_the_file_and_the_place(encoding: str) -> None:
    with pytest.raises(GrammarError) as caught:
        parse(text_of("(set-logic HORN)\n; é\n  (push 1)\n".encode(encoding)), "é.smt2")
    assert str(caught.value).startswith("é.smt2:3:4: a script states one system")


def test_a_refusal_keeps_its_place_under_another_name() -> None:
    error = GrammarError("seed", 3, 4, "unknown symbol", "x " * 60)
    assert str(error.of("file")) == str(error).replace("seed:", "file:")
    assert (error.of("file").line, error.of("file").text) == (3, error.text)
