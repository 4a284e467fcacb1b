"""Solvers as commands: their command lines, limits and events.

They are small scripts, and the z3 of the installed wheel.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.solvers.command import Command, CommandError, packed, unpacked
from chcfuzz.solvers.dialects import DIALECTS
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.z3_release import active

from tests.solvers.conftest import LONG, SYSTEM, Made, result


def z3(wall_seconds: float = LONG) -> Command:
    executable = active().executable
    assert executable is not None, "the z3-solver wheel has its command beside this Python"
    return Command.of([str(executable)], wall_seconds)


def test_the_wall_clock_makes_even_an_answer_undecided(made: Made) -> None:
    assert result(made("echo sat; exec sleep 100", wall_seconds=1)) == (Status.HANG, "still running after 1 s")


def test_memory_beyond_the_limit_is_undecided() -> None:
    program = "import time; kept = [bytearray(1 << 20) for _ in range(600)]; print('sat'); time.sleep(100)"
    command = Command.of([sys.executable, "-c", program], LONG, memory_megabytes=300)
    assert result(command) == (Status.LIMIT, "takes more than 300 MB")


def test_the_file_comes_last_or_where_the_braces_are(made: Made, tmp_path: Path) -> None:
    show = f'for word; do echo "$word"; done > {tmp_path}/words; cat "${{3:-$1}}" > {tmp_path}/read; echo sat'
    made(show).solve(SYSTEM)
    (word,) = (tmp_path / "words").read_text().splitlines()
    assert word.endswith(".smt2"), "solvers recognise the language by it"
    assert (tmp_path / "read").read_text() == SYSTEM
    assert not Path(word).exists(), "nothing is left"
    outcome = made(show, "-a", "--in={}", "{}", "-z").solve(SYSTEM)
    first, given, file, last = (tmp_path / "words").read_text().splitlines()
    assert (first, given, last) == ("-a", f"--in={file}", "-z")
    assert outcome.command == (str(tmp_path / "solver"), "-a", "--in={}", "{}", "-z")


@pytest.fixture
def littering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Function that writes a program, which leaves a file in its current folder; that of the user is `here`."""
    here = tmp_path / "here"
    (here / "bin").mkdir(parents=True)
    monkeypatch.chdir(here)

    def made(text: str) -> Path:
        program = here / "bin" / "solver"
        program.write_text(f"#!/bin/sh\necho junk > left-$$\npwd >> {tmp_path}/folders\n{text}\n")
        program.chmod(0o755)
        return program

    return made


def test_files_in_the_current_folder_of_a_command_vanish(littering: Callable[[str], Path], tmp_path: Path) -> None:
    littering(f'exec {active().executable} "$@"')
    alone, alive = (Command.of("bin/solver", LONG, dialect="z3", requests=requests) for requests in (0, 5))
    for run in (alone.solve, alone.solve_afresh, alone.printed, partial(alive.solve_after, [alive.request(SYSTEM)])):
        run(SYSTEM)
    folders = [Path(line) for line in (tmp_path / "folders").read_text().splitlines()]
    kinds = [folder.name.rpartition("-")[0] for folder in folders]
    assert kinds.count("chcfuzz-command") == 3
    assert set(kinds) == {"chcfuzz-command", "chcfuzz-session"}  # a session may start again
    assert tmp_path / "here" not in folders
    assert not any(folder.exists() for folder in folders)
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == ["bin"]


def test_words_that_name_files_and_folders_have_full_paths(littering: Callable[[str], Path], tmp_path: Path) -> None:
    here = tmp_path / "here"
    littering("")
    for name in ("classes", "lib", "3", "spacer"):
        (here / name).mkdir()
    (here / "conf.ini").touch()
    words = "bin/solver conf.ini --conf=conf.ini -cp classes:./lib:gone -log:3 spacer --in={} lib/ -I./lib"
    given = Command.of(words, LONG).words
    expected = "@/bin/solver @/conf.ini --conf=@/conf.ini -cp @/classes:@/lib:gone -log:3 spacer --in={} @/lib -I./lib"
    assert given == tuple(expected.replace("@", str(here)).split())


def test_options_stand_before_the_file_and_in_the_outcome(made: Made, tmp_path: Path) -> None:
    parameters = (("eldarica.abstract", "off"), ("fp.spacer.ctp", "true"), ("eldarica.lbe", "on"))
    plain = made(f'echo "$@" > {tmp_path}/words; echo sat', "-jar", "x.jar", "{}", name="eld")
    outcome = plain.solve(SYSTEM, parameters)
    given = ["-jar", "x.jar", "-log:3", "-ssol", "-scex", "-abstract:off", "-lbe"]
    assert (tmp_path / "words").read_text().split()[:-1] == given
    assert outcome.command[1:] == (*given[:2], *given[3:], "{}"), (
        "a command that only prints its steps need not run again"
    )
    assert outcome.left_out == ("fp.spacer.ctp",)


@pytest.mark.parametrize("value", ["on", "/tmp/file", "off\0", "", "off -pPredicates:/tmp/file", "\ud800"])
def test_a_value_that_no_row_has_is_left_out(made: Made, value: str) -> None:
    """Any bytes are a recipe, and libFuzzer changes bytes."""
    outcome = made("echo sat", name="eld").solve(SYSTEM, (("eldarica.abstract", value),))
    assert (outcome.command[1:], outcome.left_out) == (("-ssol", "-scex", "{}"), ("eldarica.abstract",))


def test_a_command_that_is_not_known_takes_no_options(made: Made) -> None:
    outcome = made("echo sat").solve(SYSTEM, (("eldarica.abstract", "off"),))
    assert outcome.command[1:] == ("{}",)
    assert outcome.left_out == ("eldarica.abstract",)
    assert made("echo sat", dialect="eldarica").dialect is DIALECTS["eldarica"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("nosuchsolver -x", "cannot start 'nosuchsolver': no such program; install it, or name it with its path"),
        ("", "cannot start '': no such program"),
        ("eld 'open", 'cannot read the command "eld \'open"'),
        ("./here", "cannot start './here': no such program"),
        ("./a script", "cannot start './a': no such program"),
        ("'./a script' {}", "cannot start './a script': it is not executable; chmod +x './a script'"),
    ],
)
def test_a_command_that_cannot_be_started_is_one_line(
    words: str, complaint: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a script").write_text("#!/bin/sh\necho sat\n")
    with pytest.raises(CommandError, match=re.escape(complaint)) as raised:
        Command.of(words, LONG)
    assert "\n" not in str(raised.value)


def test_a_program_that_does_not_run_here_is_one_line(tmp_path: Path) -> None:
    program = tmp_path / "solver"
    program.write_bytes(b"\x7fELF but no more")
    program.chmod(0o755)
    with pytest.raises(CommandError, match=r"cannot start '.*/solver': Exec format error; name a program"):
        Command.of([str(program)], LONG).solve(SYSTEM)


def test_a_command_means_the_same_in_another_folder(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made("echo sat")
    (tmp_path / "x.jar").touch()
    monkeypatch.chdir(tmp_path)
    command = Command.of("./solver -jar x.jar y.jar", LONG)
    assert command.words == (str(tmp_path / "solver"), "-jar", str(tmp_path / "x.jar"), "y.jar")
    (tmp_path / "sh").touch()
    assert Command.of("sh -c true", LONG).words[0] == shutil.which("sh")


@pytest.mark.parametrize(
    "text", ["eld -ssol", "java -jar 'my files/x.jar' {}", "sh -c 'echo \"a, b\" && echo $0; echo %2C'", "words"]
)
def test_a_command_is_handed_on_in_one_plain_word(text: str) -> None:
    word = packed(text)
    assert re.fullmatch(r"[\w:,%./~-]+", word), "what no shell changes"
    assert Command.of(f"sh {unpacked(word)}", LONG).words == Command.of(f"sh {text}", LONG).words
    assert unpacked(text) == text


def test_a_command_is_a_source_of_traces_of_its_own(made: Made) -> None:
    """A cached outcome of one command is not used for another, nor for a new build of it."""
    words = made("echo sat", "-a").words
    more = [
        Command(words, LONG),
        Command((words[0], "-b"), LONG),
        Command(words, LONG, 77),
        Command(words, LONG, dialect=DIALECTS["eldarica"]),
    ]
    names = [command.events.name for command in more]
    assert len(set(names)) == len(more)
    assert Command(words, 1.0).events.name == names[0]
    assert all(re.fullmatch(r"command-[0-9a-f]{12}", name) for name in names)
    made("echo unsat", "-a")
    assert Command(words, LONG).events.name not in names


def test_a_word_may_be_longer_than_the_name_of_a_file() -> None:
    class_path = ":".join(["/opt/jars/solver.jar"] * 300)
    assert Command.of(f"true -cp {class_path} Main", LONG).words[2] == class_path


def test_a_script_may_have_a_word_that_is_longer_than_the_name_of_a_file(made: Made) -> None:
    assert made(f"payload=/{'a' * 300}; echo sat").events.name.startswith("command-")


@pytest.mark.parametrize("number", range(len(BUILT_IN)))
def test_z3_as_a_command_answers_as_the_seeds_say_and_gives_models(number: int) -> None:
    outcome = z3().solve(BUILT_IN[number], rlimit=1_000_000)
    assert f":status {outcome.status.value})" in BUILT_IN[number]
    assert (outcome.model is not None) == (outcome.status is Status.SAT)
    assert outcome.command == (str(active().executable), "rlimit=1000000", "{}")


def test_z3_as_a_command_keeps_its_resource_limit() -> None:
    outcome: Outcome = z3().solve(BUILT_IN[0], rlimit=1000)
    assert not outcome.status.is_decided
    assert outcome.model is None


def test_z3_as_a_command_refuses_what_is_no_system() -> None:
    outcome = z3().solve("(assert (inv 0))\n(check-sat)\n")
    assert outcome.status is Status.ERROR
    assert "unknown" in outcome.reason
    assert "{}" not in outcome.reason


JAVA = """
class Solver {
    static int[] held(int megabytes) { int[] kept = new int[megabytes << 18]; kept[kept.length - 1] = 1;
        for (int i = 0; i < kept.length; i += 512) kept[i] = i; return kept; }
    public static void main(String[] words) throws Exception {
        if (words[0].equals("-throw")) throw new AssertionError("for " + words[1]);
        int megabytes = Integer.parseInt(words[0].substring(1));
        int[] kept = held(megabytes);
        if (megabytes > 1024) Thread.sleep(100000);
        System.out.println(kept.length > 0 ? "sat" : "unsat");
    }
}
"""


@pytest.fixture
def java(tmp_path: Path) -> Callable[..., Command]:
    """A solver in Java, whose machine reserves far more memory than it uses."""
    program = shutil.which("java")
    if program is None or shutil.which("javac") is None:
        pytest.skip("needs a Java development kit")
    (tmp_path / "Solver.java").write_text(JAVA)
    subprocess.run(["javac", "-d", str(tmp_path), str(tmp_path / "Solver.java")], check=True)
    words = [program, "-Xmx8g", "-cp", str(tmp_path), "Solver"]
    return lambda *more, megabytes: Command.of([*words, *more], LONG, megabytes)


@pytest.mark.slow
def test_a_java_machine_is_limited_by_what_it_holds_and_not_by_what_it_reserves(java: Callable[..., Command]) -> None:
    assert result(java("-10", megabytes=1024)) == (Status.SAT, "")
    assert result(java("-3000", megabytes=1024)) == (Status.LIMIT, "takes more than 1024 MB")


def test_an_uncaught_exception_is_reported_with_its_place(java: Callable[..., Command]) -> None:
    throws = java("-throw", megabytes=1024)
    outcome = throws.solve(SYSTEM)
    assert outcome.status is Status.ERROR
    assert outcome.reason == 'Exception in thread "main" java.lang.AssertionError: for {}'
    assert throws.solve(SYSTEM).trace.hash == outcome.trace.hash, "whatever the folder of the file is called"
