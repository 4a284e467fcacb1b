"""Conditions of a release: one version, one placeholder for the owner, a contact, supported versions of Python."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.sources import listed
from tests.targets import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OWNER = "OWNER"  # the placeholder, until a maintainer replaces it in all files (docs/publishing.md)
TEXTS = (".md", ".yml", ".yaml", ".cff", ".toml", ".service", "")


def test_the_version_is_the_same_everywhere_and_on_top_of_the_changes() -> None:
    version = re.escape(PROJECT["version"])
    assert re.search(rf"^version: {version}$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    top = next(line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line.startswith("## "))
    assert re.fullmatch(rf"## {version} \((unreleased|\d{{4}}-\d\d-\d\d)\)", top)


def test_the_supported_versions_of_python_are_those_of_the_workflow() -> None:
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    workflow = (ROOT / ".github/workflows/package.yml").read_text()
    matrix = re.search(r"python: \[(.*)\]", workflow)
    assert matrix is not None
    assert named == re.findall(r"3\.\d+", matrix[1])
    assert PROJECT["requires-python"] == f">={named[0]}"


def owner_in(url: str) -> str:
    found = re.match(r"https://github\.com/([\w.-]+)/chcfuzz(/|$)", url)
    assert found is not None, url
    return found[1]


def test_addresses_of_the_repository_have_one_owner() -> None:
    owner = owner_in(PROJECT["urls"]["Repository"])
    files = [file for file in listed() if file.suffix in TEXTS and file.parts[0] not in ("reports", "corpus")]
    wrong = []
    for file in files:
        for found in re.findall(r"github\.com/([\w.-]+)/chcfuzz\b", (ROOT / file).read_text(errors="replace")):
            wrong += [f"{file}: {found}"] if found != owner else []
    assert not wrong
    assert set(PROJECT["urls"]) == {"Repository", "Changelog", "Security"}
    assert {owner_in(url) for url in PROJECT["urls"].values()} == {owner}


def test_security_names_a_contact_which_is_an_example_only_as_long_as_the_owner_is() -> None:
    contacts = re.findall(r"[\w.+-]+@([\w.-]+\w)", (ROOT / "SECURITY.md").read_text())
    assert contacts
    is_placeholder = owner_in(PROJECT["urls"]["Repository"]) == OWNER
    assert all(host.endswith(".example") == is_placeholder for host in contacts), "write an address that is read"


def container() -> str:
    return (ROOT / "Containerfile").read_text()


def started(folder: Path, *flags: str) -> list[str]:
    """Return the command that a container starts, with its folders in `folder` and more flags for a campaign."""
    command: list[str] = json.loads(re.findall(r"^CMD (.+)$", container(), re.MULTILINE)[0])
    words = [word.replace("/run-dir", str(folder)).replace("/chcfuzz/", f"{folder}/") for word in command]
    return [word.replace("chcfuzz fuzz ", " ".join(["chcfuzz fuzz", *flags, ""])) for word in words]


def test_the_container_begins_a_campaign_and_the_same_command_continues_it(tmp_path: Path) -> None:
    assert "ENV PATH=/chcfuzz/environment/bin:$PATH" in container()
    (tmp_path / "chcfuzz").write_text('#!/bin/sh\necho "$@"\n')
    (tmp_path / "chcfuzz").chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    begun = subprocess.check_output(started(tmp_path), env=path, text=True)
    assert begun == f"fuzz --run-dir {tmp_path}/run {tmp_path}/corpora/chc\n"
    (tmp_path / "run").mkdir()
    (tmp_path / "run/run.json").touch()
    assert subprocess.check_output(started(tmp_path), env=path, text=True) == f"fuzz --resume {tmp_path}/run\n"


@pytest.mark.exhaustive  # installs all packages
def test_the_lines_of_the_container_work_in_a_scratch_folder(tmp_path: Path) -> None:
    for file in listed():
        (tmp_path / file.parent).mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    for line in re.findall(r"^RUN (.+)$", container(), re.MULTILINE):
        subprocess.run(["sh", "-c", line], cwd=tmp_path, check=True)
    path = os.environ | {"PATH": f"{tmp_path}/environment/bin:{os.environ['PATH']}"}
    for _ in range(2):
        subprocess.run(started(tmp_path, "-runs=5", "--finish-seconds=1"), cwd=tmp_path, env=path, check=True)
    assert len(list((tmp_path / "run/statistics").iterdir())) == 2
