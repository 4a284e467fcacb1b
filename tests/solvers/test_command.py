"""Solvers as commands: what their output and their end mean.

They are small scripts, and the z3 of the installed wheel.
"""

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.domains.chc import BUILT_IN
from chcfuzz.oracles import errors
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers import process
from chcfuzz.solvers.command import (
    Command,
    CommandError,
    answer_in,
    error_class,
    first_error,
    packed,
    signal_of,
    steps_told,
    unpacked,
)
from chcfuzz.solvers.dialects import DIALECTS
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.z3_release import active

SYSTEM = "(set-logic HORN)\n(declare-fun inv (Int) Bool)\n(assert (inv 0))\n(check-sat)\n"
DEFINITION = "(define-fun inv ((x Int)) Bool (>= x 0))"
LONG = 60.0

Made = Callable[..., Command]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """A command whose program is a shell script."""

    def make(script: str, *words: str, name: str = "solver", wall_seconds: float = LONG, **fields: object) -> Command:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return Command.of([str(path), *words], wall_seconds, **fields)  # type: ignore[arg-type]

    return make


def z3(wall_seconds: float = LONG) -> Command:
    executable = active().executable
    assert executable is not None, "the z3-solver wheel has its command beside this Python"
    return Command.of([str(executable)], wall_seconds)


def result(command: Command, text: str = SYSTEM) -> tuple[Status, str]:
    outcome = command.solve(text)
    return outcome.status, outcome.reason


NOT_OURS = "which chcfuzz did not send: the kernel, another process or the solver itself did"


@pytest.mark.parametrize(
    ("script", "status", "reason"),
    [
        ("echo sat", Status.SAT, ""),
        ("echo unsat", Status.UNSAT, ""),
        ("echo unknown", Status.UNKNOWN, ""),
        ("echo timeout", Status.LIMIT, "the command says timeout"),
        ("echo; echo '  unsat '; exit 1", Status.UNSAT, ""),
        ("echo c hello, no error yet; echo sat; echo sat", Status.SAT, ""),
        ("echo unsat; echo '(error \"model is not available\")'; exit 1", Status.UNSAT, ""),
        ("echo sat; echo unsat", Status.ERROR, "answers sat and unsat"),
        ("echo it is sat", Status.ERROR, "gives no answer"),
        ("exit 4", Status.ERROR, "leaves with code 4 and no answer"),
        ("echo '(error \"no such sort\")'; exit 1", Status.ERROR, '(error "no such sort")'),
        ("echo '(error \"no such sort\")'; echo sat", Status.ERROR, '(error "no such sort")'),
        ("echo java.lang.NullPointerException: null >&2; exit 1", Status.ERROR, "java.lang.NullPointerException: null"),
        ("kill -SEGV $$", Status.CRASH, "dies of signal 11 (Segmentation fault)"),
        ("sh -c 'kill -ABRT $$'; exit $?", Status.CRASH, "dies of signal 6 (Aborted)"),
        ("echo sat; kill -SEGV $$", Status.CRASH, "dies of signal 11 (Segmentation fault)"),
        ("kill -KILL $$", Status.LIMIT, f"ended by signal 9, {NOT_OURS}"),
        ("kill -TERM $$", Status.LIMIT, f"ended by signal 15, {NOT_OURS}"),
    ],
)
def test_what_a_command_does_is_a_status_and_a_reason(made: Made, script: str, status: Status, reason: str) -> None:
    assert result(made(script)) == (status, reason)


def test_the_wall_clock_makes_even_an_answer_undecided(made: Made) -> None:
    assert result(made("echo sat; exec sleep 100", wall_seconds=1)) == (Status.HANG, "still running after 1 s")


def test_memory_beyond_the_limit_is_undecided() -> None:
    program = "import time; kept = [bytearray(1 << 20) for _ in range(600)]; print('sat'); time.sleep(100)"
    command = Command.of([sys.executable, "-c", program], LONG, memory_megabytes=300)
    assert result(command) == (Status.LIMIT, "takes more than 300 MB")


def test_a_model_comes_with_sat_alone(made: Made) -> None:
    with_model = made(f"echo sat; echo '(model {DEFINITION})'").solve(SYSTEM)
    assert with_model.model is not None
    assert with_model.model.definitions == DEFINITION
    assert made("echo sat").solve(SYSTEM).model is None
    assert made(f"echo unsat; echo '{DEFINITION}'").solve(SYSTEM).model is None
    assert made(f"echo '{DEFINITION}'; echo sat").solve(SYSTEM).model is None, "that came before the answer"


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
    ],
)
def test_a_command_that_cannot_be_started_is_one_line(
    words: str, complaint: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
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


def trace(command: Command, text: str = SYSTEM) -> int:
    return command.solve(text).trace.hash


@pytest.mark.slow
def test_the_same_output_is_the_same_trace_and_another_class_another(made: Made) -> None:
    scripts = [
        "echo sat",
        f"echo sat; echo '{DEFINITION}'",
        "echo sat; echo '(define-fun inv ((x Int)) Bool (or (= x 0) (= x 1)))'",
        "echo unsat",
        "echo unsat; echo step; echo step; echo step",
        "echo unknown",
        "echo '(error \"this\")'",
        "echo '(error \"that\")'",
        "kill -SEGV $$",
        "kill -ABRT $$",
        "exit 1",
    ]
    hashes = [trace(made(script)) for script in scripts]
    assert len(set(hashes)) == len(scripts)
    assert hashes == [trace(made(script)) for script in scripts]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('(error "line 3 column 14: bad")', '(error "line 12 column 7: bad")'),
        ("Error at 0x7ffd12: no |a b| here", "Error at 0x55aa: no |c| here"),
        ("Error in /tmp/one/x.smt2", "Error in /var/two/y.smt2"),
        ("Error in Foo$17@1b2c3d4e after 12.5 s", "Error in Foo$3@ffee0011 after 0.25 s"),
    ],
)
def test_numbers_and_places_make_no_class_of_errors(one: str, other: str) -> None:
    assert error_class(one) == error_class(other)


def test_names_of_the_system_make_no_class_of_errors(made: Made) -> None:
    refuses = made("""name=$(sed -n 's/(declare-fun \\([^ ]*\\) .*/\\1/p' "$1"); echo "(error \\"no $name here\\")" """)
    assert result(refuses)[1] == '(error "no inv here")'
    assert trace(refuses) == trace(refuses, SYSTEM.replace("inv", "reached"))
    assert trace(refuses) == trace(refuses, SYSTEM.replace("inv", "|a-b|"))


def test_time_is_no_trace(made: Made) -> None:
    assert trace(made("echo sat")) == trace(made("sleep 0.3; echo sat"))


def test_the_stack_of_an_exception_is_part_of_its_class(made: Made) -> None:
    thrown = "echo java.lang.AssertionError >&2; printf '\\tat lazabs.{}.x(A.scala:{})\\n' >&2; exit 1"
    one, same, other = (trace(made(thrown.replace("{}", a, 1).replace("{}", b))) for a, b in ("a1", "a7", "b1"))
    assert one == same != other


def test_what_the_wall_clock_ends_is_always_the_same_trace(made: Made) -> None:
    one = trace(made("echo sat; exec sleep 100", wall_seconds=0.5))
    assert one == trace(made("exec sleep 100", wall_seconds=0.5))


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


@pytest.mark.parametrize(
    ("code", "number"),
    [(0, 0), (1, 0), (-11, 11), (139, signal.SIGSEGV), (134, signal.SIGABRT), (137, signal.SIGKILL), (130, 0)],
)
def test_signals_are_seen_through_a_shell(code: int, number: int) -> None:
    assert signal_of(code) == number


def test_an_answer_is_a_line_of_its_own() -> None:
    assert answer_in("a\nsat\nb\nc") == ("sat", "a", "b\nc")
    assert answer_in("unsat.\nnot sat") == (None, "unsat.\nnot sat", "")


def test_the_first_error_is_reported() -> None:
    assert first_error('hello\n  (error "a")\n(error "b")') == '(error "a")'
    assert first_error("x\njava.lang.NullPointerException: y\n\tat z") == "java.lang.NullPointerException: y"
    assert first_error("all is well\nno errors") == ""


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
    assert trace(throws) == outcome.trace.hash, "whatever the folder of the file is called"


def test_what_a_dialect_refuses_in_its_own_words_is_unsupported_and_no_crash(made: Made) -> None:
    refuses = made("echo 'Unknown type: !'; kill -ABRT $$", name="golem").solve(SYSTEM)
    assert (refuses.status, refuses.reason) == (Status.UNSUPPORTED, "Unknown type: !")
    dies = made('echo "  what():  Should not happen!" >&2; kill -ABRT $$', name="golem").solve(SYSTEM)
    assert dies.status is Status.CRASH
    assert dies.reason.endswith(": what():  Should not happen!")


def test_an_answer_after_a_complaint_is_judged_and_the_complaint_kept(made: Made) -> None:
    result = "Error in conversion from Princess to Eldarica (ITerm): rotate_left(4, P0, 1)"
    outcome = made(f"echo '{result}' >&2; echo sat; echo '{DEFINITION}'", name="eld").solve(SYSTEM)
    assert (outcome.status, outcome.reason) == (Status.SAT, result)
    assert outcome.model is not None


def test_an_error_after_a_line_of_progress_is_reported_without_it(made: Made) -> None:
    outcome = made("echo '3 clauses ... 7 -> 7ERROR: assertion failed' >&2", name="eld").solve(SYSTEM)
    assert (outcome.status, outcome.reason) == (Status.ERROR, "ERROR: assertion failed")
    assert errors.check(outcome).kind is VerdictKind.EXCEPTION


def test_an_exception_that_reports_an_error_keeps_its_name(made: Made) -> None:
    message = 'Exception in thread "main" java.lang.RuntimeException: ERROR: no such port'
    outcome = made(f"echo '{message}' >&2", name="eld").solve(SYSTEM)
    assert (outcome.reason, errors.check(outcome).kind) == (message, VerdictKind.EXCEPTION)


def test_which_complaint_is_kept_does_not_depend_on_the_stream(made: Made) -> None:
    """A live Eldarica has one, a process of its own has two."""
    first, second = "Error in conversion of Rat_denom", "Warning: eliminating div-zero function"
    apart = made(f"echo '{second}' >&2; echo sat; echo '{first}'", name="eld").solve(SYSTEM)
    together = made(f"echo '{second}'; echo sat; echo '{first}'", name="eld").solve(SYSTEM)
    assert apart.reason == together.reason == first
    assert apart.trace.hash == together.trace.hash


def test_a_trace_in_which_a_clock_of_the_solver_had_a_say_need_not_come_again(made: Made) -> None:
    result = "Interpolation abstraction: inv: <(a + -1 * b)> ."
    for ends, complete in (("", True), (" TIMEOUT", False)):
        outcome = made(f"echo '{result}{ends}' >&2; echo unsat", name="eld").solve(SYSTEM)
        assert (outcome.status, outcome.trace.complete) == (Status.UNSAT, complete)


def test_a_derivation_is_read_after_unsat_alone(made: Made) -> None:
    steps = "0: false -> 1\\n1: (inv 0)"
    proof = made(f"echo unsat; printf '{steps}\\n'", name="eld").solve(SYSTEM).proof
    assert proof is not None
    assert [step.fact for step in proof.steps] == ["(inv 0)", None]
    assert made(f"echo sat; printf '{steps}\\n'", name="eld").solve(SYSTEM).proof is None


@pytest.mark.parametrize("printed", ["0: 3 s", "0: false", "0: false -> 1\\n1: (inv 9)"])
def test_of_a_solver_of_which_nothing_is_known_no_lines_are_a_derivation(made: Made, printed: str) -> None:
    outcome = made(f"echo unsat; printf '{printed}\\n'").solve(SYSTEM)
    assert (outcome.status, outcome.proof) == (Status.UNSAT, None)


def test_half_a_witness_is_none(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MOST_OUTPUT", 40)
    outcome = made(f"echo sat; echo '{DEFINITION}'; echo '{DEFINITION}'").solve(SYSTEM)
    assert (outcome.status, outcome.model, outcome.is_cut) == (Status.SAT, None, True)
    outcome = made("echo unsat; printf '0: false -> 1\\n1: (inv 0) -> 2\\n2: (inv 1)\\n'", name="eld").solve(SYSTEM)
    assert (outcome.status, outcome.proof, outcome.is_cut) == (Status.UNSAT, None, True)


def test_an_answer_beyond_the_output_that_is_kept_is_reported_as_such(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "MOST_OUTPUT", 40)
    reason = "gives no answer in the first 40 bytes of its output, which are all that is read"
    assert result(made(f"echo '{DEFINITION}'; echo '{DEFINITION}'; echo sat")) == (Status.ERROR, reason)


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("", "Internal witness validation failed!"),
        ("==7==", "ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010"),
        ("==7==", "ERROR: UndefinedBehaviorSanitizer: SEGV on unknown address 0x000000000000"),
    ],
)
def test_a_failed_check_of_its_own_is_an_error(made: Made, before: str, message: str) -> None:
    outcome = made(f"echo sat; echo '{before}{message}' >&2", name="golem").solve(SYSTEM)
    assert (outcome.status, outcome.reason) == (Status.ERROR, message)
    assert errors.check(outcome).kind is VerdictKind.EXCEPTION


LOG = """After slicing ({}ms):   {}   {}
Found counterexample #{}, refining ...
0: AndNode(FALSE() :- {}({}_0) | ({}_0 + 1 = 0))
Total CEGAR time (ms):      {}
Time for hasher eval:       {}
Total elapsed time (ms): {}
{}
"""


def test_steps_are_the_same_but_for_names_times_and_small_differences_of_numbers() -> None:
    first = steps_told(LOG.format(1, 4, 2, 1, "inv", "inv", "inv", 70, 6, 900, "more"), {"inv"})
    other = steps_told(LOG.format(99, 5, 3, 1, "end", "end", "end", 7, 60, 20, "other"), {"end"})
    assert first == other
    assert first[0] == "After slicing : ~3 ~2"
    assert len(first) == 3, "neither times nor what comes after the end"
    assert steps_told(LOG.format(1, 9, 2, 1, "inv", "inv", "inv", 70, 6, 900, ""), {"inv"}) != first


def test_lines_that_may_stand_in_any_order_have_one() -> None:
    heads = ["   p-4/0 (3 clauses, 0 templates)", "   |a b|-0/1 (9 clauses, 2 templates)"]
    logs = ["\n".join(["begin", *each, "end", *each]) for each in (heads, heads[::-1])]
    first, other = (steps_told(log, {"p"}, DIALECTS["eldarica"].unordered) for log in logs)
    assert first == other
    assert (first[0], first[3]) == ("begin", "end")
    assert first[1:3] == first[4:] != first[1:3][::-1]
    assert steps_told(logs[0], {"p"}) != steps_told(logs[1], {"p"})


def test_a_number_of_thousands_of_digits_in_a_log_has_a_class() -> None:
    assert steps_told(f"level {'7' * 5000}", {"p"}) == ["level ~4000 digits"]
