"""Every command explains its usage, and a shell can complete it."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.campaign import command_line
from chcfuzz.commands import fuzz, main
from chcfuzz.commands.subcommand import Subcommand

CHCFUZZ = Path(sys.executable).parent / "chcfuzz"


def completions(line: str, folder: Path) -> list[str]:
    """The completions at the end of a line (argcomplete's protocol: the answer comes on descriptor 8)."""
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\n"}
    into = folder / "answer"
    command = f"exec {shlex.quote(str(CHCFUZZ))} 8>{shlex.quote(str(into))} 9>/dev/null"
    subprocess.run(["bash", "-c", command], env={**os.environ, **asked}, cwd=folder, check=False, capture_output=True)
    return [word.strip() for word in into.read_text().split("\n")]


@pytest.mark.parametrize("command", main.COMMANDS, ids=lambda command: command.NAME)
def test_every_example_is_a_command_line_that_is_understood(
    command: Subcommand, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.EXAMPLES
    for example in command.EXAMPLES:
        program, name, *words = shlex.split(example)
        assert (program, name) == ("chcfuzz", command.NAME)
        if command.NAME == fuzz.NAME:
            _, rest = command_line.parser().parse_known_args(words)
            assert not [word for word in rest if word.startswith("--")]
        else:
            before, _ = main.split([name, *words])
            main.build_parser().parse_args(before)
    if command.NAME != fuzz.NAME:
        with pytest.raises(SystemExit):
            main.main([command.NAME, "--help"])
        assert f"  {command.EXAMPLES[0]}\n" in capsys.readouterr().out


def test_what_most_people_need_comes_first_in_the_help_of_a_campaign() -> None:
    text = command_line.parser().format_help()
    order = [text.index(f"\n{title}:") for title in ("flags of most campaigns", "the solver under test", "limits")]
    assert order == sorted(order)
    first = re.findall(r"^  (--[\w-]+)", text, re.MULTILINE)
    assert first[:7] == ["--run-dir", "--resume", "--workers", "--z3", "--command", "--help", "--z3-library"]
    assert all(action.help for action in command_line.parser()._actions)  # noqa: SLF001  (argparse offers nothing else)


@pytest.mark.slow
def test_a_shell_completes_commands_and_flags_those_of_a_campaign_too(tmp_path: Path) -> None:
    assert {"watch"} == set(completions("chcfuzz wat", tmp_path))
    assert {"--run-dir"} == set(completions("chcfuzz fuzz --run-", tmp_path))
    assert {"traces", "edges", "both"} == set(completions("chcfuzz minimize --by ", tmp_path))


def test_bare_and_with_help_the_program_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for words in ([], ["help"], ["--help"]):
        with pytest.raises(SystemExit) as left:
            main.main(words)
        assert left.value.code == 0
        texts.append(capsys.readouterr().out)
    assert len(set(texts)) == 1
    with pytest.raises(SystemExit):
        main.main(["help", "replay"])
    assert "usage: chcfuzz replay" in capsys.readouterr().out


def test_the_version_names_the_solver_too(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main.main(["--version"])
    assert re.fullmatch(r"chcfuzz \S+ \(z3-solver [\d.]+, Python [\d.]+\)\n", capsys.readouterr().out)


@pytest.mark.parametrize("command", main.COMMANDS, ids=lambda command: command.NAME)
def test_every_help_has_the_exit_codes(command: Subcommand, capsys: pytest.CaptureFixture[str]) -> None:
    if command.NAME == fuzz.NAME:
        assert main.main(["fuzz", "--help"]) == 0
        text = capsys.readouterr().out
        assert text.startswith("usage: chcfuzz fuzz ")
        assert "chcfuzz fuzz --resume run/" in " ".join(text.split())
    else:
        with pytest.raises(SystemExit):
            main.main([command.NAME, "--help"])
        text = capsys.readouterr().out
    assert "exit codes: 0 success" in " ".join(text.lower().split())


def test_flags_of_the_solver_have_a_help_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for flag in ("--help", "--help-solver"):
        with pytest.raises(SystemExit):
            main.main(["replay", flag])
        texts.append(capsys.readouterr().out)
    short, whole = texts
    assert "--z3-library" in short
    assert "--rlimit" not in short
    assert "--rlimit N" in whole
    assert len(short.splitlines()) < 50
