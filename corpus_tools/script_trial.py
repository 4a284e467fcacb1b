"""SMT-LIB files on a traced build with and without a patch, as they are: any logic, several checks, rules.

Each file runs under default parameters and under those of the findings. A CHC system also runs through the other front
end of Z3: assertions in the logic HORN as rules and a query, and rules as assertions. Only answers are compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.corpus_tools.regress import UnitChange
from chcfuzz.corpus_tools.script_messages import ScriptQuery, ScriptReply
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperProcess, ProcessPool
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.printing.rules_text import OPPOSITE, print_rules
from chcfuzz.grammar.problem import Pairs
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.triage.findings.fix import CorpusEffect

_DECIDED = ("sat", "unsat")
_ANSWERS = (*_DECIDED, "unknown")
_STATUS = re.compile(r"\(set-info\s+:status\s+(\w+)\s*\)")
_IS_RULES = re.compile(r"^\s*\((rule|query)\b", re.MULTILINE)
AS_IT_IS, AS_RULES, AS_ASSERTIONS = "as it is", "as rules", "as assertions"


@dataclass(frozen=True)
class ScriptFile:
    """A file in one form, and the answers that it states; `turned`: its query is reachable if the system is unsat."""

    name: str
    form: str
    text: str
    expected: tuple[str, ...] = ()
    turned: bool = False


def files_in(corpora: Sequence[Path]) -> list[Path]:
    """Return the SMT-LIB files of corpora, in order."""
    found = [path for corpus in corpora for path in ([corpus] if corpus.is_file() else sorted(corpus.rglob("*.smt2")))]
    return [path for path in dict.fromkeys(found) if path.suffix == ".smt2"]


def forms(path: Path) -> Iterator[ScriptFile]:
    """Yield a file as it is, and through the other front end if it is a CHC system."""
    text = path.read_text(errors="replace")
    is_rules = _IS_RULES.search(text) is not None
    expected = () if is_rules else tuple(_STATUS.findall(text))
    yield ScriptFile(path.name, AS_IT_IS, text, expected, is_rules)
    try:
        system = parse(text, path.name)
    except ChcfuzzError:
        return
    if is_rules:
        yield ScriptFile(path.name, AS_ASSERTIONS, print_system(system))
    else:
        yield ScriptFile(path.name, AS_RULES, print_rules(system), expected, True)


class ScriptPool(ProcessPool):
    """Pool of processes that run scripts on one build; leaving the `with` block ends them."""

    def __init__(self, solving: Solving, jobs: int) -> None:
        super().__init__(lambda: HelperProcess("chcfuzz.corpus_tools.script_worker", solving), jobs)

    def answers_of(self, given: tuple[ScriptFile, Pairs]) -> str:
        """Return the answers to a script under parameters; see `answers`."""
        return self.answers(*given)

    def answers(self, script: ScriptFile, parameters: Pairs) -> str:
        """Return the answers to a script, or how the solver died of it."""
        reply = self.request(ScriptQuery(script.text, parameters), ScriptReply)
        if reply.death:
            return reply.death
        lines = [line.strip() for line in reply.output.splitlines()]
        found = [line for line in lines if line in _ANSWERS]
        return " ".join(OPPOSITE.get(answer, answer) if script.turned else answer for answer in found) or "no answer"


@dataclass(frozen=True)
class ScriptTrial:
    """A trial: the flags with the builds before and after, and the number of parallel runs."""

    before: Solving
    after: Solving
    jobs: int

    def run(self, files: Sequence[Path], settings: Sequence[Pairs]) -> tuple[int, list[CorpusEffect]]:
        """Run all forms of the files under all settings; return the number of runs, and the answers that changed."""
        given = [(script, setting) for path in files for script in forms(path) for setting in settings]
        with ScriptPool(self.before, self.jobs) as old, ScriptPool(self.after, self.jobs) as new:
            olds, news = (pool.each(pool.answers_of, given) for pool in (old, new))
            found = [
                effect_of(script, setting, before, after)
                for (script, setting), before, after in zip(given, olds, news, strict=True)
                if before != after
            ]
        return len(given), found


def effect_of(script: ScriptFile, setting: Pairs, before: str, after: str) -> CorpusEffect:
    """Return changed answers; they are wrong if they contradict the file, and of unknown truth if it states none."""
    contradicts = any(OPPOSITE.get(old) == new for old, new in zip(before.split(), after.split(), strict=False))
    is_wrong = any(OPPOSITE.get(wanted) == new for wanted, new in zip(script.expected, after.split(), strict=False))
    change = UnitChange.GAINED if _decided(after) >= _decided(before) else UnitChange.LOST
    under = ", ".join(f"{name}={value}" for name, value in setting) or "default parameters"
    truth = None if contradicts and not script.expected else is_wrong
    name = f"{script.name} ({script.form}; {under})"
    return CorpusEffect(name, (UnitChange.CONTRADICTION if contradicts else change).value, before, after, truth)


def _decided(answers: str) -> int:
    return sum(answer in _DECIDED for answer in answers.split())
