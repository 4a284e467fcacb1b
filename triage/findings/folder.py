"""The files in a finding's folder: everything that a person needs to reproduce it with released solvers alone.

::

    README.txt      a line on the finding, and one on each file
    mutant.smt2     the system, its parameters as set-option (options of a command are in show.sh)
    seed.smt2       the system that the chain started from
    model.smt2      a model as define-funs, and each clause negated under it: a solver answers unsat each time
    refutation      a derivation of false from ground facts, one step in a line, to be checked by hand
    refutation.smt2 the same for a solver: each step negated, unsat each time
    core.smt2       the assertions, which several other solvers find unsat
    evidence.smt2   for a wrong model: plain SMT-LIB that is satisfiable exactly because the model is wrong
    wrong-answer.smt2  for a wrong step of the solver: a system that is answered wrongly because of it
    session.json    for a result that depends on earlier systems: all these systems, the mutant last
    step.smt2       for a wrong derivation: plain SMT-LIB that shows a wrong step, as its first line explains
    show.sh         makes a virtual environment with the solver's release and cvc5, and runs all of these
    ask_cvc5.py     runs cvc5 for show.sh
    ask_session.py  runs one process on all systems of session.json for show.sh
    ask_smt.py      for one of several SMT solvers: runs each of them for show.sh
    ask_itp.py      interpolates with the solver and checks the interpolants, for show.sh
    solver-input.smt2  the text that the solver reads in place of mutant.smt2, if it does not read that
    ask_z3.py       runs Z3 as a library, like chcfuzz; the z3 program may answer differently
    suspicion.json  for a contradiction: the suspicion that `chcfuzz confirm` examines again
    recipe          the unit, for `chcfuzz show` and `chcfuzz replay`
    record.json     the typed record (`record`): versions, answers, signature, chain; format `chcfuzz-finding 4`

`chcfuzz reduce` adds `reduced.smt2` or `equivalent.smt2` with a witness of its own, and `chcfuzz locate` adds
`location.json` and a section of README.txt.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence, Set
from importlib import metadata
from pathlib import Path

import msgspec
from chcfuzz.domains.protocol import Domain
from chcfuzz.execution.domain import recorded_domain
from chcfuzz.execution.files import read_plain, write_whole
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import shortened
from chcfuzz.grammar.problem import BaseProblem, Pairs
from chcfuzz.grammar.solver_options import writing_option
from chcfuzz.mutators.chain import with_status
from chcfuzz.oracles.verdict import VerdictKind, facts_of, headline_of
from chcfuzz.solvers.command import FILE
from chcfuzz.solvers.outcome import Status
from chcfuzz.triage.examine.conclusion import ANSWERED, Conclusion, End, SessionReport
from chcfuzz.triage.examine.confirm import Confirmation
from chcfuzz.triage.findings.compared_solvers import Several, is_known
from chcfuzz.triage.findings.contents import FILES, INPUT, OF_THIS_MACHINE, PROGRAMS
from chcfuzz.triage.findings.location import Location, in_words
from chcfuzz.triage.findings.record import Cvc5Answers, Finding, Record, SeedStatus
from chcfuzz.triage.findings.reductions import STEMS, system_of
from chcfuzz.triage.findings.scripts import ASK_CVC5, ASK_SESSION, ASK_Z3
from chcfuzz.triage.findings.shell import LIMIT, comment, limited, one_line, quoted, say

_ABSOLUTE = re.compile(r"(?<![^:=,])/+(?:[^/:=,]+/+(?=[^/:=,]))*")  # the folders of a path


def headline(confirmation: Confirmation) -> str:
    """Return a line on a finding."""
    conclusion = confirmation.conclusion
    parameters = dict(confirmation.description.parameters)
    return _headline(conclusion.kind, conclusion.words, parameters, recorded_domain(confirmation.suspicion.solving))


def _headline(kind: str, words: str, parameters: Mapping[str, str], domain: Domain) -> str:
    in_force = {**dict(domain.roots.configured(tuple(parameters.items()))), **parameters}
    under = ", ".join(f"{name}={value}" for name, value in in_force.items() if name not in domain.roots.selecting)
    return f"{headline_of(kind)} ({shortened(words)}; {under or 'default parameters'})"


def files(confirmation: Confirmation) -> dict[str, bytes]:
    """Return the files of a finding's folder, by name."""
    conclusion = confirmation.conclusion
    description = confirmation.description
    domain = recorded_domain(confirmation.suspicion.solving)
    evidence = _evidence(conclusion, domain.refutation_text)
    texts = {"mutant.smt2": _mutant_text(confirmation), "seed.smt2": description.seed, **evidence}
    if conclusion.answered:
        texts[ANSWERED] = conclusion.answered
    if conclusion.session is not None:
        texts |= {"session.json": _session(conclusion.session), "ask_session.py": ASK_SESSION}
    if conclusion.end is End.CONTRADICTION:
        texts["suspicion.json"] = confirmation.suspicion.written().decode()
    record = record_of(confirmation)
    texts |= _programs(record) | ({INPUT: confirmation.described.input} if confirmation.described.input else {})
    texts["record.json"] = record.to_json().decode()
    names = {*texts, "recipe", "show.sh"}
    texts |= {"show.sh": _script(record, names), "README.txt": _readme(record, names)}
    return {name: text.encode() for name, text in texts.items()} | {"recipe": confirmation.unit}


def _mutant_text(confirmation: Confirmation) -> str:
    """Return the text of the mutant, whose `:status` is never the answer that a contradiction accuses."""
    text, conclusion = confirmation.description.mutant, confirmation.conclusion
    witness, given = conclusion.witness, confirmation.given
    if witness is not None:
        return with_status(text, witness.status.value, one_line(witness.words))
    is_accused = given is not None and given.status == confirmation.description.expected
    return with_status(text, None, "") if conclusion.end is End.CONTRADICTION and is_accused else text


def _programs(record: Record) -> dict[str, str]:
    """Return the programs that run solvers."""
    if record.releases:
        return dict(recorded_domain(record.solving).programs)
    return {"ask_cvc5.py": ASK_CVC5} | ({} if record.command else {"ask_z3.py": ASK_Z3})


def inputs_of(record: Record, problem: BaseProblem, parameters: Pairs) -> dict[str, str]:
    """Return the text that the solver under test reads in place of a problem, by its name in a finding's folder."""
    found = recorded_domain(record.solving).input_in_place(problem, record.releases, parameters)
    return {INPUT: found} if found else {}


def _evidence(conclusion: Conclusion, refutation_text: Callable[[str], str]) -> dict[str, str]:
    """Return the files that show the finding."""
    texts: dict[str, str] = {}
    for witness in (conclusion.witness, conclusion.against):
        if witness is not None and witness.status is Status.SAT:
            texts["model.smt2"] = witness.script
        elif witness is not None and not witness.text:
            texts["core.smt2"] = witness.script
        elif witness is not None:
            texts |= {"refutation": refutation_text(witness.text), "refutation.smt2": witness.script}
    if conclusion.evidence:
        texts[facts_of(conclusion.kind).evidence] = conclusion.evidence
    return texts


def _session(session: SessionReport) -> str:
    """Return the requests to one process; the record holds the command that starts it."""
    return json.dumps({"server": session.server, "requests": session.requests}, indent=1) + "\n"


def ensure_scripts_write_nothing(folder: Path) -> None:
    """Raise `ChcfuzzError` if a script of a finding's folder lets its solver write a file.

    The folder may come from somebody else, and people run our show.sh on these scripts. Raises `OSError`.
    """
    for path in sorted(folder.glob("*.smt2")):
        option = writing_option(read_plain(path).decode(errors="replace"))
        if option is not None:
            advice = "remove that line, or the finding's folder"
            raise ChcfuzzError(f"{str(path)!r} sets {option}, with which a solver may overwrite a file; {advice}")


def rewrite(folder: Path) -> None:
    """Write README.txt and show.sh of a finding's folder again, from its record and its files.

    Raises `OSError`, and `ChcfuzzError` for a damaged file, and then leaves the old ones.
    """
    ensure_scripts_write_nothing(folder)
    finding = Finding.read(folder)
    names = {path.name for path in folder.iterdir()}
    script = _script(finding.record, names, _reduced_commands(finding))
    readme = _readme(finding.record, names, finding.location)
    write_whole(folder / "show.sh", script.encode(), mode=0o755)
    write_whole(folder / "README.txt", readme.encode())


def portable(folder: Path) -> dict[str, bytes]:
    """Return the files of a finding for other people, without those that describe this machine.

    README.txt and show.sh name only the returned files, and only the program of a command. Raises `OSError`, and
    `ChcfuzzError` for a damaged file.
    """
    finding = Finding.read(folder)
    names = {"show.sh", *(path.name for path in folder.iterdir() if path.name in FILES)} - OF_THIS_MACHINE
    known = {**PROGRAMS, **recorded_domain(finding.record.solving).programs}
    programs = {name: text.encode() for name, text in known.items() if name in names}  # never those of the folder
    command, session = by_program(finding.record.command), by_program(finding.record.session)
    record = msgspec.structs.replace(finding.record, command=command, session=session)
    found = programs | {name: read_plain(folder / name) for name in sorted(names - programs.keys() - {"show.sh"})}
    commands = {system: by_program(command) for system, command in _reduced_commands(finding).items()}
    script = _script(record, names, commands)
    return found | {"README.txt": _readme(record, names).encode(), "show.sh": script.encode()}


def _reduced_commands(finding: Finding) -> dict[str, tuple[str, ...]]:
    """Return the command lines that were run on reduced systems, by the names of their files."""
    return {found.system: found.reduction.command for found in finding.reductions.values() if found.reduction}


def by_program(command: Sequence[str]) -> tuple[str, ...]:
    """Return a command with only the names of its program and files, not their paths on this machine."""
    return tuple(Path(word).name if number == 0 else _by_name(word) for number, word in enumerate(command))


def _by_name(word: str) -> str:
    """Return a word without the folders of absolute paths; a class path has several, and an option may have one."""
    return _ABSOLUTE.sub("", word)


def run_of(name: str, command: Sequence[str], z3: str = "z3") -> str:
    """Return the shell command that runs the solver on a file of the folder."""
    return quoted(word.replace(FILE, name) for word in command) if command else f"{z3} {name}"


def session_run_of(start: Sequence[str], python: str = "python3") -> str:
    """Return the shell command that runs all systems of session.json in one process, which `start` starts."""
    return f"{python} ask_session.py {quoted(start)}"


def record_of(confirmation: Confirmation) -> Record:
    """Return the record of a confirmed finding."""
    description, conclusion, given = confirmation.description, confirmation.conclusion, confirmation.given
    witness, seed = conclusion.witness, confirmation.suspicion.seed
    return Record(
        kind=conclusion.kind,
        signature=conclusion.signature,
        standing=confirmation.standing,
        witness=conclusion.words,
        witness_for=witness.status.value if witness else None,
        cvc5=Cvc5Answers(conclusion.cvc5, witness.cvc5 if witness else ()),
        chcfuzz=metadata.version("chcfuzz"),
        z3=description.z3,
        solvers=_recorded(confirmation.described.solvers) or msgspec.UNSET,
        solving=confirmation.suspicion.solving,
        command=given.command if given else (),
        session=conclusion.session.start if conclusion.session else (),
        expected=description.expected,
        seed=SeedStatus(seed.status, seed.ground) if seed else None,
        answer=given.status if given else "death",
        promise=description.promise,
        parameters=dict(description.parameters),
        chain=description.chain,
        answers_along_the_chain=conclusion.statuses,
        tried=conclusion.tried,
        runs={"given": given.without_evidence()} if given else {},
        execution=confirmation.suspicion.execution or msgspec.UNSET,
        seconds=round(confirmation.suspicion.seconds, 3) or msgspec.UNSET,
        reproductions=confirmation.reproductions,
    )


def _recorded(solvers: Mapping[str, str]) -> dict[str, str]:
    """Return the releases that a script can install: a solver of another project's domain is like a command."""
    return {name: release if is_known(name, release) else "" for name, release in solvers.items()}


_WIDTH = max(map(len, FILES)) + 2


def _readme(record: Record, names: Set[str], location: Location | None = None) -> str:
    headline = _headline(record.kind, record.witness, record.parameters, recorded_domain(record.solving))
    lines = [one_line(f"{solver_in(record)}: {headline}"), ""]
    lines += [f"{name:<{_WIDTH}}{FILES[name]}" for name in FILES if name in names]
    if location is not None:
        lines += [
            "",
            "Where it comes from:",
            *(one_line(about).ljust(_WIDTH) + one_line(text) for about, text in in_words(location)),
        ]
    return "\n".join([*lines, ""])


def solver_in(record: Record) -> str:
    """Return the solver that a finding accuses: its name and release, or its command."""
    for name, release in record.releases.items():
        return f"{name} {release}".strip()
    if record.is_of_build:
        return f"a build of Z3 {record.z3}{', the z3 program' if record.front_end else ''}"
    if record.front_end:
        return f"the z3 program of z3-solver {record.z3}"
    return quoted(record.command) if record.command else f"z3-solver {record.z3}"


def several(record: Record, reduced: Mapping[str, Sequence[str]]) -> Several:
    """Return the solvers of a record, with the commands that interpolate."""
    return Several(record.releases, record.z3, record.command, reduced)


def summary_of(record: Record) -> str:
    """Return the solver that a finding accuses, and its evidence."""
    return f"{solver_in(record)}: {shortened(record.witness)}"


def result_of(record: Record) -> str:
    """Return the solver's answer to the mutant, and the answer that is right or expected, if that is another one."""
    right = record.witness_for or record.expected
    answer = "a death" if record.answer == "death" else record.answer
    verb = "is right" if record.kind == VerdictKind.WRONG_ANSWER.value else "is expected"  # a promise is not a proof
    return f"{answer} was seen here{f', {right} {verb}' if right and right != answer else ''}"


def _script(record: Record, names: Set[str], reduced: Mapping[str, Sequence[str]] = {}) -> str:
    """Return show.sh; without a script of the domain, it only runs a command, or names the command that replays."""
    found = recorded_domain(record.solving).script(record, names, reduced)
    if found:
        return found
    lines = ["#!/bin/sh", comment(f"{summary_of(record)}."), 'cd "$(dirname "$0")" || exit', *LIMIT]
    for system in ("mutant.smt2", *map(system_of, STEMS.values())):
        command = reduced.get(system) or record.command
        if system in names:
            lines += [say(f"{system}: {result_of(record)}:")] if command else []
            lines += [limited(run_of(system, command)) if command else say(f"chcfuzz replay {system}")]
    return "\n".join(lines) + "\n"
