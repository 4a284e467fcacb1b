"""The meaning of the output and of the end of a command: status, reason and witness."""

import signal

import pytest
from chcfuzz.domains.chc.solvers.derivation import Derivation
from chcfuzz.oracles import outcome_checks
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers import command_answer, process
from chcfuzz.solvers.command_answer import answer_in, first_error, signal_of
from chcfuzz.solvers.outcome import Status

from tests.solvers.conftest import DEFINITION, SYSTEM, Made, result

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
        ("echo java.lang.OutOfMemoryError: heap >&2; exit 1", Status.LIMIT, "java.lang.OutOfMemoryError: heap"),
        ("kill -SEGV $$", Status.CRASH, "dies of signal 11 (Segmentation fault)"),
        ("sh -c 'kill -ABRT $$'; exit $?", Status.CRASH, "dies of signal 6 (Aborted)"),
        ("echo sat; kill -SEGV $$", Status.CRASH, "dies of signal 11 (Segmentation fault)"),
        ("kill -KILL $$", Status.LIMIT, f"ended by signal 9, {NOT_OURS}"),
        ("kill -TERM $$", Status.LIMIT, f"ended by signal 15, {NOT_OURS}"),
    ],
)
def test_what_a_command_does_is_a_status_and_a_reason(made: Made, script: str, status: Status, reason: str) -> None:
    assert result(made(script)) == (status, reason)


def test_a_model_comes_with_sat_alone(made: Made) -> None:
    with_model = made(f"echo sat; echo '(model {DEFINITION})'").solve(SYSTEM)
    assert with_model.model is not None
    assert with_model.model.definitions == DEFINITION
    assert made("echo sat").solve(SYSTEM).model is None
    assert made(f"echo unsat; echo '{DEFINITION}'").solve(SYSTEM).model is None
    assert made(f"echo '{DEFINITION}'; echo sat").solve(SYSTEM).model is None, "that came before the answer"


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
    assert outcome_checks.errors(outcome).kind is VerdictKind.EXCEPTION


def test_an_exception_that_reports_an_error_keeps_its_name(made: Made) -> None:
    message = 'Exception in thread "main" java.lang.RuntimeException: ERROR: no such port'
    outcome = made(f"echo '{message}' >&2", name="eld").solve(SYSTEM)
    assert (outcome.reason, outcome_checks.errors(outcome).kind) == (message, VerdictKind.EXCEPTION)


def test_which_complaint_is_kept_does_not_depend_on_the_stream(made: Made) -> None:
    """A live Eldarica has one, a process of its own has two."""
    first, second = "Error in conversion of Rat_denom", "Warning: eliminating div-zero function"
    apart = made(f"echo '{second}' >&2; echo sat; echo '{first}'", name="eld").solve(SYSTEM)
    together = made(f"echo '{second}'; echo sat; echo '{first}'", name="eld").solve(SYSTEM)
    assert apart.reason == together.reason == first
    assert apart.trace.hash == together.trace.hash


def test_a_derivation_is_read_after_unsat_alone(made: Made) -> None:
    steps = "0: false -> 1\\n1: (inv 0)"
    proof = made(f"echo unsat; printf '{steps}\\n'", name="eld").solve(SYSTEM).extra
    assert isinstance(proof, Derivation)
    assert [step.fact for step in proof.steps] == ["(inv 0)", None]
    assert made(f"echo sat; printf '{steps}\\n'", name="eld").solve(SYSTEM).extra is None


@pytest.mark.parametrize("printed", ["0: 3 s", "0: false", "0: false -> 1\\n1: (inv 9)"])
def test_of_a_solver_of_which_nothing_is_known_no_lines_are_a_derivation(made: Made, printed: str) -> None:
    outcome = made(f"echo unsat; printf '{printed}\\n'").solve(SYSTEM)
    assert (outcome.status, outcome.extra) == (Status.UNSAT, None)


def test_half_a_witness_is_none(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MOST_OUTPUT", 40)
    monkeypatch.setattr(command_answer, "model_in", lambda _text: pytest.fail("megabytes are read in vain"))
    outcome = made(f"echo sat; echo '{DEFINITION}'; echo '{DEFINITION}'").solve(SYSTEM)
    assert (outcome.status, outcome.model, outcome.is_cut) == (Status.SAT, None, True)
    outcome = made("echo unsat; printf '0: false -> 1\\n1: (inv 0) -> 2\\n2: (inv 1)\\n'", name="eld").solve(SYSTEM)
    assert (outcome.status, outcome.extra, outcome.is_cut) == (Status.UNSAT, None, True)


def test_a_derivation_that_breaks_off_with_an_error_code_is_incomplete_and_not_wrong(made: Made) -> None:
    half = "echo unsat; echo '0: false -> 1'; echo '1: (inv 9) -> 2'"
    failed, wrong = (made(f"{half}; exit {code}", dialect="eldarica").solve(SYSTEM) for code in (1, 0))
    assert (failed.status, failed.extra, failed.is_cut) == (Status.UNSAT, None, True)
    assert wrong.extra is not None
    assert wrong.extra.fault == "there is no step 2"


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
    assert outcome_checks.errors(outcome).kind is VerdictKind.EXCEPTION
