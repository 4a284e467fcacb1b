"""`chcfuzz cluster`."""

from __future__ import annotations

import argparse
import contextlib
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from chcfuzz.campaign import corpus_folder
from chcfuzz.campaign.command_line import default_corpus, parse
from chcfuzz.commands import json_output, minimize, regress, triage, trials
from chcfuzz.commands.parser import Parser
from chcfuzz.commands.subcommand import Uses
from chcfuzz.corpus_tools.regress import Compared, Seen, UnitChange
from chcfuzz.corpus_tools.regress_record import ChangeRecord, write_record
from chcfuzz.execution import flags
from chcfuzz.execution.domain import check_flags
from chcfuzz.execution.files import see_folder, see_writable
from chcfuzz.execution.flags import duration, path, positive
from chcfuzz.execution.recorded_flags import code_flags
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.printable import counted, printable
from chcfuzz.mutators import roots
from chcfuzz.mutators.recipe import digest

if TYPE_CHECKING:
    from chcfuzz.cluster.connection import Where
    from chcfuzz.cluster.jobs import Job

NAME, HELP, USES = (
    "cluster",
    "fuzz, or run trials, triage, regress or minimize, on the workers of a cluster (Dask.distributed)",
    Uses.INSTALLED,
)
EXAMPLES = (
    "chcfuzz cluster fuzz --local 2 --into out/ -- -max_total_time=3600 corpus/",
    "chcfuzz cluster fuzz --scheduler tls://10.0.0.5:8786 --tls tls/ --store s3://bucket/run --into out/ -- corpus/",
    "chcfuzz cluster fuzz --slurm job.sh --workers 200 --store /shared/run --into /shared/out -- corpus/",
    "chcfuzz cluster trials 10 --local 2 --into novelty/ -- --portfolio=novelty=1 -runs=1000 corpus/",
    "chcfuzz cluster triage --local 2 -- findings/",
    "chcfuzz cluster regress --local 2 -- corpus/ --against 4.13.4.0",
    "chcfuzz cluster minimize --local 2 -- grown/ small/",
)
PACKAGES = frozenset(("distributed", "dask", "fsspec", "cryptography", "yaml"))
SLICE = "10m"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands."""
    what = parser.add_subparsers(required=True, dest="what", metavar="fuzz|trials|triage|regress|minimize")
    fuzz = what.add_parser("fuzz", help="run a campaign in slices, which exchange units")
    fuzz.add_argument(
        "--into", type=path, required=True, metavar="DIR", help="folder for the corpus and the findings of all slices"
    )
    fuzz.add_argument(
        "--slice", type=duration, default=SLICE, metavar="TIME", help="time of a slice (default: %(default)s)"
    )
    fuzz.add_argument(
        "--slices",
        type=positive,
        metavar="N",
        help="end after N slices for each thread of a worker (default: no limit)",
    )
    many = what.add_parser("trials", help="run campaigns that differ only in their seed")
    trials.add_flags(many)
    for leaf in (
        fuzz,
        many,
        what.add_parser("triage", help="reduce findings on the workers, then group them"),
        what.add_parser("regress", help="compare two solvers in batches of units"),
        what.add_parser("minimize", help="minimize batches of units, then the rest of all"),
    ):
        name = leaf.prog.split()[-1]
        leaf.usage = f"%(prog)s [--local N | --scheduler ADDRESS | --slurm FILE] ... -- ARGUMENTS of `chcfuzz {name}`"
        _add_workers(leaf)


def _add_workers(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--local", type=positive, metavar="N", help="start N workers on this machine")
    where.add_argument(
        "--scheduler", metavar="ADDRESS", help="address (tls://HOST:PORT) or scheduler file of a running cluster"
    )
    where.add_argument("--slurm", type=path, metavar="FILE", help="write a job for sbatch, with certificates beside it")
    where.add_argument("--kubernetes", type=path, metavar="FILE", help="write jobs for kubectl, with certificates")
    parser.add_argument("--workers", type=positive, default=8, metavar="N", help="workers of a job (default: 8)")
    parser.add_argument("--image", default="chcfuzz:latest", metavar="IMAGE", help="container image for Kubernetes")
    parser.add_argument(
        "--tls", type=path, metavar="DIR", help="folder with ca.pem, cert.pem and key.pem of the cluster"
    )
    parser.add_argument("--insecure", action="store_true", help="use a scheduler without TLS")
    parser.add_argument(
        "--store",
        metavar="URL",
        help="folder that all workers see, or s3://, gs:// or another address of fsspec (default with --local: in the "
        "folder of --into, or a temporary one)",
    )
    parser.add_argument(
        "--scratch", type=path, metavar="DIR", help="folder on the local disk of each worker (default: $TMPDIR or /tmp)"
    )


def run(given: argparse.Namespace) -> int:
    """Run the subcommand, or write a job that does."""
    try:
        from chcfuzz.cluster import connection
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in PACKAGES:
            raise
        raise UsageError(f"chcfuzz cluster needs {error.name}; pip install 'chcfuzz[cluster]'") from error
    if not given.store and not given.local:
        raise UsageError("name a --store that all workers can reach: a shared folder, or an address such as s3://...")
    if given.slurm or given.kubernetes:
        return _write_job(given)
    where = connection.Where(given.local or 0, given.scheduler or "", given.tls, given.insecure)
    return _RUN[given.what](given, where)


def _write_job(given: argparse.Namespace) -> int:
    """Write the job and its certificates, and print how to start it."""
    from chcfuzz.cluster import connection, job_files
    from chcfuzz.cluster.store import url_of

    file: Path = given.slurm or given.kubernetes
    tls = (given.tls or file.with_suffix(".tls")).absolute()
    store = url_of(given.store)
    if given.slurm and "://" in store:
        raise UsageError(f"{store!r}: the store of a job for Slurm is a folder that all nodes see; name one")
    words = ["-m", "chcfuzz.commands", NAME, *_without_job(given.words), f"--store={store}", "--", *given.after]
    see_writable(file)
    connection.make_certificates(tls)
    if given.slurm:
        file.write_text(job_files.slurm_job(given.workers, words, sys.executable, store, tls))
        print(f"sbatch {file}")
        return 0
    file.write_text(job_files.kubernetes_objects(given.workers, words, given.image))
    print(f"kubectl create secret generic chcfuzz-tls --from-file={tls}")
    print(f"kubectl apply -f {file}")
    return 0


def _without_job(words: list[str]) -> list[str]:
    """Return the words of a command line without the flags that only a job needs."""
    plain = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for name in ("--slurm", "--kubernetes", "--workers", "--image", "--tls", "--store"):
        plain.add_argument(name)
    _, rest = plain.parse_known_args(words)
    return rest


@contextlib.contextmanager
def _job(given: argparse.Namespace, where: Where) -> Iterator[Job]:
    """Connect to the workers; a store in a temporary folder is removed afterwards."""
    from chcfuzz.cluster.connection import connected
    from chcfuzz.cluster.jobs import Job
    from chcfuzz.cluster.store import Store, url_of

    with contextlib.ExitStack() as inside:
        url = given.store or inside.enter_context(tempfile.TemporaryDirectory(prefix="chcfuzz-store-"))
        store = Store(url_of(url))
        client = inside.enter_context(connected(where, _reporter(given)))
        yield Job(client, store, Path.cwd(), given.scratch, _reporter(given))


def _reporter(given: argparse.Namespace) -> Callable[[str], None]:
    def report(line: str) -> None:
        if not given.quiet:
            print(printable(f"chcfuzz: {line}"), file=sys.stderr, flush=True)

    return report


def _fuzz(given: argparse.Namespace, where: Where) -> int:
    from chcfuzz.cluster.connection import connected
    from chcfuzz.cluster.coordinator import Coordinator, Plan, collect
    from chcfuzz.cluster.store import Store, url_of

    options = parse(given.after)
    check_flags(options.solving)
    store = url_of(given.store or str(given.into / "store"))
    plan = Plan.of(options, store, given.slice, given.slices, given.scratch)
    see_folder(given.into)
    plan.begin(Store(store))  # before workers start: the store may hold another campaign
    with connected(where, _reporter(given)) as client:
        numbers = Coordinator(client, plan, _reporter(given)).run()
    waiting = collect(Store(store), given.into)
    return _print_campaign(given, numbers, waiting, code_flags(options.solving))


def _print_campaign(given: argparse.Namespace, numbers: dict[str, float], waiting: int, flags: str) -> int:
    findings = given.into / "findings"
    found = sorted(folder.parent.name for folder in findings.glob("*/record.json"))
    if given.json:
        json_output.show({**numbers, "findings": found, "waiting": waiting, "into": str(given.into)})
        return 0
    whole = {name: int(number) for name, number in numbers.items()}
    slices = counted(whole.get("slices", 0), "slice")
    print(f"{slices}: {whole.get('executions', 0)} executions, {whole.get('solved', 0)} solved")
    print(f"{counted(whole['units'], 'unit')} in {str(given.into / 'corpus')!r}")
    print(printable(f"{counted(len(found), 'finding')} in {str(findings)!r}"))
    if waiting:
        them = "it" if waiting == 1 else "them"
        command = f"chcfuzz confirm {shlex.quote(str(findings))}{flags}"
        print(printable(f"{counted(waiting, 'suspicion', 'waits', 'wait')}; `{command}` examines {them}"))
    return 0


def _trials(given: argparse.Namespace, where: Where) -> int:
    from chcfuzz.cluster.jobs import run_trials
    from chcfuzz.execution.flags import share
    from chcfuzz.experiments.trials import Trials

    check_flags(parse(given.after).solving)
    words = trials.with_seeds([*given.after, *default_corpus(given.after)])
    group = Trials(given.into, tuple(words), given.number)
    group.prepare()
    missing = [seed for seed in share(group.seeds, given.shard) if not group.is_complete(seed)]
    with _job(given, where) as job:
        run_trials(job, group, missing, words, trials.corpora_in(words))
    if given.json:
        json_output.show({"into": str(given.into), "trials": [seed for seed in group.seeds if group.is_complete(seed)]})
    else:
        print(f"{counted(len(missing), 'new trial')} in {str(given.into)!r}; `chcfuzz compare` compares them")
    return 0


def _arguments(given: argparse.Namespace) -> argparse.Namespace:
    """Return the parsed arguments of the command after `--`, whose domain becomes that of this process."""
    command = {module.NAME: module for module in (triage, regress, minimize)}[given.what]
    parser = Parser(prog=f"chcfuzz cluster {given.what} ... --")
    command.add_flags(parser)
    plain = parser.parse_args(given.after)
    if plain.shard != flags.WHOLE:
        raise UsageError(f"--shard is not for a cluster, which divides the work itself; use `chcfuzz {given.what}`")
    plain.words, plain.quiet = given.after, given.quiet
    plain.json = getattr(plain, "json", None) or given.json
    if plain.domain:
        roots.activate(roots.load(plain.domain).roots)
    return plain


def _given_flags(plain: argparse.Namespace) -> list[str]:
    """Return the flags of the solver that the user has given; others would override those recorded in a finding."""
    usual = flags.words(Solving(), everything=True)
    return [word for word in flags.words(Solving.of(plain), everything=True) if word not in usual]


def _compared(change: ChangeRecord) -> Compared:
    old, new = (Seen(**msgspec.structs.asdict(seen)) for seen in (change.old, change.new))
    return Compared(Path(change.unit), change.expected, old, new, change.change)


def _regress(given: argparse.Namespace, where: Where) -> int:
    from chcfuzz.cluster.jobs import regress as regress_units

    plain = _arguments(given)
    check_flags(Solving.of(plain))
    if plain.findings or plain.minimal:
        raise UsageError("--findings and --minimal are not for a cluster; use `chcfuzz regress`")
    units, refused = corpus_folder.units_in(plain.corpora)
    words = [f"--against={plain.against}", f"--factor={plain.factor}", *_given_flags(plain)]
    with _job(given, where) as job:
        record = msgspec.structs.replace(regress_units(job, units, words), refused=tuple(refused))
    if plain.json is True or plain.json == json_output.STANDARD_OUTPUT:
        json_output.show(msgspec.to_builtins(record))
    else:
        found = [_compared(each) for each in record.changes]
        regress.print_changes(found, (record.old, record.new))
        counts = ", ".join(f"{record.counts[each]} {each}" for each in UnitChange if record.counts.get(each))
        print(f"{counted(record.units, 'unit')}{': ' if counts else ''}{counts}")
        if plain.json:
            write_record(plain.json, record)
    return 1 if any(each.change in plain.fail_on for each in record.changes) else 0


def _minimize(given: argparse.Namespace, where: Where) -> int:
    from chcfuzz.cluster.jobs import minimize as minimize_units
    from chcfuzz.corpus_tools.minimize import check_new

    plain = _arguments(given)
    check_flags(Solving.of(plain))
    paths, _ = corpus_folder.units_in([plain.source])
    check_new(plain.into)
    units = {digest(file.read_bytes()): file for file in paths}
    words = [*([f"--by={plain.by}"] if plain.by else []), *_given_flags(plain)]
    with _job(given, where) as job:
        kept = minimize_units(job, units, plain.into, words)
    if given.json:
        json_output.show({"units": len(units), "kept": kept})
    else:
        print(f"kept {kept} of {counted(len(units), 'unit')} in {str(plain.into)!r}")
    return 0


def _triage(given: argparse.Namespace, where: Where) -> int:
    from chcfuzz.cluster.jobs import reduce_findings

    plain = _arguments(given)
    missing = next((folder for folder in plain.inputs if not folder.exists()), None)
    if missing is not None:
        raise UsageError(f"no findings {str(missing)!r}; name the findings folders of campaigns")
    if plain.reduce and not (plain.merge or plain.split):
        words = [f"--tests={plain.tests}", *_given_flags(plain)]
        with _job(given, where) as job:
            reduce_findings(job, [folder for folder in plain.inputs if folder.is_dir()], words)
    plain.reduce = False
    return triage.run(plain)


_RUN: dict[str, Callable[[argparse.Namespace, Where], int]] = {
    "fuzz": _fuzz,
    "trials": _trials,
    "triage": _triage,
    "regress": _regress,
    "minimize": _minimize,
}
