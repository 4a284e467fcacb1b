"""The lists of `pyproject.toml` are complete; the wheel and the source distribution are built, installed, and used."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from tests.sources import copied, listed
from tests.targets import ROOT

SETUPTOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
FOLDERS: dict[str, str] = SETUPTOOLS["package-dir"]
UNPACKAGED = {"bench", "oss-fuzz", "reports", "seeds", "tests"}  # programs that are not part of the package
NATIVE = Path("tracing/native")  # is compiled into Z3 from a clone
LOCK = ROOT / "requirements.lock"
SDIST = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"


def test_the_lock_has_one_version_of_every_requirement() -> None:
    locked = dict(line.split("==") for line in LOCK.read_text().splitlines() if not line.startswith("#"))
    names = {name.lower().replace("_", "-") for name in locked}
    project = (ROOT / "pyproject.toml").read_text()
    required = re.findall(r'^    "([a-z0-9-]+)>=', project, re.MULTILINE)
    assert len(required) > 10
    assert set(required) - names <= {"setuptools"}  # pip installs it itself for a build


def packaged() -> list[Path]:
    """Return the tracked files in folders that the package can contain."""
    return [file for file in listed() if file.parts[0] not in UNPACKAGED and NATIVE not in file.parents]


def test_every_folder_with_modules_is_a_package_and_listed_twice() -> None:
    modules = [file for file in packaged() if file.suffix == ".py"]
    folders = {file.parent for file in modules}
    assert folders == {file.parent for file in modules if file.name == "__init__.py"}
    seeds = map(Path, ("corpus", "corpus-itp", "corpus-parts", "corpus-smt"))  # no modules: libFuzzer reads every file
    expected = {f"chcfuzz.{'.'.join(folder.parts)}": folder.as_posix() for folder in {*folders, *seeds}}
    assert expected == FOLDERS
    assert sorted(expected) == sorted(SETUPTOOLS["packages"])


def test_every_other_file_of_a_package_is_package_data() -> None:
    data = {
        file
        for package, patterns in SETUPTOOLS["package-data"].items()
        for pattern in patterns
        for file in (ROOT / FOLDERS[package]).glob(pattern)
    }
    rooms = {Path(folder).parts[0] for folder in FOLDERS.values()}
    others = [file for file in packaged() if file.suffix != ".py" and file.parts[0] in rooms]
    assert [file for file in others if ROOT / file not in data] == []


def run(*command: object, cwd: Path) -> str:
    away = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # it would import the clone
    done = subprocess.run([*map(str, command)], cwd=cwd, env=away, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.slow
def test_the_wheel_and_the_source_distribution_work_without_the_clone(tmp_path: Path) -> None:
    source = copied(tmp_path / "source")
    modules = {file.as_posix() for file in packaged() if file.suffix == ".py"}
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    run(*pip, "--wheel-dir", tmp_path / "wheel", source, cwd=tmp_path)
    run(sys.executable, "-c", SDIST, tmp_path / "sdist", cwd=source)
    (sdist,) = (tmp_path / "sdist").iterdir()
    run(*pip, "--wheel-dir", tmp_path / "again", sdist, cwd=tmp_path)
    (wheel,), (again,) = (list((tmp_path / folder).iterdir()) for folder in ("wheel", "again"))
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        held = set(one.namelist())
        assert held == set(other.namelist())
    assert {f"chcfuzz/{module}" for module in modules} == {name for name in held if name.endswith(".py")}
    assert "chcfuzz/grammar/reading/smtlib.lark" in held
    assert any(re.fullmatch(r"chcfuzz-.*/licenses/LICENSE", name) for name in held)
    with tarfile.open(sdist) as archive:
        assert any(name.endswith("/README.md") for name in archive.getnames())

    venv.create(tmp_path / "venv", with_pip=True)
    program = tmp_path / "venv" / "bin"
    run(program / "pip", "install", "--quiet", "--constraint", LOCK, wheel, cwd=tmp_path)
    output = run(program / "chcfuzz", "doctor", "--wall-seconds=200", cwd=tmp_path)
    assert "the custom mutator is live" in output
    assert "BAD" not in output
    assert str(ROOT) not in output
    system = next((ROOT / "corpus").rglob("*.smt2"))
    assert run(program / "chcfuzz", "check", system, cwd=tmp_path).startswith("1 CHC system in 1 file")
