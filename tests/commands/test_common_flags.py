"""Flags that every command has, and that mean the same everywhere."""

import json
from pathlib import Path

import pytest
from chcfuzz.commands import common_flags, fuzz, main

SEED = Path(__file__).resolve().parents[2] / "corpus" / "lia"


def test_every_command_prints_json_and_can_be_quiet_or_verbose() -> None:
    parser = main.build_parser()
    (commands,) = (action for action in parser._actions if action.dest == "==SUPPRESS==")  # noqa: SLF001
    assert isinstance(commands.choices, dict)
    assert set(commands.choices) == {command.NAME for command in main.COMMANDS}
    for name, its in commands.choices.items():
        if name == fuzz.NAME:  # the campaign program reads its flags
            continue
        for leaf in common_flags.leaves(its):
            names = {text for action in leaf._actions for text in action.option_strings}  # noqa: SLF001
            assert {"--json", "-q", "--quiet", "-v", "--verbose"} <= names, leaf.prog
            assert "exit codes: 0 success" in (leaf.epilog or ""), leaf.prog


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    code = main.main(list(map(str, words)))
    out, err = capsys.readouterr()
    return code, out, err


def test_json_is_one_line_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    seed = min(SEED.glob("*.smt2"))
    for words in (["mutations"], ["check", seed], ["corpus", "stats", seed], ["corpus", "diff", SEED, SEED]):
        code, out, _ = run(capsys, *words, "--json")
        assert code == 0
        assert out.count("\n") == 1
        assert json.loads(out)


def test_rows_are_json_with_the_headings_of_their_table(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "mutations", "--json")
    rows = json.loads(out)
    assert rows[0].keys() == {"id", "promise", "scope", "description", "source"}
    _, text, _ = run(capsys, "mutations")
    assert [line.split()[0] for line in text.splitlines()[1:]] == [row["id"] for row in rows]


def test_an_error_is_one_line_and_with_verbose_it_has_its_origin(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, _, err = run(capsys, "findings", tmp_path / "none")
    assert (code, err.count("\n")) == (2, 1)
    code, _, err = run(capsys, "findings", tmp_path / "none", "-v")
    assert code == 2
    assert "Traceback" in err
    assert err.splitlines()[-1].startswith("chcfuzz: no findings folder")


def test_quiet_and_verbose_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main.main(["check", "-q", "-v", "-"])
    assert left.value.code == 2
    assert "not allowed with argument" in capsys.readouterr().err
