"""Choosing a Z3. Every test has a process of its own, because a process chooses once."""

import _ctypes
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

OTHER = "4.8.14.0"
EVERY_RELEASE = ["4.8.12.0", "4.8.17.0", "4.9.1.0", "4.11.2.0", "4.12.2.0", "4.13.4.0", "4.15.4.0"]
INSTALLED = metadata.version("z3-solver")

ACTIVATE = """
import sys
from chcfuzz.solvers import z3_release
release = z3_release.activate(*sys.argv[1:])
"""

WHERE_FROM = f"""{ACTIVATE}
import z3
maps = open("/proc/self/maps").read().splitlines()
print(release.folder)
print(z3.__file__)
print(*sorted({{line.split(maxsplit=5)[-1] for line in maps if "libz3" in line}}))
"""

SOLVE = f"""{ACTIVATE}
import z3
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.progress_log import ProgressLog

print(release.version, z3.get_version_string())
spacer = Spacer(ProgressLog(), Watchdog(60))
for bound in (10, 3):
    # the second rule makes the answer need search
    text = f'''(set-logic HORN)(declare-fun p (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (p x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 5)) (p (+ x 1) (+ y 2)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> y {{bound}})) false)))'''
    outcome = spacer.solve(text, [("fp.spacer.no_such", "true"), ("fp.xform.inline_eager", "false")], 5_000_000)
    print(outcome.status.name, outcome.trace.length > 1, outcome.cost > 0, *outcome.left_out)
"""


def python(code: str, *arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def error_of(done: subprocess.CompletedProcess[str]) -> str:
    """The last line of a process that a ReleaseError ended."""
    assert done.returncode == 1, done.stdout + done.stderr
    last = done.stderr.splitlines()[-1]
    kind, _, message = last.partition(": ")
    assert kind.endswith(".ReleaseError"), done.stderr
    return message


def fetched(version: str, tmp_path: Path) -> None:
    """Have a release in the cache, or skip visibly where the package index cannot be reached."""
    done = python(ACTIVATE, version, cwd=tmp_path)
    if done.returncode != 0:
        pytest.skip(f"needs the wheel of z3-solver {version}: {error_of(done)}")


def test_without_a_version_the_installed_release_is_used(tmp_path: Path) -> None:
    done = python(f"{ACTIVATE}\nimport z3\nprint(release.version, z3.get_version_string())", cwd=tmp_path)
    assert done.stdout.split() == [INSTALLED, INSTALLED.removesuffix(".0")], done.stderr


def test_the_installed_release_is_distinguished_from_the_one_under_test(tmp_path: Path) -> None:
    fetched("4.8.14.0", tmp_path)
    installed = "z3_release.installed()"
    code = f"{ACTIVATE}\nprint(release.version, {installed}.version, {installed}.executable, sep='\\n')"
    done = python(code, "4.8.14.0", cwd=tmp_path)
    assert done.stdout.splitlines() == ["4.8.14.0", INSTALLED, str(Path(sys.executable).parent / "z3")], done.stderr


@pytest.mark.slow
def test_a_release_whose_bindings_want_a_package_of_its_own_works(tmp_path: Path) -> None:
    fetched("4.12.3.0", tmp_path)
    done = python(f"{ACTIVATE}\nimport z3\nprint(z3.get_version_string())", "4.12.3.0", cwd=tmp_path)
    assert done.stdout.split() == ["4.12.3"], done.stderr


def test_asking_again_for_the_same_release_gives_the_same_answer(tmp_path: Path) -> None:
    code = f"{ACTIVATE}\nassert z3_release.activate() is z3_release.active() is release"
    code += f"\nassert z3_release.activate({INSTALLED!r}) is release"
    assert python(code, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("4.7.1", "is too old; 4.8.12.0 is the oldest"),
        ("4.8.11.0", "is too old"),
        ("nonsense", "is no version of z3-solver; write it like 4.8.14.0"),
        ("4.8", "is no version"),
        ("4.8.14.0; print(1)", "is no version"),
        ("", "is no version"),
    ],
)
def test_a_version_that_cannot_be_is_refused_in_one_line_that_shows_it(
    version: str, reason: str, tmp_path: Path
) -> None:
    message = error_of(python(ACTIVATE, version, cwd=tmp_path))
    assert repr(version) in message
    assert reason in message


def test_two_releases_in_one_process_are_an_error(tmp_path: Path) -> None:
    code = f"{ACTIVATE}\nz3_release.activate('4.8.12.0')"
    message = error_of(python(code, cwd=tmp_path))
    assert message == f"this process already has Z3 {INSTALLED}; start another one for '4.8.12.0'"


def test_choosing_after_z3_was_imported_is_our_own_bug(tmp_path: Path) -> None:
    done = python(f"import z3\n{ACTIVATE}", cwd=tmp_path)
    assert "RuntimeError: z3 was imported before its release was chosen" in done.stderr


def test_asking_for_the_active_release_before_choosing_is_our_own_bug(tmp_path: Path) -> None:
    done = python("from chcfuzz.solvers import z3_release\nz3_release.active()", cwd=tmp_path)
    assert "RuntimeError: z3_release.activate was not called" in done.stderr


@pytest.mark.parametrize("version", [None, OTHER])
def test_a_library_in_the_current_directory_is_not_loaded(version: str | None, tmp_path: Path) -> None:
    """Z3's own loader searches that folder first, so it would load a library in it."""
    arguments = [] if version is None else [version]
    if version is not None:
        fetched(version, tmp_path)
    shutil.copy(_ctypes.__file__, tmp_path / "libz3.so")
    done = python(WHERE_FROM, *arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    folder, bindings, library = done.stdout.splitlines()
    assert bindings == f"{folder}/z3/__init__.py"
    assert Path(library).parent == Path(folder) / "z3" / "lib"


def test_a_text_named_like_the_library_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "libz3.so").write_text("not a library\n")
    (tmp_path / "z3").mkdir()
    (tmp_path / "z3" / "libz3.so").write_text("not a library\n")
    assert python(WHERE_FROM, cwd=tmp_path).returncode == 0


def test_another_release_is_fetched_and_solves(tmp_path: Path) -> None:
    fetched(OTHER, tmp_path)
    done = python(SOLVE, OTHER, cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert lines[0] == f"{OTHER} 4.8.14", done.stderr
    assert [line.split()[0] for line in lines[1:]] == ["SAT", "UNSAT"]


@pytest.mark.slow
def test_a_release_just_fetched_has_its_command_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    fetched(OTHER, tmp_path)
    done = python(f"{ACTIVATE}\nprint(release.executable)", OTHER, cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path))
    assert done.stderr.startswith(f"chcfuzz: fetching z3-solver {OTHER} into {tmp_path}")
    assert {path.name for path in (tmp_path / "chcfuzz" / "z3").iterdir()} == {OTHER, f"{OTHER}.lock"}
    result = subprocess.run([done.stdout.strip(), "--version"], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("Z3 version 4.8.14 ")


def test_a_failed_download_leaves_nothing_in_the_cache(tmp_path: Path) -> None:
    message = error_of(python(ACTIVATE, "4.99.0.0", cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path)))
    assert message.startswith("pip finds no wheel of z3-solver '4.99.0.0' for this machine: ")
    left = [path for path in (tmp_path / "chcfuzz" / "z3").iterdir() if path.suffix != ".lock"]
    assert left == []


def test_a_cache_that_cannot_be_written_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "chcfuzz").write_text("a file in the place of the folder")
    message = error_of(python(ACTIVATE, OTHER, cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path)))
    assert str(tmp_path / "chcfuzz" / "z3") in message


@pytest.mark.slow
@pytest.mark.parametrize("version", EVERY_RELEASE)
def test_every_release_solves_omits_missing_parameters_and_traces_its_steps(version: str, tmp_path: Path) -> None:
    fetched(version, tmp_path)
    done = python(SOLVE, version, cwd=tmp_path)
    assert done.stdout.splitlines()[1:] == [
        "SAT True True fp.spacer.no_such",
        "UNSAT True True fp.spacer.no_such",
    ], done.stderr


def sanitized_build(folder: Path, runtime: Path) -> Path:
    """A folder like a build with sanitizers, with the installed library and another one as its runtime."""
    import z3

    installed = Path(z3.__file__).parent
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / "libz3.so").symlink_to(next(installed.glob("lib/libz3.so*")))
    (folder / "python").mkdir()
    (folder / "python" / "z3").symlink_to(installed)
    (folder / "BUILD_INFO").write_text(f"version={INSTALLED}\npreload={runtime}\n")
    return folder


WITH_RUNTIME = """
import os, sys
from pathlib import Path
print("starts", flush=True)
from chcfuzz.solvers import z3_release
z3_release.activate(None, Path(sys.argv[1]))
print(sys.argv[2:], os.environ["LD_PRELOAD"], os.environ["ASAN_OPTIONS"])
print(sys.argv[1] in str(sys.path) or "bindings from elsewhere", open("/proc/self/maps").read().count(sys.argv[2]) > 0)
"""


def test_a_build_with_sanitizers_gets_its_runtime_first_and_the_program_its_arguments(tmp_path: Path) -> None:
    runtime = Path(_ctypes.__file__)  # a library that no Python loads by itself before
    build = sanitized_build(tmp_path / "build", runtime)
    done = python(WITH_RUNTIME, str(build), runtime.name, "two words", cwd=tmp_path, ASAN_OPTIONS="verbosity=1")
    assert done.returncode == 0, done.stderr
    first, second, result, found = done.stdout.splitlines()
    assert (first, second) == ("starts", "starts")
    assert result.startswith(f"{[runtime.name, 'two words']} {runtime} ")
    assert "detect_leaks=0" in result
    assert result.endswith(":verbosity=1")  # a user's options come last and win
    assert found == "True True"


def test_a_build_without_its_runtime_is_rejected(tmp_path: Path) -> None:
    build = sanitized_build(tmp_path / "build", tmp_path / "gone.so")
    message = error_of(python(WITH_RUNTIME, str(build), cwd=tmp_path))
    assert str(tmp_path / "gone.so") in message
    assert "build_z3_traced.sh" in message


def test_a_build_whose_runtime_cannot_be_preloaded_is_rejected(tmp_path: Path) -> None:
    build = sanitized_build(tmp_path / "my build", Path("lib/runtime.so"))
    message = error_of(python(WITH_RUNTIME, str(build), cwd=tmp_path))
    assert message.startswith(f"LD_PRELOAD cannot hold the runtime '{build}/lib/runtime.so'")


def test_the_runtime_of_a_packed_build_is_found_where_that_was_unpacked(tmp_path: Path) -> None:
    build = sanitized_build(tmp_path / "build", Path("lib/runtime.so"))
    runtime = build / "lib" / "runtime.so"
    runtime.write_bytes(Path(_ctypes.__file__).read_bytes())
    done = python(WITH_RUNTIME, "build", "runtime.so", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f" {runtime} " in done.stdout


LISTED = """
from chcfuzz.solvers import z3_release
print(*z3_release.in_cache())
print(*z3_release.on_offer())
print(z3_release.build_in_cache("4.8.14.0", "trace"), z3_release.build_in_cache("4.8.14.0", "debug"))
"""


def test_what_the_cache_holds_is_listed_in_order_and_nothing_older(tmp_path: Path) -> None:
    for name in ("4.13.0.0", "4.8.14.0", "4.9.1.0", "4.8.11.0", ".4.10.2.0-abc"):
        (tmp_path / "chcfuzz" / "z3" / name).mkdir(parents=True)
    (tmp_path / "chcfuzz" / "z3" / "4.16.0.0.lock").touch()
    build = tmp_path / "chcfuzz" / "z3-traced" / "4.8.14.0-trace"
    build.mkdir(parents=True)
    (build / "BUILD_INFO").touch()
    (build.with_name("4.8.14.0-debug")).mkdir()
    done = python(LISTED, cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path), PIP_NO_INDEX="1")
    assert done.stdout.splitlines() == ["4.8.14.0 4.9.1.0 4.13.0.0", "", f"{build} None"], done.stderr


def test_what_pip_offers_is_listed_in_order_and_nothing_older(tmp_path: Path) -> None:
    pip = tmp_path / "pip"
    pip.mkdir()
    (pip / "__init__.py").touch()
    result = "z3-solver (5.4.0.0)\\nAvailable versions: 5.4.0.0, 4.8.12.0, 4.8.11.0, 4.8.0.0.post1\\n  LATEST: 5.4.0.0"
    (pip / "__main__.py").write_text(f"print('{result}')")
    done = python(LISTED, cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path), PYTHONPATH=str(tmp_path))
    assert done.stdout.splitlines()[1] == "4.8.12.0 5.4.0.0", done.stderr
