"""The mutation tester, bench/oracles/breaks.py: which breaks it makes, which tests it runs, and how a break ends."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType

import pytest

from tests.benchmarks import BENCH, benchmark

SOURCE = '''\
def clamp(value: int | None, least: int = 0, *, strict: bool = True) -> int:
    """Return 1 of 2 values."""
    if value is None or not strict:
        raise ValueError(f"{least + 1} é")
    seen: list[int] = []
    while seen or value < least:
        value += 1
        seen.append(value)
        break
    return max((each for each in seen if each), key=abs) if seen else -value
'''
TESTS = """\
from least import least

def test_equal():
    assert least(1, 1)

def test_other():
    assert least(1, 2) == 1
"""
EXPECTED = {
    ("value is None", "(value is not None)"),
    ("value is None or not strict", "(value is None and (not strict))"),
    ("value is None or not strict", "(not (value is None or not strict))"),
    ("not strict", "(strict)"),
    ("0", "(1)"),
    ("True", "(False)"),
    ('raise ValueError(f"{least + 1} é")', "pass"),
    ("seen or value < least", "(seen and value < least)"),
    ("seen or value < least", "(not (seen or value < least))"),
    ("value < least", "(value <= least)"),
    ("value += 1", "pass"),
    ("1", "(2)"),
    ("seen.append(value)", "pass"),
    ("break", "continue"),
    ("return max((each for each in seen if each), key=abs) if seen else -value", "return None"),
    ("max((each for each in seen if each), key=abs)", "(min((each for each in seen if each), key=abs))"),
    ("max((each for each in seen if each), key=abs)", "(max((each for each in seen if each)))"),
    ("each", "(not (each))"),
    ("seen", "(not (seen))"),
    ("-value", "(value)"),
}


@pytest.fixture(scope="module")
def breaks() -> ModuleType:
    return benchmark("oracles.breaks")


def test_every_condition_operator_constant_and_statement_is_broken(breaks: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "clamp.py"
    file.write_text(SOURCE)
    made = breaks.breaks(file, tmp_path)
    assert {(each.old, each.new) for each in made} == EXPECTED
    assert {each.scope for each in made} == {"clamp"}
    for each in made:
        broken = each.apply(SOURCE.encode())
        assert ast.dump(ast.parse(broken)) != ast.dump(ast.parse(SOURCE))
        assert broken.count(each.new.encode()) > SOURCE.encode().count(each.new.encode())


def test_a_larger_sample_extends_a_smaller_one(breaks: ModuleType) -> None:
    sample = breaks.sample(40)
    assert sample[:20] == breaks.sample(20)
    assert len({each.key for each in sample}) == 40
    assert len({each.file for each in sample}) > 10


def test_the_tests_of_the_room_are_first_and_an_import_concerns_the_whole_file(breaks: ModuleType) -> None:
    own, other = (f"tests/domains/chc/oracles/{name}" for name in ("test_rule.py::a", "d.py::d"))
    lines = {
        1: ["", own],
        5: ["tests/x.py::b", own],
        9: ["c"],
    }
    seconds = {
        "tests/x.py::b": 0.1,
        own: 5.0,
        "c": 1.0,
        other: 9.0,
    }
    recording = breaks.Recording({"domains/chc/oracles/rule.py": lines}, seconds)

    def tests(line: int) -> list[str]:
        found: list[str] = recording.tests(breaks.Break("domains/chc/oracles/rule.py", "", line, "1", "(2)", 1, 0, 1))
        return found

    assert tests(6) == [own, "tests/x.py::b"]
    assert tests(9) == ["c"]
    assert tests(2) == [
        own,
        other,
        "tests/x.py::b",
        "c",
    ]


def test_a_failed_test_kills_and_the_source_is_restored(
    breaks: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(breaks, "ROOT", tmp_path)
    (tmp_path / "bench").symlink_to(BENCH)
    source, test = tmp_path / "least.py", tmp_path / "test_least.py"
    source.write_text("assert min(1, 2)\n\ndef least(one, other):\n    return min(one, other)\n")
    test.write_text(TESTS)
    made = next(each for each in breaks.breaks(source, tmp_path) if each.scope and each.new.startswith("(max"))
    fatal = next(each for each in breaks.breaks(source, tmp_path) if each.new.startswith("(not "))
    before = source.stat().st_mtime_ns
    weak, strong = (breaks.try_break(made, [f"test_least.py::{name}"], []) for name in ("test_equal", "test_other"))
    assert (weak.ended, weak.by) == ("survived", "")
    assert (strong.ended, strong.by) == ("killed", "test_least.py::test_other")
    dead = breaks.try_break(fatal, ["test_least.py::test_equal"], [])
    assert (dead.ended, dead.by) == ("killed", "test_least.py")
    assert source.stat().st_mtime_ns == before
    assert "min" in source.read_text()
