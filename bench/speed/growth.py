"""Draw the number of unique traces over time, with the wheel and, if one is given, a traced build.

python -m bench.speed.growth docs/growth.svg --seconds 120 --z3-library DIR      (needs matplotlib)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.campaigns import campaign, parser, write_json


def draw(measured: Mapping[str, Sequence[Sequence[int]]], seconds: int, picture: Path) -> None:
    """Draw a line for each campaign, from its status lines (minute, second, executions, unique traces)."""
    from matplotlib import pyplot  # an optional dependency

    pyplot.rcParams["svg.hashsalt"] = "chcfuzz"  # the same numbers give the same file
    figure, axes = pyplot.subplots(figsize=(7, 3.2))
    for name, growth in measured.items():
        moments = [0, *(60 * minute + second for minute, second, _, _ in growth)]
        axes.plot(moments, [0, *(traces for *_, traces in growth)], label=name)
    axes.set(xlabel="seconds on one core", ylabel="unique traces", xlim=(0, seconds), ylim=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, loc="upper left")
    figure.tight_layout()
    picture.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(picture, metadata={"Date": None})


def main() -> None:
    """Run the campaigns one after the other, and draw the picture."""
    flags = parser(__doc__)
    flags.add_argument("picture", type=Path, metavar="FILE.svg")
    flags.add_argument("--seconds", type=int, default=120)
    flags.add_argument("--z3-library", type=Path, metavar="DIR")
    given = flags.parse_args()
    limits = [f"-max_total_time={given.seconds}", "-seed=1", "--status-seconds=2"]
    measured = {"z3-solver wheel, progress log": campaign(limits)["growth"]}
    if given.z3_library:
        traced = [*limits, "--features=all", f"--z3-library={given.z3_library}"]
        measured["traced build, trace sites and edges"] = campaign(traced)["growth"]
    write_json(given.json, measured)

    draw(measured, given.seconds, given.picture)


if __name__ == "__main__":
    main()
